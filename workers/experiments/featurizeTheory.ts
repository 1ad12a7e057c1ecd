import type { FeaturizeTheoryParameters } from '#src/catalog/kinds/featurizeTheory.ts';
import { gaussianKernel, kernelTargetAlignment, linearKernel } from '../features/kernelTargetAlignment.ts';
import { clusterCentres, drawClusters } from '../features/labelledClusters.ts';
import { nadarayaWatsonPredictions, nadarayaWatsonWeights } from '../features/nadarayaWatson.ts';
import { noisyRegressionErrors, noisyRegressionScale } from '../features/noisyRegression.ts';
import { drawRepresentations, pretrainedGap, pretrainedGapBounds } from '../features/pretrainedGap.ts';
import { trainedWideOutput, wideOutputLimit } from '../features/wideNetworkOutput.ts';
import type { FigureCurve } from '../figures/figure.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { featureDirections } from '../math/dense/featureDirections.ts';
import { leastSquaresSlope } from '../math/dense/leastSquaresSlope.ts';
import { randomFourierFeatures } from '../math/random/randomFourierFeatures.ts';
import { type RandomGenerator, randomGenerator } from '../math/random/randomGenerator.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

type Context = ExperimentContext<FeaturizeTheoryParameters>;

/** Propositions 1 to 4 and Lemma 1 of Featurizing, each as a simulation that could refute it. */
export const featurizeTheory: Experiment<FeaturizeTheoryParameters> = async (context) => {
  const { reporter } = context;
  const started = performance.now();
  await uniformConvergence(context);
  reporter.progress(0.1, 'Proposition 1');
  await wideNetworks(context);
  reporter.progress(0.2, 'Proposition 2');
  await noisyRegression(context);
  reporter.progress(0.7, 'Proposition 3');
  await alignmentBall(context);
  reporter.progress(0.9, 'Proposition 4');
  nadarayaWatsonRisk(context);
  reporter.timing('compute', (performance.now() - started) / 1000);
  reporter.progress(1, 'done');
};

/** Sizes of Proposition 1's setting, and the probability with which its bound may be broken. */
const GAP = { inputs: 16, dimension: 4, family: 64, delta: 0.1 };

/**
 * Proposition 1: whether R(ĥ) - min R(h, f) of the pretrained ĥ stays below its bound, and whether the part of the bound that
 * does not vanish as n grows is there in what it bounds. Above the bounds with a share over δ refutes them.
 */
async function uniformConvergence({ parameters, reporter, seed, cancellation }: Context): Promise<void> {
  const { inputs, dimension, family, delta } = GAP;
  const { samples, trials } = parameters;
  const representations = drawRepresentations(family, GAP, randomGenerator(seed, 'representations'));
  const series: Record<string, number[]> = {};
  for (const n of samples) {
    cancellation.throwIfCancelled();
    const one = { representations, inputs, dimension, samples: n };
    const found = pretrainedGap(one, trials, randomGenerator(seed, `pretrained gap ${n}`));
    const bounds = pretrainedGapBounds(one, found.gaussianComplexity, delta);
    const share = (bound: number): number => found.excess.filter((excess) => excess > bound).length / trials;
    const values = {
      excess: upperQuantile(found.excess, delta),
      supremum: upperQuantile(found.suprema, delta),
      'deviation-over-data': found.deviationOverData,
      'deviation-over-representations': found.deviationOverRepresentations,
      'deviation-of-noise': found.deviationOfNoise,
      'bound-as-printed': bounds.printed,
      'bound-with-constants': bounds.proven,
      'bound-corrected': bounds.corrected,
      'broken-share-as-printed': share(bounds.printed),
      'broken-share': share(bounds.corrected),
    };
    for (const [name, value] of Object.entries(values)) {
      reporter.metric(`proposition-1/${name}`, n, value);
      series[name] = [...(series[name] ?? []), value];
    }
  }
  for (const name of ['supremum', 'bound-as-printed', 'deviation-over-representations']) {
    const slope = leastSquaresSlope(samples.map(Math.log), series[name]!.map(Math.log));
    reporter.metric(`proposition-1/${name}-slope`, samples.at(-1)!, slope);
  }
  reporter.note('proposition1', { ...GAP, ...PROPOSITION_1_NOTES });
  const curve = (name: string, values: string, isDashed = false): FigureCurve => ({
    form: 'line',
    name,
    x: samples,
    y: series[values]!,
    isDashed,
  });
  await reportCurves(reporter, 'proposition-1', {
    title: 'Risk of a pretrained representation (Proposition 1)',
    axes: ['samples n', 'risk, of at most 1'],
    series: [
      curve('R(ĥ) - min R(h, f), 90 % below', 'excess'),
      curve('sup over h of E Rₙ(h) - Rₙ(h), 90 % below', 'supremum'),
      curve('deviation of Rₙ(h) over data', 'deviation-over-data'),
      curve('deviation of R(h) over h', 'deviation-over-representations'),
      curve('bound as printed, constant 1', 'bound-as-printed', true),
      curve('bound whose slack vanishes', 'bound-corrected', true),
    ],
  });
}

/** What is taken literally, and what is not. */
const PROPOSITION_1_NOTES = {
  literal:
    'The bound with the constant 1 for ≲, and with the constants of its proof; 𝒢ₙ without 1/n, as Appendix A defines it; R(h) averaged over data sets; ĥ by the least Rₙ(h), which is C1.',
  corrected:
    'One sample changes Rₙ(h) by at most 1/n, so its slack is √(log(1/δ)/(2n)), which vanishes; the proof takes that of a single draw, √(9 log(2/δ)), which exceeds 1, the largest loss, at every δ. Its 𝒢ₙ(H)/√n is of the order of 1 at every n: the contraction for a fixed f would give 1/n, and does not reach f_{h,n}, which moves with h. For finitely many h the union bound takes its place.',
  reading:
    'As an inequality it cannot fail with the constants of its proof. That uniform convergence cannot be expected, as the paper reads it, is refuted where supremum-slope is near -1/2 and borne out where it is near 0; that an entirely random h̃ has variances that n does not reduce, where deviation-of-noise falls. How much R(h) differs between representations drawn at random, which is what Appendix G draws from it, is deviation-over-representations.',
};

/** Proposition 2: the output of wide networks is deterministic, and the recursion gives it; the hidden layer stays random. */
async function wideNetworks({ parameters, reporter, seed, cancellation }: Context): Promise<void> {
  const { widths, trials } = parameters;
  const training = { inputs: [0.5, -0.4, 0.3, 0.6], targets: [1, 0.5, -0.5, 1], query: 1 };
  const limit = wideOutputLimit(training);
  const printed = wideOutputLimit(training, 1);
  const errors: number[] = [];
  const deviations: number[] = [];
  for (const width of widths) {
    cancellation.throwIfCancelled();
    const generator = randomGenerator(seed, `wide network ${width}`);
    const drawn = Array.from({ length: trials }, () => trainedWideOutput(width, training, generator));
    const error = rootMeanSquare(drawn.map(({ output }) => output - limit));
    const hidden = rootMeanSquare(drawn.map((one) => one.hidden));
    reporter.metric('proposition-2/error', width, error);
    reporter.metric(
      'proposition-2/error-as-printed',
      width,
      rootMeanSquare(drawn.map(({ output }) => output - printed)),
    );
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

/** Proposition 3: no estimator's squared error falls faster than (σ_ε²/σ_h²) (q/n) log(d/q). */
async function noisyRegression({ parameters, reporter, seed, cancellation }: Context): Promise<void> {
  const { samples, noiseRatios, dimension, sparsity, trials } = parameters;
  const series: FigureCurve[] = [];
  const ratios: number[] = [];
  for (const ratio of noiseRatios) {
    const errors: number[] = [];
    for (const n of samples) {
      cancellation.throwIfCancelled();
      const one = { dimension, sparsity, samples: n, sigmaH: 1, sigmaE: Math.sqrt(ratio) };
      const generator = randomGenerator(seed, `noisy regression ${ratio} ${n}`);
      const found = noisyRegressionErrors(one, Math.ceil(trials / 4), generator);
      errors.push(found.lasso.mean);
      ratios.push(found.lasso.mean / noisyRegressionScale(one));
      reporter.metric(`noise-${ratio}/lasso-error`, n, found.lasso.mean);
      reporter.metric(`noise-${ratio}/support-error`, n, found.support.mean);
      reporter.metric(`noise-${ratio}/bound`, n, noisyRegressionScale(one));
      if (ratio === noiseRatios[0]) reporter.metric('proposition-3/lasso-error', n, found.lasso.mean);
    }
    series.push({ form: 'line', name: `lasso, σ_ε²/σ_h² = ${ratio}`, x: samples, y: errors });
    const bound = samples.map((n) =>
      noisyRegressionScale({ dimension, sparsity, samples: n, sigmaH: 1, sigmaE: Math.sqrt(ratio) }),
    );
    series.push({ form: 'line', name: `bound, constant 1, at ${ratio}`, x: samples, y: bound, isDashed: true });
  }
  reporter.metric('proposition-3/least-ratio-to-bound', samples.at(-1)!, Math.min(...ratios));
  await reportCurves(reporter, 'proposition-3', {
    title: 'Squared error of θ from unstable representations (Proposition 3)',
    axes: ['samples n', '|θ̂ - θ*|²'],
    series,
  });
}

const SIGMAS = [0.5, 0.7, 0.85, 1, 1.15, 1.3];

/**
 * Proposition 4: over Q = N(0, s²I) near Q* = N(0, I), how far the alignment A_n(Q) with m directions is from that of the exact
 * kernel of the same Q (its sampling error), and from A_n(Q*) (what the proposition prints).
 */
async function alignmentBall({ parameters, reporter, seed, cancellation }: Context): Promise<void> {
  const n = parameters.samples[0]!;
  const width = 16;
  const generator = randomGenerator(seed, 'alignment');
  const shape = { width, spread: 0.3, noise: 0.1, share: 0.5 };
  const { h, labels } = drawClusters({ samples: n, centres: clusterCentres(width, generator), ...shape }, generator);
  const exact = SIGMAS.map((sigma) => kernelTargetAlignment(labels, gaussianKernel(h, width, sigma)));
  const optimal = exact[SIGMAS.indexOf(1)]!;
  const draws = Math.max(3, Math.ceil(parameters.trials / 20));
  const [sampling, literal]: [number[], number[]] = [[], []];
  for (const m of parameters.features) {
    let [own, other] = [0, 0];
    for (let draw = 0; draw < draws; draw++) {
      cancellation.throwIfCancelled();
      const found = SIGMAS.map((sigma) => {
        const directions = featureDirections({ seed: seed + draw, directions: m, dimension: width, sigma });
        return kernelTargetAlignment(labels, linearKernel(randomFourierFeatures(h, directions, width), 2 * m));
      });
      own += Math.max(...found.map((value, s) => Math.abs(value - exact[s]!))) / draws;
      other += Math.max(...found.map((value) => Math.abs(value - optimal))) / draws;
    }
    reporter.metric('proposition-4/sampling-error', m, own);
    reporter.metric('proposition-4/difference-over-ball', m, other);
    sampling.push(own);
    literal.push(other);
  }
  reporter.metric(
    'proposition-4/exact-difference-over-ball',
    parameters.features.at(-1)!,
    Math.max(...exact.map((value) => Math.abs(value - optimal))),
  );
  await reportCurves(reporter, 'proposition-4', {
    title: 'Alignment over a ball of measures Q (Proposition 4)',
    axes: ['directions m', 'largest deviation'],
    series: [
      { form: 'line', name: 'A_n(Q) from its exact kernel', x: parameters.features, y: sampling },
      { form: 'line', name: 'A_n(Q) from A(Q*)', x: parameters.features, y: literal },
    ],
  });
}

const DELTAS = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99];

/**
 * Lemma 1: the 0-1 risk of Nadaraya-Watson against 1 - √δ E[1[Y = Y'] K], over random problems. It may be broken with
 * probability δ at most, so a larger share of broken ones at a δ refutes it. Metrics stand at 100 δ.
 */
function nadarayaWatsonRisk({ parameters, reporter, seed, cancellation }: Context): void {
  const generator = randomGenerator(seed, 'nadaraya-watson');
  const found: { risk: number; alignment: number }[] = [];
  for (let trial = 0; trial < parameters.trials; trial++) {
    cancellation.throwIfCancelled();
    found.push(drawnRisk(generator));
  }
  for (const delta of DELTAS) {
    const slacks = found.map(({ risk, alignment }) => 1 - Math.sqrt(delta) * alignment - risk);
    reporter.metric('lemma-1/least-slack', Math.round(100 * delta), Math.min(...slacks));
    const broken = slacks.filter((slack) => slack < 0).length;
    reporter.metric('lemma-1/broken-share', Math.round(100 * delta), broken / slacks.length);
  }
}

/** Leave-one-out risk of a random problem, and its alignment. */
function drawnRisk(generator: RandomGenerator): { risk: number; alignment: number } {
  const width = 2 + generator.nextInt(15);
  const shape = {
    width,
    spread: 2 * generator.nextFloat() ** 2,
    noise: generator.nextFloat() / 2,
    share: 0.1 + 0.8 * generator.nextFloat(),
  };
  const { h, labels } = drawClusters({ samples: 200, centres: clusterCentres(width, generator), ...shape }, generator);
  // bandwidth b of exp(-|u|²/b²) is σ of exp(-σ²|u|²/2) with σ² = 2/b²
  const bandwidth = 0.3 + 2 * generator.nextFloat();
  const weights = nadarayaWatsonWeights(h, { h, width, bandwidth }, (i) => i);
  const signs = Array.from(labels, (label) => 2 * label - 1);
  const predictions = nadarayaWatsonPredictions(weights, signs);
  const risk = signs.filter((sign, i) => sign * predictions[i]! < 0).length / signs.length;
  return { risk, alignment: kernelTargetAlignment(labels, gaussianKernel(h, width, Math.SQRT2 / bandwidth)) };
}

/** The value that a share `above` of the others exceeds at most. */
function upperQuantile(values: readonly number[], above: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((1 - above) * sorted.length) - 1]!;
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

async function reportCurves(
  reporter: Context['reporter'],
  name: string,
  { title, axes, series }: { title: string; axes: [string, string]; series: readonly FigureCurve[] },
): Promise<void> {
  const [x, y] = axes;
  await reportFigure(reporter, name, {
    figure: { form: 'curves', title, x: { title: x, scale: 'log' }, y: { title: y, scale: 'log' }, series },
  });
}
