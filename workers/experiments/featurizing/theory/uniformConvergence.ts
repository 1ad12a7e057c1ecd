import {
  drawRepresentations,
  type PretrainedGapCase,
  pretrainedGap,
  pretrainedGapBounds,
} from '#workers/features/pretrainedGap.ts';
import type { FigureCurve } from '#workers/figures/figure.ts';
import { leastSquaresSlope } from '#workers/math/dense/leastSquaresSlope.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { reportCurves, type TheoryContext } from './theoryContext.ts';

/** Lengths d_0 of x and d of h(x), how many h are in H, and the probability δ with which the bound may be broken. */
const GAP = { inputs: 16, dimension: 4, family: 64, delta: 0.1 };

/** What is taken literally, and what is not. */
const NOTES = {
  literal:
    'The bound with the constant 1 for ≲, and with the constants of its proof; 𝒢ₙ without 1/n, as Appendix A defines it; R(h) averaged over data sets; ĥ by the least Rₙ(h), which is C1.',
  corrected:
    'One sample changes Rₙ(h) by at most 1/n, so its slack is √(log(1/δ)/(2n)), which vanishes; the proof takes that of a single draw, √(9 log(2/δ)), which exceeds 1, the largest loss, at every δ. Its 𝒢ₙ(H)/√n is of the order of 1 at every n: the contraction for a fixed f would give 1/n, and does not reach f_{h,n}, which moves with h. For finitely many h the union bound takes its place.',
  reading:
    'As an inequality it cannot fail with the constants of its proof. That uniform convergence cannot be expected, as the paper reads it, is refuted where supremum-slope is near -1/2 and borne out where it is near 0; that an entirely random h̃ has variances that n does not reduce, where deviation-of-noise falls. How much R(h) differs between representations drawn at random, which is what Appendix G draws from it, is deviation-over-representations.',
};

/**
 * Proposition 1 (Section 4.1): whether R(ĥ) - min R(h, f) of the pretrained ĥ stays below its bound, and whether the part of the
 * bound that does not vanish as n grows is there in what it bounds (docs/errata.md, 29). Above the bounds with a share over δ
 * refutes them.
 */
export async function uniformConvergence({ parameters, reporter, seed, cancellation }: TheoryContext): Promise<void> {
  const { inputs, dimension, family } = GAP;
  const { samples, trials } = parameters;
  const representations = drawRepresentations(family, GAP, randomGenerator(seed, 'representations'));
  const series: Record<string, number[]> = {};
  for (const n of samples) {
    cancellation.throwIfCancelled();
    const one = { representations, inputs, dimension, samples: n };
    const values = risksAt(one, trials, randomGenerator(seed, `pretrained gap ${n}`));
    for (const [name, value] of Object.entries(values)) {
      reporter.metric(`proposition-1/${name}`, n, value);
      series[name] = [...(series[name] ?? []), value];
    }
  }
  for (const name of ['supremum', 'bound-as-printed', 'deviation-over-representations']) {
    const slope = leastSquaresSlope(samples.map(Math.log), series[name]!.map(Math.log));
    reporter.metric(`proposition-1/${name}-slope`, samples.at(-1)!, slope);
  }
  reporter.note('proposition1', { ...GAP, ...NOTES });
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

/** What is bounded, the bounds, and how often they are broken, at one n; by the names of their metrics. */
function risksAt(one: PretrainedGapCase, trials: number, generator: RandomGenerator): Record<string, number> {
  const { delta } = GAP;
  const found = pretrainedGap(one, trials, generator);
  const bounds = pretrainedGapBounds(one, found.gaussianComplexity, delta);
  const share = (bound: number): number => found.excess.filter((excess) => excess > bound).length / trials;
  return {
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
}

/** The value that a share `above` of the others exceeds at most. */
function upperQuantile(values: readonly number[], above: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((1 - above) * sorted.length) - 1]!;
}
