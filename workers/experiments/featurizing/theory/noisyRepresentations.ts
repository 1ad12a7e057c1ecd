import { noisyRegressionErrors, noisyRegressionScale } from '#workers/features/noisyRegression.ts';
import type { FigureCurve } from '#workers/figures/figure.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { reportCurves, type TheoryContext } from './theoryContext.ts';

/**
 * Proposition 3 (Section 4.3, condition C3): no estimator's squared error |θ̂ - θ*|² falls faster than (σ_ε²/σ_h²) (q/n) log(d/q).
 * The lasso and least squares on the known support stand for all estimators: they can show the order, not the bound itself.
 */
export async function noisyRepresentations({ parameters, reporter, seed, cancellation }: TheoryContext): Promise<void> {
  const { samples, noiseRatios, dimension, sparsity, trials } = parameters;
  const series: FigureCurve[] = [];
  const ratios: number[] = [];
  for (const ratio of noiseRatios) {
    const [errors, bounds]: [number[], number[]] = [[], []];
    for (const n of samples) {
      cancellation.throwIfCancelled();
      const one = { dimension, sparsity, samples: n, sigmaH: 1, sigmaE: Math.sqrt(ratio) };
      const generator = randomGenerator(seed, `noisy regression ${ratio} ${n}`);
      const found = noisyRegressionErrors(one, Math.ceil(trials / 4), generator);
      const bound = noisyRegressionScale(one);
      errors.push(found.lasso.mean);
      bounds.push(bound);
      ratios.push(found.lasso.mean / bound);
      reporter.metric(`noise-${ratio}/lasso-error`, n, found.lasso.mean);
      reporter.metric(`noise-${ratio}/support-error`, n, found.support.mean);
      reporter.metric(`noise-${ratio}/bound`, n, bound);
      if (ratio === noiseRatios[0]) reporter.metric('proposition-3/lasso-error', n, found.lasso.mean);
    }
    series.push({ form: 'line', name: `lasso, σ_ε²/σ_h² = ${ratio}`, x: samples, y: errors });
    series.push({ form: 'line', name: `bound, constant 1, at ${ratio}`, x: samples, y: bounds, isDashed: true });
  }
  reporter.metric('proposition-3/least-ratio-to-bound', samples.at(-1)!, Math.min(...ratios));
  await reportCurves(reporter, 'proposition-3', {
    title: 'Squared error of θ from unstable representations (Proposition 3)',
    axes: ['samples n', '|θ̂ - θ*|²'],
    series,
  });
}
