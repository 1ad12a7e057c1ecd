import type { RntkConvergenceParameters } from '#src/catalog/kinds/rntkConvergence.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { descendNetwork } from '../kernels/networks/descendNetwork.ts';
import { empiricalTangentKernel } from '../kernels/networks/empiricalTangentKernel.ts';
import { drawFiniteNetwork, samplesWithStates, traceNetwork } from '../kernels/networks/finiteNetwork.ts';
import { kernelDistance, symmetricNorm, type KernelMatrix } from '../kernels/recurrent/kernelMatrix.ts';
import { recurrentGram } from '../kernels/recurrent/recurrentGram.ts';
import { recurrentKernelPair } from '../kernels/recurrent/recurrentKernelPair.ts';
import type { RecurrentKernelParameters } from '../kernels/recurrent/recurrentKernelParameters.ts';
import { vectorSequencePair } from '../kernels/recurrent/sequencePair.ts';
import { seriesSet } from '../kernels/recurrent/seriesSet.ts';
import { leastSquaresSlope } from '../math/dense/leastSquaresSlope.ts';
import { type RandomGenerator, randomGenerator } from '../math/random/randomGenerator.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

type Context = ExperimentContext<RntkConvergenceParameters>;

/** Angles of Figure 2's left half. */
const ANGLES = Array.from({ length: 65 }, (_, i) => (i * Math.PI) / 32);

/**
 * RNTK, Figure 2 and Theorem 2. Left: the kernel of x = (1, -1, 1) and x' = (cos α, sin α) of one wide network beside its limit.
 * Right: the error of the empirical kernel of Gaussian signals, tied and untied, by width. Then: how far gradient descent
 * moves the kernel, by width.
 */
export const rntkConvergence: Experiment<RntkConvergenceParameters> = async (context) => {
  const { reporter } = context;
  const start = performance.now();
  await pairFigure(context);
  await convergenceFigure(context);
  await driftFigure(context);
  reporter.timing('compute', (performance.now() - start) / 1000);
  reporter.progress(1, 'done');
};

function networkOf(parameters: RntkConvergenceParameters): RecurrentKernelParameters {
  const { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH } = parameters;
  return { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH };
}

async function pairFigure({ parameters, seed, reporter }: Context): Promise<void> {
  const limit = networkOf(parameters);
  const generator = randomGenerator(seed, 'rntk-convergence pair');
  const shape = { width: parameters.pairWidth, dimension: 1, untiedSteps: null };
  const network = drawFiniteNetwork(limit, shape, generator);
  const x = samplesWithStates(network, { values: Float64Array.of(1, -1, 1), count: 1, length: 3 }, generator);
  const turning = Float64Array.from(ANGLES.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]));
  const others = samplesWithStates(network, { values: turning, count: ANGLES.length, length: 2 }, generator);
  const empirical = [
    ...empiricalTangentKernel(network, traceNetwork(network, x), traceNetwork(network, others)).values,
  ];
  const exact = ANGLES.map(
    (angle) =>
      recurrentKernelPair(limit, vectorSequencePair([[1], [-1], [1]], [[Math.cos(angle)], [Math.sin(angle)]])).theta,
  );
  reporter.metric('pair/error', parameters.pairWidth, kernelDistance(matrixOf(empirical), matrixOf(exact)));
  await reportFigure(reporter, 'figure-2-left', {
    figure: {
      form: 'curves',
      title: 'RNTK of (1, -1, 1) and (cos α, sin α)',
      x: { title: 'α' },
      y: { title: 'kernel' },
      series: [
        { form: 'line', name: 'n = ∞', x: ANGLES, y: exact },
        { form: 'line', name: `n = ${parameters.pairWidth}`, x: ANGLES, y: empirical, isDashed: true },
      ],
    },
  });
}

function matrixOf(values: readonly number[]): KernelMatrix {
  return { rows: 1, columns: values.length, values: Float64Array.from(values) };
}

function gaussianSignals(count: number, length: number, generator: RandomGenerator): Float64Array {
  return Float64Array.from({ length: count * length }, () => generator.normal());
}

/** The limit's Gram matrix of scalar signals of one length. */
function limitGram(limit: RecurrentKernelParameters, values: Float64Array, length: number): KernelMatrix {
  const series = Array.from({ length: values.length / length }, (_, i) =>
    values.subarray(i * length, (i + 1) * length),
  );
  return recurrentGram(null, { rows: seriesSet(series), columns: null }, { network: limit, kernel: 'rntk' });
}

async function convergenceFigure(context: Context): Promise<void> {
  const { parameters, seed, reporter, cancellation } = context;
  const { signals: count, length, networks } = parameters;
  const limit = networkOf(parameters);
  const values = gaussianSignals(count, length, randomGenerator(seed, 'rntk-convergence signals'));
  const exact = limitGram(limit, values, length);
  const widths = ascending(parameters.widths);
  const total = squares(widths);
  const curves = [];
  for (const [at, tying] of (['tied', 'untied'] as const).entries()) {
    const logErrors: number[] = [];
    for (const [index, width] of widths.entries()) {
      let sum = 0;
      for (let draw = 0; draw < networks; draw++) {
        cancellation.throwIfCancelled();
        const generator = randomGenerator(seed, `rntk-convergence ${tying} ${width} ${draw}`);
        const shape = { width, dimension: 1, untiedSteps: tying === 'tied' ? null : length };
        const network = drawFiniteNetwork(limit, shape, generator);
        const trace = traceNetwork(network, samplesWithStates(network, { values, count, length }, generator));
        sum += Math.log(kernelDistance(empiricalTangentKernel(network, trace, trace), exact));
      }
      logErrors.push(sum / networks);
      reporter.metric(`${tying}/error`, width, Math.exp(sum / networks));
      const done = at * total + squares(widths.slice(0, index + 1));
      reporter.progress((0.7 * done) / (2 * total), `${tying} networks of width ${width}`);
    }
    const slope = leastSquaresSlope(widths.map(Math.log), logErrors);
    reporter.metric(`${tying}/slope`, widths.at(-1)!, slope);
    curves.push({ name: `${tying}, slope ${slope.toFixed(2)}`, errors: logErrors.map(Math.exp) });
  }
  await reportFigure(reporter, 'figure-2-right', {
    figure: widthFigure('Convergence of the empirical tangent kernel to the RNTK', 'relative error', {
      widths,
      curves,
    }),
  });
}

/** Theorem 2: sup_s ‖Θ̂_s − Θ̂_0‖₂ / ‖Θ̂_0‖₂ over gradient descent. */
async function driftFigure(context: Context): Promise<void> {
  const { parameters, seed, reporter, cancellation } = context;
  const { trainingSignals: count, length, trainingNetworks, trainingSteps } = parameters;
  const limit = networkOf(parameters);
  const draws = randomGenerator(seed, 'rntk-convergence training signals');
  const values = gaussianSignals(count, length, draws);
  const targets = gaussianSignals(count, 1, draws);
  // below the bound 2 / (λ_min + λ_max) of the theorem, whatever λ_min is
  const learningRate = 1 / symmetricNorm(limitGram(limit, values, length));
  const widths = ascending(parameters.trainingWidths);
  const errors: number[] = [];
  for (const [index, width] of widths.entries()) {
    let drift = 0;
    let lossLeft = 0;
    for (let draw = 0; draw < trainingNetworks; draw++) {
      const generator = randomGenerator(seed, `rntk-convergence training ${width} ${draw}`);
      const network = drawFiniteNetwork(limit, { width, dimension: 1, untiedSteps: null }, generator);
      const samples = samplesWithStates(network, { values, count, length }, generator);
      const kernel = () => {
        const trace = traceNetwork(network, samples);
        return empiricalTangentKernel(network, trace, trace);
      };
      const start = kernel();
      let first = 0;
      let furthest = 0;
      for (let step = 0; step < trainingSteps; step++) {
        cancellation.throwIfCancelled();
        const loss = descendNetwork(network, samples, { targets, learningRate });
        if (step === 0) first = loss;
        if (step === trainingSteps - 1) lossLeft += loss / first / trainingNetworks;
        if (step % 10 === 9 || step === trainingSteps - 1) furthest = Math.max(furthest, drifted(kernel(), start));
      }
      drift += Math.log(furthest / symmetricNorm(start)) / trainingNetworks;
    }
    errors.push(Math.exp(drift));
    reporter.metric('training/drift', width, Math.exp(drift));
    reporter.metric('training/loss_left', width, lossLeft);
    reporter.progress(0.7 + (0.3 * squares(widths.slice(0, index + 1))) / squares(widths), `trained width ${width}`);
  }
  const slope = leastSquaresSlope(widths.map(Math.log), errors.map(Math.log));
  reporter.metric('training/slope', widths.at(-1)!, slope);
  await reportFigure(reporter, 'theorem-2', {
    figure: widthFigure('Drift of the tangent kernel in training', 'relative drift', {
      widths,
      curves: [{ name: `slope ${slope.toFixed(2)}`, errors }],
    }),
  });
}

function drifted(now: KernelMatrix, start: KernelMatrix): number {
  return symmetricNorm({ ...now, values: now.values.map((value, i) => value - start.values[i]!) });
}

function ascending(widths: readonly number[]): number[] {
  return [...new Set(widths)].sort((a, b) => a - b);
}

/** What the networks of these widths cost, in proportion. */
function squares(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width * width, 0);
}

function widthFigure(
  title: string,
  yTitle: string,
  { widths, curves }: { widths: number[]; curves: { name: string; errors: number[] }[] },
) {
  return {
    form: 'curves' as const,
    title,
    x: { title: 'width n', scale: 'log' as const },
    y: { title: yTitle, scale: 'log' as const },
    series: [
      ...curves.map(({ name, errors }) => ({ form: 'line' as const, name, x: widths, y: errors })),
      {
        form: 'line' as const,
        name: 'slope -1/2',
        x: widths,
        y: widths.map((width) => curves[0]!.errors[0]! * Math.sqrt(widths[0]! / width)),
        isDashed: true,
      },
    ],
  };
}
