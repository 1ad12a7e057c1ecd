import { trainedWideOutput, wideOutputLimit } from '#workers/features/wideNetworkOutput.ts';
import { leastSquaresSlope } from '#workers/math/dense/leastSquaresSlope.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { reportCurves, type TheoryContext } from './theoryContext.ts';

/** x^(t) and y^(t) of each step, and the x that g^(T) and h^(T) are looked at. */
const TRAINING = { inputs: [0.5, -0.4, 0.3, 0.6], targets: [1, 0.5, -0.5, 1], query: 1 };

/**
 * Proposition 2 (Section 4.2): the output g^(t)(x) of wide networks is deterministic, and the recursion of C_1 to C_4 gives it, with
 * its sign mended (docs/errata.md, 30); the hidden layer h^(t)(x) stays random.
 */
export async function wideNetworks({ parameters, reporter, seed, cancellation }: TheoryContext): Promise<void> {
  const { widths, trials } = parameters;
  const limit = wideOutputLimit(TRAINING);
  const printed = wideOutputLimit(TRAINING, 1);
  const errors: number[] = [];
  const deviations: number[] = [];
  for (const width of widths) {
    cancellation.throwIfCancelled();
    const generator = randomGenerator(seed, `wide network ${width}`);
    const drawn = Array.from({ length: trials }, () => trainedWideOutput(width, TRAINING, generator));
    const from = (value: number): number => rootMeanSquare(drawn.map(({ output }) => output - value));
    const error = from(limit);
    const hidden = rootMeanSquare(drawn.map((one) => one.hidden));
    reporter.metric('proposition-2/error', width, error);
    reporter.metric('proposition-2/error-as-printed', width, from(printed));
    reporter.metric('proposition-2/hidden-deviation', width, hidden);
    errors.push(error);
    deviations.push(hidden);
  }
  reporter.metric('proposition-2/slope', widths.at(-1)!, leastSquaresSlope(widths.map(Math.log), errors.map(Math.log)));
  reporter.note('proposition2', { limit, asPrinted: printed });
  await reportCurves(reporter, 'proposition-2', {
    title: 'Trained wide networks over initialisations (Proposition 2)',
    axes: ['width d', 'root mean square'],
    series: [
      { form: 'line', name: 'output, from its limit', x: widths, y: errors },
      { form: 'line', name: 'an entry of the hidden layer', x: widths, y: deviations },
    ],
  });
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
