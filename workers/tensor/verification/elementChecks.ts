import { type BackendCheck, normalNumbers, normalTensor, valueAndGradients } from './backendCheck.ts';
import { tf } from '../tf.ts';

const COUNT = 1_031;
const STEP = 1e-5;

/** A function of one number on every element, against the same in float64 and its central difference. */
function elementwise(
  name: string,
  operation: (x: tf.Tensor) => tf.Tensor,
  { reference, positive = false }: { reference: (x: number) => number; positive?: boolean },
): BackendCheck {
  const numbers = () => {
    const x = normalNumbers(COUNT, 3, 1.5);
    return positive ? x.map((value) => Math.abs(value) + 0.25) : x;
  };
  return {
    name,
    tolerance: 2e-5,
    compute: () => valueAndGradients(operation, [tf.tensor1d(numbers())]),
    expected: () => {
      const upstream = normalNumbers(COUNT, 99);
      const x = Float64Array.from(numbers());
      return [
        x.map(reference),
        x.map((at, i) => ((reference(at + STEP) - reference(at - STEP)) / (2 * STEP)) * upstream[i]!),
      ];
    },
  };
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

const ELEMENTWISE: readonly BackendCheck[] = [
  elementwise('exp', tf.exp, { reference: Math.exp }),
  elementwise('log', tf.log, { reference: Math.log, positive: true }),
  elementwise('square root', tf.sqrt, { reference: Math.sqrt, positive: true }),
  elementwise('reciprocal square root', tf.rsqrt, { reference: (x) => 1 / Math.sqrt(x), positive: true }),
  elementwise('tanh', tf.tanh, { reference: Math.tanh }),
  elementwise('sigmoid', tf.sigmoid, { reference: sigmoid }),
  elementwise('softplus', tf.softplus, { reference: (x) => Math.log1p(Math.exp(x)) }),
  elementwise('square', tf.square, { reference: (x) => x * x }),
  elementwise('relu', tf.relu, { reference: (x) => Math.max(0, x) }),
  elementwise('reciprocal', tf.reciprocal, { reference: (x) => 1 / x, positive: true }),
];

/** Left [33, 7, 5]; the right one is stretched along axes where it has extent 1 or none. */
function broadcast(
  name: string,
  operation: (a: tf.Tensor, b: tf.Tensor) => tf.Tensor,
  shapes: readonly number[][] = [[5]],
): BackendCheck[] {
  return shapes.map((shape) => ({
    name: `${name}, [33, 7, 5] with [${shape.join(', ')}]`,
    tolerance: 5e-6,
    compute: () =>
      valueAndGradients(operation, [normalTensor([33, 7, 5], 4), tf.add(tf.abs(normalTensor(shape, 5)), 0.5)]),
  }));
}

/** Rows of the [41, 23] numbers folded, with the slope of the fold. */
function reduction(
  name: string,
  operation: (x: tf.Tensor) => tf.Tensor,
  reference: (row: readonly number[]) => { value: number; slopes: number[] },
): BackendCheck {
  const [rows, columns] = [41, 23];
  return {
    name,
    tolerance: 5e-6,
    compute: () => valueAndGradients(operation, [normalTensor([rows, columns], 6)]),
    expected: () => {
      const x = normalNumbers(rows * columns, 6);
      const upstream = normalNumbers(rows, 99);
      const folded = Array.from({ length: rows }, (_, row) =>
        reference([...x.subarray(row * columns, (row + 1) * columns)]),
      );
      return [
        folded.map(({ value }) => value),
        folded.flatMap(({ slopes }, row) => slopes.map((slope) => slope * upstream[row]!)),
      ];
    },
  };
}

const total = (row: readonly number[]): number => row.reduce((sum, value) => sum + value, 0);

const REDUCTIONS: readonly BackendCheck[] = [
  reduction(
    'sum of rows',
    (x) => tf.sum(x, 1),
    (row) => ({ value: total(row), slopes: row.map(() => 1) }),
  ),
  reduction(
    'mean of rows',
    (x) => tf.mean(x, 1),
    (row) => ({
      value: total(row) / row.length,
      slopes: row.map(() => 1 / row.length),
    }),
  ),
  reduction(
    'greatest of rows',
    (x) => tf.max(x, 1),
    (row) => {
      const value = Math.max(...row);
      return { value, slopes: row.map((element) => (element === value ? 1 : 0)) };
    },
  ),
  reduction(
    'log of the sum of exponentials',
    (x) => tf.logSumExp(x, 1),
    (row) => {
      const value = Math.log(total(row.map(Math.exp)));
      return { value, slopes: row.map((element) => Math.exp(element - value)) };
    },
  ),
];

/** Moving numbers about: what comes out is exact. */
const MOVES: readonly BackendCheck[] = [
  ['transpose', (x: tf.Tensor) => tf.transpose(x, [2, 0, 1])],
  ['slice', (x: tf.Tensor) => tf.slice(x, [3, 1, 2], [11, 5, 2])],
  ['concat', (x: tf.Tensor) => tf.concat([x, tf.neg(x)], 1)],
  [
    'pad',
    (x: tf.Tensor) =>
      tf.pad(x, [
        [1, 0],
        [0, 2],
        [3, 1],
      ]),
  ],
  ['tile', (x: tf.Tensor) => tf.tile(x, [2, 1, 3])],
  ['select', (x: tf.Tensor) => tf.where(tf.greater(normalTensor(x.shape, 8), 0), x, tf.mul(x, 0.5))],
].map(([name, operation]) => ({
  name: name as string,
  tolerance: 1e-6,
  compute: () => valueAndGradients(operation as (x: tf.Tensor) => tf.Tensor, [normalTensor([17, 6, 4], 7)]),
}));

/** Elementwise operations, broadcasting, reductions and moves, with their gradients. */
export const ELEMENT_CHECKS: readonly BackendCheck[] = [
  ...ELEMENTWISE,
  ...broadcast('add', tf.add),
  ...broadcast('subtract', tf.sub),
  ...broadcast('multiply', tf.mul),
  ...broadcast('divide', tf.div, [[33, 7, 5], [5], [7, 1], [33, 1, 5], []]),
  ...REDUCTIONS,
  ...MOVES,
];
