import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import { sparsePropagation as plainPropagation } from '#workers/math/sparse/sparsePropagation.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { adamUpdate } from '../operations/adamUpdate.ts';
import { sparsePropagation } from '../operations/sparsePropagation.ts';
import { sparseTensor } from '../sparseTensor.ts';
import { tf } from '../tf.ts';
import { type BackendCheck, normalNumbers, normalTensor } from './backendCheck.ts';

const ROWS = 43;
const COLUMNS = 7;
const STEPS = 5;
const [RATE, DECAY, BETA1, BETA2, EPSILON] = [0.01, 0.1, 0.9, 0.98, 1e-8];
const LAYERS = { start: 0.3, own: 0.3, beta: 0.9, layers: 3 };

/** A ring with an edge from each node to the fourth after it; node 0 is alone. */
function ring() {
  const rows: number[] = [];
  const columns: number[] = [];
  for (let node = 1; node < ROWS; node++) {
    for (const other of [(node % (ROWS - 1)) + 1, ((node + 3) % (ROWS - 1)) + 1]) {
      rows.push(node, other);
      columns.push(other, node);
    }
  }
  return symmetricNormalisation(sparseFromTriplets({ rowCount: ROWS, columnCount: ROWS, rows, columns }));
}

/** The gradient of a step, row-major; every third row has none, another third at each step. */
function gradientOf(step: number): number[] {
  const numbers = Array.from(normalNumbers(ROWS * COLUMNS, 59 + step));
  return numbers.map((value, at) => ((Math.floor(at / COLUMNS) + step) % 3 === 0 ? 0 : value));
}

function compute(): tf.Tensor[] {
  const shape: [number, number] = [ROWS, COLUMNS];
  const graph = sparseTensor(ring(), { isSymmetric: true });
  const parameter = tf.variable(normalTensor(shape, 51));
  const slots = { first: tf.variable(tf.zeros(shape)), second: tf.variable(tf.zeros(shape)) };
  const settings = { learningRate: RATE, beta1: BETA1, beta2: BETA2, epsilon: EPSILON, weightDecay: DECAY };
  const smoothing = (variation: tf.Tensor) => sparsePropagation(graph, variation as tf.Tensor2D, LAYERS);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = tf.tensor2d(gradientOf(step), shape);
    const options = { ...settings, decoupled: true, step, slots, smoothing, momentCorrection: true };
    adamUpdate(parameter, gradient, options);
    gradient.dispose();
  }
  const result = tf.clone<tf.Tensor>(parameter);
  tf.dispose([parameter, slots.first, slots.second]);
  graph.dispose();
  return [result];
}

function expected(): Float64Array[] {
  const graph = ring();
  const size = ROWS * COLUMNS;
  const parameter = Float64Array.from(normalNumbers(size, 51));
  const [first, second] = [new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = gradientOf(step);
    const before = Math.max(1, step - 1);
    const variation = parameter.map((_, at) => {
      const isIdle = (Math.floor(at / COLUMNS) + step) % 3 === 0;
      const g = isIdle ? first[at]! / (1 - BETA1 ** before) : gradient[at]!;
      const square = isIdle ? second[at]! / (1 - BETA2 ** before) : g * g;
      first[at] = BETA1 * first[at]! + (1 - BETA1) * g;
      second[at] = BETA2 * second[at]! + (1 - BETA2) * square;
      return first[at]! / (1 - BETA1 ** step) / (Math.sqrt(second[at]! / (1 - BETA2 ** step)) + EPSILON);
    });
    let y: Float64Array = variation.map((value) => LAYERS.start * value);
    for (let layer = 0; layer < LAYERS.layers; layer++) {
      const { beta: alpha, own: gamma } = LAYERS;
      y = plainPropagation(graph, { x: y, z: variation, alpha, gamma, width: COLUMNS });
    }
    for (let at = 0; at < size; at++) parameter[at] = (1 - RATE * DECAY) * parameter[at]! - RATE * y[at]!;
  }
  return [parameter];
}

/** SEvo's step (Algorithm 1), against its formulas in float64. */
export const SMOOTHING_CHECKS: readonly BackendCheck[] = [
  { name: 'AdamW smoothed over a graph, moments corrected', tolerance: 2e-6, compute, expected },
];
