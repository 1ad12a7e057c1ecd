import { tf } from '#workers/tensor/tf.ts';
import type { OperationCase } from './operationCase.ts';
import { at, combinePlain, mapPlain, plain } from './plainTensor.ts';

/** By Taylor's series: enough for |x| ≤ 2. */
function erf(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 60; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

const UNARY: readonly [string, (x: tf.Tensor) => tf.Tensor, (x: number) => number, (readonly [number, number])?][] = [
  ['neg', tf.neg, (x) => -x],
  ['exp', tf.exp, Math.exp],
  ['log', tf.log, Math.log, [0.1, 4]],
  ['sqrt', tf.sqrt, Math.sqrt, [0.1, 4]],
  ['rsqrt', tf.rsqrt, (x) => 1 / Math.sqrt(x), [0.1, 4]],
  ['square', tf.square, (x) => x * x],
  ['tanh', tf.tanh, Math.tanh],
  ['sigmoid', tf.sigmoid, (x) => 1 / (1 + Math.exp(-x))],
  ['relu', tf.relu, (x) => Math.max(x, 0)],
  ['abs', tf.abs, Math.abs],
  ['reciprocal', tf.reciprocal, (x) => 1 / x, [0.2, 3]],
  ['erf', tf.erf, erf],
  ['softplus', tf.softplus, (x) => Math.log1p(Math.exp(x))],
];

const BINARY: readonly [string, (a: tf.Tensor, b: tf.Tensor) => tf.Tensor, (a: number, b: number) => number][] = [
  ['add', tf.add, (a, b) => a + b],
  ['sub', tf.sub, (a, b) => a - b],
  ['mul', tf.mul, (a, b) => a * b],
  ['div', tf.div, (a, b) => a / b],
  ['maximum', tf.maximum, Math.max],
  ['minimum', tf.minimum, Math.min],
  ['squared difference', tf.squaredDifference, (a, b) => (a - b) ** 2],
];

const UNREDUCED: ReadonlySet<string> = new Set(['maximum', 'minimum', 'squared difference']);

const COMPARISONS: readonly [string, (a: tf.Tensor, b: tf.Tensor) => tf.Tensor, (a: number, b: number) => boolean][] = [
  ['greater', tf.greater, (a, b) => a > b],
  ['greater or equal', tf.greaterEqual, (a, b) => a >= b],
  ['less', tf.less, (a, b) => a < b],
  ['less or equal', tf.lessEqual, (a, b) => a <= b],
  ['equal', tf.equal, (a, b) => a === b],
  ['not equal', tf.notEqual, (a, b) => a !== b],
];

/** What occurs in networks: one shape, a scalar, a bias, a column, and what lies between. */
const PAIRS: readonly (readonly [readonly number[], readonly number[]])[] = [
  [
    [3, 5],
    [3, 5],
  ],
  [[7], []],
  [[], [4, 3]],
  [[3, 7], [7]],
  [
    [3, 7],
    [3, 1],
  ],
  [
    [2, 1, 5],
    [2, 3, 5],
  ],
  [
    [2, 3, 1],
    [1, 3, 4],
  ],
  [
    [4, 1],
    [1, 6],
  ],
  [
    [2, 1, 2, 1],
    [1, 3, 1, 2],
  ],
  [[0, 4], [4]],
  [[1], [1]],
];

const LARGE_PAIRS: readonly (readonly [readonly number[], readonly number[]])[] = [
  [
    [1031, 67],
    [1031, 67],
  ],
  [[1031, 67], [67]],
  [
    [1031, 67],
    [1031, 1],
  ],
  [[80_001], []],
];

const named = (name: string, shapes: readonly (readonly number[])[]) =>
  `${name} ${shapes.map((shape) => `[${shape}]`).join(' ')}`;

export const ELEMENTWISE_CASES: readonly OperationCase[] = [
  ...UNARY.map(
    ([name, compute, map, range = [-2, 2] as const]): OperationCase => ({
      name: named(name, [[3, 7]]),
      shapes: [[3, 7]],
      range,
      compute,
      reference: (x) => mapPlain(x!, map),
    }),
  ),
  ...BINARY.flatMap(([name, compute, map]) =>
    PAIRS.map(
      (shapes): OperationCase => ({
        name: named(name, shapes),
        shapes,
        range: [0.3, 2.3],
        compute: (a, b) => compute(a!, b!),
        reference: (a, b) => combinePlain(a!, b!, map),
        // tfjs does not sum these gradients over repeated dimensions.
        isDifferentiable: shapes[0].join() === shapes[1].join() || !UNREDUCED.has(name),
      }),
    ),
  ),
  {
    name: 'where the condition holds',
    shapes: [
      [3, 7],
      [3, 7],
    ],
    compute: (a, b) =>
      tf.where(
        tf.tensor2d(
          [...Array(21).keys()].map((n) => n % 3 === 0),
          [3, 7],
          'bool',
        ),
        a!,
        b!,
      ),
    reference: (a, b) => plain([3, 7], (place) => at((place[0]! * 7 + place[1]!) % 3 === 0 ? a! : b!, place)),
  },
  {
    name: 'sum of several tensors',
    shapes: [
      [5, 3],
      [5, 3],
      [5, 3],
    ],
    compute: (...x) => tf.addN(x),
    reference: (a, b, c) =>
      combinePlain(
        combinePlain(a!, b!, (x, y) => x + y),
        c!,
        (x, y) => x + y,
      ),
  },
];

/** Too large for differences, or without a gradient: only their values are checked. */
export const FORWARD_ELEMENTWISE_CASES: readonly OperationCase[] = [
  ...UNARY.map(
    ([name, compute, map, range = [-2, 2] as const]): OperationCase => ({
      name: named(name, [[1031, 67]]),
      shapes: [[1031, 67]],
      range,
      compute,
      reference: (x) => mapPlain(x!, map),
    }),
  ),
  ...BINARY.flatMap(([name, compute, map]) =>
    LARGE_PAIRS.map(
      (shapes): OperationCase => ({
        name: named(name, shapes),
        shapes,
        range: [0.3, 2.3],
        compute: (a, b) => compute(a!, b!),
        reference: (a, b) => combinePlain(a!, b!, map),
      }),
    ),
  ),
  ...COMPARISONS.flatMap(([name, compare, holds]) =>
    [PAIRS[0]!, PAIRS[3]!, PAIRS[4]!, PAIRS[6]!, LARGE_PAIRS[0]!].map((shapes): OperationCase => {
      // Few different values, so that some are equal.
      const rounded = (x: number) => Math.round(2 * x);
      return {
        name: named(name, shapes),
        shapes,
        compute: (a, b) => tf.cast(compare(tf.round(tf.mul(a!, 2)), tf.round(tf.mul(b!, 2))), 'float32'),
        reference: (a, b) => combinePlain(a!, b!, (x, y) => (holds(rounded(x), rounded(y)) ? 1 : 0)),
      };
    }),
  ),
  {
    name: 'step with a slope below 0',
    shapes: [[5, 9]],
    compute: (x) => tf.step(x!, 0.25),
    reference: (x) => mapPlain(x!, (value) => (value > 0 ? 1 : 0.25)),
  },
];
