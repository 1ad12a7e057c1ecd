import { gridOf } from '#src/catalog/parameters/rntkGrids.ts';
import type { RntkRegressionParameters } from '#src/catalog/kinds/rntkRegression.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { noisySinusoid } from '../data/generate/generateSeries.ts';
import type { PriceSeries } from '../data/series/seriesData.ts';
import type { Figure } from '../figures/figure.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { signalToNoise } from '../evaluation/metrics/signalToNoise.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { randomFolds, regressSegments } from './series/regressSegments.ts';
import { drawSegments, type SegmentDraw } from './series/seriesSegments.ts';

type Context = ExperimentContext<RntkRegressionParameters>;
type Range = SegmentDraw['range'];

const PREVIOUS = 'previous-time-step';
const AXIS_TITLES = {
  nothing: 'place',
  variableLength: 'T_var (steps)',
  noise: 'σ_n',
  trainingSegments: 'N_train (segments)',
} as const;

/**
 * RNTK, Section 4 and A.2, Figure 4: kernel ridge regression predicts the value that follows a segment of a noisy sinusoid or of
 * stock prices. Lengths of segments are uniform from T_fixed to T_fixed + T_var; T_var, the noise σ_n or the number of training
 * segments N_train varies along the axis. `METHOD/snr` (mean over repetitions, dB) and `METHOD/deviation` (sample standard
 * deviation) stand at the place along the axis, from 0.
 */
export const rntkRegression: Experiment<RntkRegressionParameters> = async (context) => {
  const { parameters, reporter } = context;
  const { name: datasetName } = context.data;
  const data = datasetName === null ? null : await context.data.series(datasetName);
  if (data !== null && data.holds !== 'prices') {
    throw new WarrenError('DATA_ERROR', `dataset "${data.name}" holds labelled series: prices are expected`, {
      path: 'dataset.name',
    });
  }
  const started = performance.now();
  // matrices of tens of segments: more threads would cost more than they save
  const engine = await NumericThreads.openIfBuilt(1);
  let places: Place[];
  try {
    places = placesOf(context, { prices: data, engine });
  } finally {
    await engine?.close();
  }
  reporter.timing('compute', (performance.now() - started) / 1000);
  const title = `${data?.name ?? 'noisy sinusoid'}: predicted next value, ${parameters.repetitions} repetitions`;
  await reportFigure(reporter, 'snr', { figure: figureOf(parameters, places, title) });
  reporter.progress(1, 'done');
};

/** The parameters at one place of the horizontal axis. */
function parametersAt(parameters: RntkRegressionParameters, value: number | null): RntkRegressionParameters {
  return value === null || parameters.vary === 'nothing' ? parameters : { ...parameters, [parameters.vary]: value };
}

/** The series of one repetition, and the places that training and test segments come from. */
function seriesOf(
  parameters: RntkRegressionParameters,
  prices: PriceSeries | null,
  { seed, repetition }: { seed: number; repetition: number },
): { series: Float64Array; train: Range; test: Range } {
  const { points, noise, trainingDays, price, scaling } = parameters;
  const isScaled = (scaling ?? (prices === null ? 'none' : 'training-rms')) === 'training-rms';
  if (prices === null) {
    const generator = randomGenerator(seed, `sinusoid ${repetition}`);
    const series = noisySinusoid({ length: points, period: points, noise }, generator);
    const whole = { from: 0, to: points };
    return { series: isScaled ? byMeanSquare(series, points) : series, train: whole, test: whole };
  }
  const values = prices.prices[price];
  if (trainingDays >= values.length) {
    throw new WarrenError(
      'BAD_INPUT',
      `trainingDays is ${trainingDays}, but "${prices.name}" has ${values.length} days: leave some to test on`,
      { path: 'parameters.trainingDays' },
    );
  }
  return {
    series: isScaled ? byMeanSquare(values, trainingDays) : values,
    train: { from: 0, to: trainingDays },
    test: { from: trainingDays, to: values.length },
  };
}

/** Divided by the root mean square of its first values. */
function byMeanSquare(series: Float64Array, first: number): Float64Array {
  const scale = Math.sqrt(series.subarray(0, first).reduce((sum, value) => sum + value * value, 0) / first);
  return scale > 0 ? series.map((value) => value / scale) : series;
}

/** SNR in dB of each method in one repetition at one place. */
function repeat(
  context: Context,
  parameters: RntkRegressionParameters,
  given: { prices: PriceSeries | null; repetition: number; engine: NumericThreads | null },
): Map<string, number> {
  const { seed, cancellation } = context;
  const { kernels, ridges, padding, fixedLength: fixed, variableLength: variable } = parameters;
  const {
    series,
    train: trainRange,
    test: testRange,
  } = seriesOf(parameters, given.prices, {
    seed,
    repetition: given.repetition,
  });
  const draw = (what: string, count: number, range: Range) =>
    drawSegments(
      series,
      { count, fixed, variable, padding, range },
      randomGenerator(seed, `${what} ${given.repetition}`),
    );
  const train = draw('training segments', parameters.trainingSegments, trainRange);
  const test = draw('test segments', parameters.testSegments, testRange);
  const folds = Math.min(parameters.folds, parameters.trainingSegments);
  const foldOf = randomFolds(parameters.trainingSegments, folds, randomGenerator(seed, `folds ${given.repetition}`));
  const found = new Map<string, number>();
  for (const kernel of kernels) {
    const plan = {
      kernel,
      grid: gridOf(kernel, parameters),
      ridges,
      foldOf,
      engine: given.engine,
      pulse: () => cancellation.throwIfCancelled(),
    };
    found.set(kernel, signalToNoise(regressSegments(train, test, plan).predictions, test.targets));
  }
  found.set(PREVIOUS, signalToNoise(test.previous, test.targets));
  return found;
}

interface Place {
  value: number;
  /** (methods) dB, mean and sample deviation over repetitions. */
  summaries: Map<string, { mean: number; deviation: number }>;
}

/** Every place along the axis: all repetitions, their summaries reported as they come. */
function placesOf(context: Context, given: { prices: PriceSeries | null; engine: NumericThreads | null }): Place[] {
  const { parameters, reporter } = context;
  const values = parameters.vary === 'nothing' ? [null] : parameters.values;
  return values.map((value, place) => {
    const at = parametersAt(parameters, value);
    const found = Array.from({ length: at.repetitions }, (_, repetition) => {
      const done = (place + repetition / at.repetitions) / values.length;
      reporter.progress(done * 0.99, `place ${place + 1} of ${values.length}, repetition ${repetition + 1}`);
      return repeat(context, at, { ...given, repetition });
    });
    const summaries = new Map(
      [...found[0]!.keys()].map((name) => {
        const { mean, standardDeviation } = summarizeReplicates(found.map((one) => one.get(name)!));
        return [name, { mean, deviation: standardDeviation ?? 0 }];
      }),
    );
    for (const [name, { mean, deviation }] of summaries) {
      reporter.metric(`${name}/snr`, place, mean);
      reporter.metric(`${name}/deviation`, place, deviation);
    }
    return { value: value ?? 0, summaries };
  });
}

function figureOf(parameters: RntkRegressionParameters, places: readonly Place[], title: string): Figure {
  const methods = [...(places[0]?.summaries.keys() ?? [])];
  return {
    form: 'curves',
    title,
    x: { title: AXIS_TITLES[parameters.vary] },
    y: { title: 'SNR (dB)' },
    series: methods.map((name) => {
      const rows = places.map(({ value, summaries }) => ({ value, ...summaries.get(name)! }));
      return {
        form: 'line',
        name,
        x: rows.map(({ value }) => value),
        y: rows.map(({ mean }) => mean),
        band: { low: rows.map((row) => row.mean - row.deviation), high: rows.map((row) => row.mean + row.deviation) },
        isDashed: name === PREVIOUS,
      };
    }),
  };
}
