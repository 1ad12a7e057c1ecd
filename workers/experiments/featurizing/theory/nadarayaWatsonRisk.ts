import { gaussianKernel, kernelTargetAlignment } from '#workers/features/kernelTargetAlignment.ts';
import { clusterCentres, drawClusters } from '#workers/features/labelledClusters.ts';
import { nadarayaWatsonPredictions, nadarayaWatsonWeights } from '#workers/features/nadarayaWatson.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { TheoryContext } from './theoryContext.ts';

const DELTAS = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99];

/**
 * Lemma 1 (Section 4.3): the 0-1 risk of Nadaraya-Watson against 1 - √δ E[1[Y = Y'] K], over random problems. It may be broken
 * with probability δ at most, so a larger share of broken ones at a δ refutes it. Metrics stand at 100 δ.
 */
export function nadarayaWatsonRisk({ parameters, reporter, seed, cancellation }: TheoryContext): void {
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
