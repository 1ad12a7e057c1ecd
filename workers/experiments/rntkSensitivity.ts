import type { RntkSensitivityParameters } from '#src/catalog/kinds/rntkSensitivity.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { kernelSensitivity } from '../kernels/recurrent/kernelSensitivity.ts';
import type { RecurrentKernelParameters } from '../kernels/recurrent/recurrentKernelParameters.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

type Context = ExperimentContext<RntkSensitivityParameters>;
type Sigma = 'sigmaW' | 'sigmaU' | 'sigmaB' | 'sigmaH';

/** A panel of Figure 3: the sigma that is varied, its symbol and its name in metrics. */
const PANELS: readonly { sigma: Sigma; symbol: string; name: string }[] = [
  { sigma: 'sigmaW', symbol: 'σ_w', name: 'sigma-w' },
  { sigma: 'sigmaU', symbol: 'σ_u', name: 'sigma-u' },
  { sigma: 'sigmaB', symbol: 'σ_b', name: 'sigma-b' },
  { sigma: 'sigmaH', symbol: 'σ_h', name: 'sigma-h' },
];

/** RNTK, Section 3.4 and Figure 3: the mean of s(t) / max_t s(t) over pairs of standard normal sequences. */
export const rntkSensitivity: Experiment<RntkSensitivityParameters> = async (context) => {
  const { parameters, reporter } = context;
  const { activation, kernel, layers, sigmaW, sigmaU, sigmaB, sigmaH, sigmaV, length } = parameters;
  const base: RecurrentKernelParameters = { activation, layers, sigmaW, sigmaU, sigmaB, sigmaH, sigmaV };
  const start = performance.now();
  const own = meanSensitivity(context, base);
  for (const [t, value] of own.entries()) reporter.metric('sensitivity', t + 1, value);
  reporter.metric('flatness', 0, flatness(own));
  const time = Array.from({ length }, (_, t) => t + 1);
  for (const [index, { sigma, symbol, name }] of PANELS.entries()) {
    const values = parameters[`${sigma}Values`];
    if (values.length === 0) continue;
    const curves = values.map((value) => ({
      value,
      sensitivity: meanSensitivity(context, { ...base, [sigma]: value }),
    }));
    for (const { value, sensitivity } of curves)
      reporter.metric(`flatness/${name}/${shortNumber(value)}`, 0, flatness(sensitivity));
    await reportFigure(reporter, `figure-3-${activation}-${name}`, {
      figure: {
        form: 'curves',
        title: `Sensitivity of the ${kernel === 'rntk' ? 'RNTK' : 'NNGP'} kernel, ${activation}, ${symbol} varied`,
        x: { title: 't' },
        y: { title: 's(t) / max s(t)', minimum: 0 },
        series: curves.map(({ value, sensitivity }) => ({
          form: 'line',
          name: `${symbol} = ${shortNumber(value)}`,
          x: time,
          y: [...sensitivity],
        })),
      },
    });
    reporter.progress((index + 1) / PANELS.length, `${symbol} done`);
  }
  reporter.timing('compute', (performance.now() - start) / 1000);
  reporter.progress(1, 'done');
};

/** (T) Every network sees the same pairs of sequences. */
function meanSensitivity(
  { parameters, seed, cancellation }: Context,
  network: RecurrentKernelParameters,
): Float64Array {
  const { length, repetitions, kernel } = parameters;
  const generator = randomGenerator(seed, 'rntk-sensitivity sequences');
  const signal = () => Array.from({ length }, () => [generator.normal()]);
  const mean = new Float64Array(length);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    cancellation.throwIfCancelled();
    const { sensitivity } = kernelSensitivity(network, { x: signal(), y: signal() }, kernel);
    const greatest = sensitivity.reduce((most, value) => Math.max(most, value), 0);
    if (greatest === 0) continue;
    for (let t = 0; t < length; t++) mean[t]! += sensitivity[t]! / greatest / repetitions;
  }
  return mean;
}

/** Least over greatest mean sensitivity: 1 where all time steps count alike. */
function flatness(sensitivity: Float64Array): number {
  return (
    sensitivity.reduce((least, value) => Math.min(least, value)) /
    sensitivity.reduce((most, value) => Math.max(most, value))
  );
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
