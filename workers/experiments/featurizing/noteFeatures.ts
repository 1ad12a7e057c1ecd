import { BOUND_DELTA, directionsByBound, directionsByRule } from '#src/catalog/parameters/featureDimension.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { gaussianKernel, linearKernel } from '#workers/features/kernelTargetAlignment.ts';
import { normaliseRows, rowNorms } from '#workers/math/dense/normaliseRows.ts';
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
  reporter.note('featureMaps', {
    'phi-d': map,
    'phi-2d': featureMapOf('phi-2d', parameters),
    ...(hasError(parameters) ? { 'phi-epsilon': featureMapOf('phi-epsilon', parameters) } : {}),
  });
  reporter.artifact('feature-map.json', Buffer.from(`${JSON.stringify(map, null, 2)}\n`), 'application/json');
  const target = { dimension, epsilon: 0.1, sigma: Math.sqrt(sigmaSquared) };
  reporter.note('directionsForErrorOfOneTenth', {
    byRule: directionsByRule(target),
    byBound: directionsByBound({ ...target, delta: BOUND_DELTA }),
    used: map.directions,
  });
  const unit = normaliseRows(first, dimension);
  noteError({ parameters, reporter }, unit);
  const phi = featurizedRows(unit, map);
  const file = encodeNpy(Float32Array.from(phi.values), [first.length / dimension, phi.width]);
  reporter.artifact('features-of-first-pretraining.npy', file, 'application/octet-stream');
}

function hasError({ featureError = null }: FeaturizingParameters): boolean {
  return featureError !== null;
}

/** Rows whose pairs are compared with the kernel, the first. */
const COMPARED = 100;

/** How many directions φ_ε has and by what, and how far its kernel values are from the kernel's. */
function noteError({ parameters, reporter }: Context, unit: Float64Array): void {
  if (!hasError(parameters)) return;
  const { dimension, sigmaSquared, featureError, featureErrorBy } = parameters;
  const map = featureMapOf('phi-epsilon', parameters);
  const rows = unit.subarray(0, COMPARED * dimension);
  const features = featurizedRows(rows, map);
  const [found, exact] = [
    linearKernel(features.values, features.width),
    gaussianKernel(rows, dimension, Math.sqrt(sigmaSquared)),
  ];
  let largest = 0;
  for (let i = 1; i < rows.length / dimension; i++) {
    for (let j = 0; j < i; j++) largest = Math.max(largest, Math.abs(found(i, j) - exact(i, j)));
  }
  reporter.note('featureError', {
    epsilon: featureError,
    by: featureErrorBy,
    directions: map.directions,
    features: features.width,
    ...(featureErrorBy === 'bound' ? { delta: BOUND_DELTA } : {}),
    largestErrorFound: largest,
    rowsCompared: rows.length / dimension,
  });
  reporter.log(
    'info',
    `φ_ε has ${map.directions} directions by the ${featureErrorBy} for ε = ${featureError}; among the pairs of the first ${rows.length / dimension} rows its largest error is ${largest.toPrecision(3)}`,
  );
}
