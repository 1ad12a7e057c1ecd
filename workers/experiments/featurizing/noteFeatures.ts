import { encodeNpy } from '../../data/npyFile.ts';
import { directionsByBound, directionsByRule } from '../../features/featureDimension.ts';
import { normaliseRows, rowNorms } from '../../math/normaliseRows.ts';
import type { ExperimentContext } from '../experiment.ts';
import { featureMapOf, featurizedRows, type FeaturizingParameters } from './featurizedRows.ts';

type Context = Pick<
  ExperimentContext<FeaturizingParameters & { normaliseBaseline: boolean }>,
  'parameters' | 'reporter'
>;

/** What is stored of φ, how long it would have to be for a small error, φ of the first pretraining, and the norms of its h. */
export function noteFeatures({ parameters, reporter }: Context, first: ArrayLike<number>): void {
  const { dimension, sigmaSquared } = parameters;
  const map = featureMapOf('phi-d', parameters);
  const { smallest, largest } = rowNorms(first, dimension);
  reporter.log(
    'info',
    `h has norms from ${smallest.toPrecision(3)} to ${largest.toPrecision(3)}: its rows are normalised for φ${parameters.normaliseBaseline ? ', h and avg(h)' : ''}`,
  );
  reporter.note('featureMaps', { 'phi-d': map, 'phi-2d': featureMapOf('phi-2d', parameters) });
  reporter.artifact('feature-map.json', Buffer.from(`${JSON.stringify(map, null, 2)}\n`), 'application/json');
  const target = { dimension, epsilon: 0.1, sigma: Math.sqrt(sigmaSquared) };
  reporter.note('directionsForErrorOfOneTenth', {
    byRule: directionsByRule(target),
    byBound: directionsByBound({ ...target, delta: 0.05 }),
    used: map.directions,
  });
  const phi = featurizedRows(normaliseRows(first, dimension), map);
  const file = encodeNpy(Float32Array.from(phi.values), [first.length / dimension, phi.width]);
  reporter.artifact('features-of-first-pretraining.npy', file, 'application/octet-stream');
}
