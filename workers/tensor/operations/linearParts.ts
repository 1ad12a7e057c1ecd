import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { tf } from '../tf.ts';
import { multiply } from '../wasm/multiply.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { activationGradient } from './activation.ts';
import { heapTensor } from './heapTensor.ts';

/** x [rows, in], weight [in, out], bias [out] or null; whether ReLU follows, in the same pass. */
export interface LinearParts {
  readonly x: tf.Tensor2D;
  readonly weight: tf.Tensor2D;
  readonly bias: tf.Tensor1D | null;
  readonly rectified: boolean;
}

/** [rows, out] x W + b, rectified or not, on the `wasm` backend. */
export function linearValue(backend: WasmBackend, { x, weight, bias, rectified }: LinearParts): tf.Tensor2D {
  const [rows, depth] = x.shape;
  const columns = weight.shape[1];
  const { tensor, address } = heapTensor<tf.Tensor2D>(backend, [rows, columns]);
  multiply(backend, address, { a: x, b: weight, rows, columns, depth, bias: bias ?? undefined, rectified });
  return tensor;
}

interface Upstream {
  readonly x: tf.Tensor2D;
  readonly weight: tf.Tensor2D;
  /** The value where it was rectified. */
  readonly rectifiedValue: tf.Tensor | null;
  readonly hasBias: boolean;
}

/** The gradients of x, W and, where there is one, b. */
export function linearGradients(
  backend: WasmBackend,
  upstream: tf.Tensor,
  { x, weight, rectifiedValue, hasBias }: Upstream,
): tf.Tensor[] {
  const [rows, depth] = x.shape;
  const columns = weight.shape[1];
  const given = rectifiedValue ? activationGradient(backend, 'relu', rectifiedValue, upstream) : upstream;
  const ofX = heapTensor<tf.Tensor2D>(backend, [rows, depth]);
  multiply(backend, ofX.address, { a: given, b: weight, transposeB: true, rows, columns: depth, depth: columns });
  const ofWeight = heapTensor<tf.Tensor2D>(backend, [depth, columns]);
  multiply(backend, ofWeight.address, { a: x, b: given, transposeA: true, rows: depth, columns, depth: rows });
  return hasBias
    ? [ofX.tensor, ofWeight.tensor, columnSums(backend, given, [rows, columns])]
    : [ofX.tensor, ofWeight.tensor];
}

/** [columns] Sums of a matrix's columns. */
function columnSums(backend: WasmBackend, matrix: tf.Tensor, [rows, columns]: [number, number]): tf.Tensor {
  if (columns === 1) return tf.sum(matrix, 0);
  const { tensor, address } = heapTensor<tf.Tensor1D>(backend, [columns]);
  const sums = {
    kind: operation.SUM,
    x: backend.addressOf(matrix),
    to: address,
    outer: 1,
    count: rows,
    inner: columns,
  };
  backend.compute(rows * columns, 'reduceColumns', { ...sums, factor: 1 });
  return tensor;
}
