import { tf } from '#workers/tensor/tf.ts';
import type { OperationCase } from './operationCase.ts';
import { combinePlain, mapPlain, multiplyPlain } from './plainTensor.ts';

const TRANSPOSES = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;

/** Sizes as (rows, depth, columns): odd ones, single ones, none, and those that fill several blocks. */
function productOf(
  [rows, depth, columns]: readonly [number, number, number],
  batches: readonly (readonly number[])[] = [[], []],
) {
  return TRANSPOSES.map(([transposeA, transposeB]): OperationCase => {
    const a = [...(batches[0] ?? []), ...(transposeA ? [depth, rows] : [rows, depth])];
    const b = [...(batches[1] ?? []), ...(transposeB ? [columns, depth] : [depth, columns])];
    return {
      name: `product [${a}]${transposeA ? ' transposed' : ''} [${b}]${transposeB ? ' transposed' : ''}`,
      shapes: [a, b],
      range: [-1, 1],
      terms: depth,
      compute: (x, y) => tf.matMul(x!, y!, transposeA, transposeB),
      reference: (x, y) => multiplyPlain(x!, y!, transposeA, transposeB),
      // tfjs does not sum these gradients over repeated batches.
      isDifferentiable: batches[0]?.join() === batches[1]?.join(),
    };
  });
}

function fusedOf(activation: 'linear' | 'relu' | 'sigmoid', shape: readonly number[]): OperationCase {
  const map = {
    linear: (x: number) => x,
    relu: (x: number) => Math.max(x, 0),
    sigmoid: (x: number) => 1 / (1 + Math.exp(-x)),
  };
  return {
    name: `product with bias and ${activation} [${shape}]`,
    shapes: [shape, [shape.at(-1)!, 9], [9]],
    range: [-1, 1],
    terms: shape.at(-1)!,
    compute: (a, b, bias) => tf.fused.matMul({ a: a!, b: b! as tf.Tensor2D, bias: bias!, activation }),
    reference: (a, b, bias) =>
      mapPlain(
        combinePlain(multiplyPlain(a!, b!, false, false), bias!, (x, y) => x + y),
        map[activation],
      ),
  };
}

export const MATRIX_CASES: readonly OperationCase[] = [
  ...productOf([3, 5, 7]),
  ...productOf([1, 4, 1]),
  ...productOf([9, 1, 10]),
  ...productOf([5, 3, 6], [[3], [3]]),
  ...productOf(
    [2, 3, 4],
    [
      [2, 2],
      [2, 2],
    ],
  ),
  ...productOf([3, 4, 5], [[2], [1]]),
  ...productOf([3, 4, 5], [[1], [2]]),
  fusedOf('linear', [4, 5]),
  fusedOf('relu', [4, 5]),
  fusedOf('sigmoid', [4, 5]),
];

export const FORWARD_MATRIX_CASES: readonly OperationCase[] = [
  ...productOf([0, 3, 4]),
  ...productOf([3, 0, 4]),
  ...productOf([101, 67, 259]),
  ...productOf([6, 700, 11]),
  ...productOf([203, 300, 5]),
  ...productOf([17, 19, 13], [[64], [64]]),
  fusedOf('relu', [130, 600]),
];
