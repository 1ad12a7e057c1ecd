import { gaussianKernel, kernelTargetAlignment, linearKernel } from '#workers/features/kernelTargetAlignment.ts';
import { clusterCentres, drawClusters } from '#workers/features/labelledClusters.ts';
import { featureDirections } from '#workers/math/dense/featureDirections.ts';
import { randomFourierFeatures } from '#workers/math/random/randomFourierFeatures.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { reportCurves, type TheoryContext } from './theoryContext.ts';

/** s of the measures Q = N(0, s²I) that stand for the ball; 1 is Q*. */
const SIGMAS = [0.5, 0.7, 0.85, 1, 1.15, 1.3];

/** Length of h. */
const WIDTH = 16;

/**
 * Proposition 4 (Section 5): over Q = N(0, s²I) near Q* = N(0, I), how far the alignment A_n(Q) with m directions is from that of the
 * exact kernel of the same Q (its sampling error), and from that of the exact kernel of Q*, which A_n(Q*) tends to as m grows (the
 * proposition prints A_n(Q*) itself). n is the smallest of `samples`.
 */
export async function alignmentBall({ parameters, reporter, seed, cancellation }: TheoryContext): Promise<void> {
  const n = parameters.samples[0]!;
  const generator = randomGenerator(seed, 'alignment');
  const shape = { width: WIDTH, spread: 0.3, noise: 0.1, share: 0.5 };
  const { h, labels } = drawClusters({ samples: n, centres: clusterCentres(WIDTH, generator), ...shape }, generator);
  const exact = SIGMAS.map((sigma) => kernelTargetAlignment(labels, gaussianKernel(h, WIDTH, sigma)));
  const optimal = exact[SIGMAS.indexOf(1)]!;
  const draws = Math.max(3, Math.ceil(parameters.trials / 20));
  const [sampling, literal]: [number[], number[]] = [[], []];
  for (const m of parameters.features) {
    let [own, other] = [0, 0];
    for (let draw = 0; draw < draws; draw++) {
      cancellation.throwIfCancelled();
      const found = SIGMAS.map((sigma) => {
        const directions = featureDirections({ seed: seed + draw, directions: m, dimension: WIDTH, sigma });
        return kernelTargetAlignment(labels, linearKernel(randomFourierFeatures(h, directions, WIDTH), 2 * m));
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
