import { tf } from '#workers/tensor/tf.ts';
import type { OperationCase } from './operationCase.ts';
import { mapPlain, type PlainTensor, plainSize, reducePlain, softmaxPlain } from './plainTensor.ts';

type Reduction = readonly [
  name: string,
  compute: (x: tf.Tensor, axes: number[], keeps: boolean) => tf.Tensor,
  first: number,
  join: (a: number, b: number) => number,
  isMean?: boolean,
];

const REDUCTIONS: readonly Reduction[] = [
  ['sum', tf.sum, 0, (a, b) => a + b],
  ['mean', tf.mean, 0, (a, b) => a + b, true],
  ['max', tf.max, Number.NEGATIVE_INFINITY, Math.max],
  ['min', tf.min, Number.POSITIVE_INFINITY, Math.min],
  ['prod', tf.prod, 1, (a, b) => a * b],
];

function reductionOf(
  [name, compute, first, join, isMean = false]: Reduction,
  shape: readonly number[],
  axes: number[],
  keeps: boolean,
) {
  const count = plainSize(axes.map((axis) => shape[axis]!));
  const reference = (x: PlainTensor) =>
    mapPlain(reducePlain(x, axes, { first, join, keeps }), (value) => (isMean ? value / count : value));
  return {
    name: `${name} of [${shape}] over [${axes}]${keeps ? ' kept' : ''}`,
    shapes: [shape],
    range: name === 'prod' ? ([0.9, 1.1] as const) : ([-2, 2] as const),
    terms: count,
    compute: (x: tf.Tensor) => compute(x, axes, keeps),
    reference,
    // tfjs has none for products.
    isDifferentiable: name !== 'prod',
  } as OperationCase;
}

const SMALL: readonly (readonly [readonly number[], number[]])[] = [
  [[7], [0]],
  [[3, 5], [1]],
  [[3, 5], [0]],
  [
    [3, 5],
    [0, 1],
  ],
  [[2, 3, 5], [1]],
  [
    [2, 3, 5],
    [0, 1],
  ],
  [
    [2, 3, 5],
    [0, 2],
  ],
  [[1, 1], [0]],
];
const LARGE: readonly (readonly [readonly number[], number[]])[] = [
  [[1033, 67], [0]],
  [[1033, 67], [1]],
  [[300_007], [0]],
  [[3, 21_111], [1]],
];

const softmax = (shape: readonly number[]): OperationCase[] => [
  { name: `softmax [${shape}]`, shapes: [shape], compute: (x) => tf.softmax(x!), reference: (x) => softmaxPlain(x!) },
  {
    name: `log softmax [${shape}]`,
    shapes: [shape],
    compute: (x) => tf.logSoftmax(x!),
    reference: (x) => mapPlain(softmaxPlain(x!), Math.log),
  },
];

export const REDUCTION_CASES: readonly OperationCase[] = [
  ...REDUCTIONS.flatMap((reduction) =>
    SMALL.flatMap(([shape, axes]) => [false, true].map((keeps) => reductionOf(reduction, shape, axes, keeps))),
  ),
  ...softmax([5, 7]),
  ...softmax([2, 3, 4]),
  ...softmax([3, 1]),
];

export const FORWARD_REDUCTION_CASES: readonly OperationCase[] = [
  ...REDUCTIONS.filter(([name]) => name !== 'prod').flatMap((reduction) =>
    LARGE.map(([shape, axes]) => reductionOf(reduction, shape, axes, false)),
  ),
  ...softmax([37, 1201]),
];
