import { type BackendCheck, normalTensor, valueAndGradients, normalNumbers } from './backendCheck.ts';
import { ELEMENT_CHECKS } from './elementChecks.ts';
import { LAYER_CHECKS } from './layerChecks.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { bayesianPersonalisedRanking } from '../operations/bayesianPersonalisedRanking.ts';
import { binaryCrossEntropy } from '../operations/binaryCrossEntropy.ts';
import { embeddingLookup } from '../operations/embeddingLookup.ts';
import { fullSoftmaxCrossEntropy } from '../operations/fullSoftmaxCrossEntropy.ts';
import { tf } from '../tf.ts';
import { OPTIMIZER_CHECKS } from './optimizerChecks.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import { sparsePropagation as plainPropagation } from '#workers/math/sparse/sparsePropagation.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { adamUpdate } from '../operations/adamUpdate.ts';
import { sparsePropagation } from '../operations/sparsePropagation.ts';
import { sparseTensor } from '../sparseTensor.ts';

interface Sizes {
  batch: number;
  rows: number;
  inner: number;
  columns: number;
}

/** Read access to a batch of matrices that lie row by row, transposed where asked. */
function reader(
  numbers: ArrayLike<number>,
  { rows, columns, transposed }: { rows: number; columns: number; transposed: boolean },
) {
  return (batch: number, row: number, column: number): number => {
    const start = batch * rows * columns;
    return transposed ? numbers[start + column * rows + row]! : numbers[start + row * columns + column]!;
  };
}

/** The slow reference implementation: C = A B for each of the batch, in float64. */
function product(
  left: ReturnType<typeof reader>,
  right: ReturnType<typeof reader>,
  { batch, rows, inner, columns }: Sizes,
): Float64Array {
  const result = new Float64Array(batch * rows * columns);
  for (let at = 0; at < batch; at++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        let sum = 0;
        for (let k = 0; k < inner; k++) sum += left(at, row, k) * right(at, k, column);
        result[(at * rows + row) * columns + column] = sum;
      }
    }
  }
  return result;
}

function matrixProduct(transposeA: boolean, transposeB: boolean, sizes: Sizes): BackendCheck {
  const { batch, rows, inner, columns } = sizes;
  const shapeOf = (height: number, width: number, transposed: boolean) =>
    transposed ? [batch, width, height] : [batch, height, width];
  const words = `${transposeA ? 'Aᵀ' : 'A'} ${transposeB ? 'Bᵀ' : 'B'}`;
  return {
    name: `matrix product ${words}, ${batch} × (${rows} × ${inner} × ${columns})`,
    tolerance: 2e-6,
    compute: () => {
      const a = normalTensor<tf.Tensor3D>(shapeOf(rows, inner, transposeA), 1);
      const b = normalTensor<tf.Tensor3D>(shapeOf(inner, columns, transposeB), 2);
      return valueAndGradients((x: tf.Tensor3D, y: tf.Tensor3D) => tf.matMul(x, y, transposeA, transposeB), [a, b]);
    },
    expected: () => {
      const a = normalNumbers(batch * rows * inner, 1);
      const b = normalNumbers(batch * inner * columns, 2);
      const g = normalNumbers(batch * rows * columns, 99);
      const left = reader(a, { rows, columns: inner, transposed: transposeA });
      const right = reader(b, { rows: inner, columns, transposed: transposeB });
      const upstream = reader(g, { rows, columns, transposed: false });
      const flip = (read: ReturnType<typeof reader>) => (at: number, row: number, column: number) =>
        read(at, column, row);
      // C = A B: dA = G Bᵀ and dB = Aᵀ G, each laid out as its operand is
      const slopeA = transposeA
        ? product(right, flip(upstream), { batch, rows: inner, inner: columns, columns: rows })
        : product(upstream, flip(right), { batch, rows, inner: columns, columns: inner });
      const slopeB = transposeB
        ? product(flip(upstream), left, { batch, rows: columns, inner: rows, columns: inner })
        : product(flip(left), upstream, { batch, rows: inner, inner: rows, columns });
      return [product(left, right, sizes), slopeA, slopeB];
    },
  };
}

const FLAGS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

/** Matrix products with their gradients in every transpose combination; odd sizes leave remainders in every blocking. */
const MATRIX_CHECKS: readonly BackendCheck[] = [
  ...FLAGS.map(([a, b]) => matrixProduct(a, b, { batch: 1, rows: 67, inner: 45, columns: 39 })),
  ...FLAGS.map(([a, b]) => matrixProduct(a, b, { batch: 3, rows: 5, inner: 17, columns: 9 })),
];

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
const SMOOTHING_CHECKS: readonly BackendCheck[] = [
  { name: 'AdamW smoothed over a graph, moments corrected', tolerance: 2e-6, compute, expected },
];

const POSITIONS = 57;
const ITEMS = 203;
const WIDTH = 16;

/** Item numbers, some of them more than once. */
function items(count: number, seed: number): Int32Array {
  const generator = randomGenerator(seed, 'backend checks');
  return Int32Array.from({ length: count }, () => generator.nextInt(ITEMS));
}

const hidden = (): tf.Tensor2D => normalTensor([POSITIONS, WIDTH], 41);
const table = (): tf.Tensor2D => normalTensor([ITEMS, WIDTH], 42, 0.5);

function sampled(name: string, loss: typeof binaryCrossEntropy): BackendCheck {
  return {
    name,
    tolerance: 1e-5,
    compute: () =>
      valueAndGradients(
        (states: tf.Tensor2D, embeddings: tf.Tensor2D) =>
          loss({
            hidden: states,
            table: embeddings,
            positives: items(POSITIONS, 1),
            negatives: items(4 * POSITIONS, 2),
          }),
        [hidden(), table()],
      ),
  };
}

/** Embeddings and the losses of Warren's recommenders, with their gradients. */
const LOSS_CHECKS: readonly BackendCheck[] = [
  {
    name: 'embedding lookup',
    tolerance: 2e-6,
    compute: () =>
      valueAndGradients((embeddings: tf.Tensor2D) => embeddingLookup(embeddings, items(500, 3)), [table()]),
  },
  sampled('binary cross-entropy with sampled negatives', binaryCrossEntropy),
  sampled('Bayesian personalised ranking', bayesianPersonalisedRanking),
  {
    name: 'cross-entropy over all items',
    tolerance: 1e-5,
    compute: () =>
      valueAndGradients(
        (states: tf.Tensor2D, embeddings: tf.Tensor2D, bias: tf.Tensor1D) =>
          fullSoftmaxCrossEntropy({ hidden: states, table: embeddings, targets: items(POSITIONS, 4), bias }),
        [hidden(), table(), normalTensor<tf.Tensor1D>([ITEMS], 43)],
      ),
  },
];

/** What `warren doctor --verify` and the tests have every backend compute. */
export const BACKEND_CHECKS: readonly BackendCheck[] = [
  ...MATRIX_CHECKS,
  ...ELEMENT_CHECKS,
  ...LAYER_CHECKS,
  ...LOSS_CHECKS,
  ...OPTIMIZER_CHECKS,
  ...SMOOTHING_CHECKS,
];
