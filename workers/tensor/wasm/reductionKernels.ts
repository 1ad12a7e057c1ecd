import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { tf } from '../tf.ts';
import { input, isFloat, type KernelCall, type OwnKernel, sizeOf } from './ownKernel.ts';

/** One row longer than this is reduced by all lanes, in runs. */
const LONG_ROW = 65_536;
const RUN = 1024;

interface Folded {
  outer: number;
  count: number;
  inner: number;
}

/** The shape as (outer, count, inner) with `count` reduced; null where other dimensions lie between the reduced ones. */
export function foldedShape(shape: readonly number[], axes: readonly number[]): Folded | null {
  const folded: Folded = { outer: 1, count: 1, inner: 1 };
  for (const [axis, extent] of shape.entries()) {
    if (extent === 1) continue;
    if (!axes.includes(axis)) {
      if (folded.count === 1) folded.outer *= extent;
      else folded.inner *= extent;
    } else if (folded.inner === 1) folded.count *= extent;
    else return null;
  }
  return folded;
}

function reduce(call: KernelCall, kind: number, isMean: boolean): tf.TensorInfo | null {
  const { backend, attributes } = call;
  const x = input(call, 'x');
  if (!isFloat(x)) return null;
  const axes = tf.util.parseAxisParam((attributes.axis ?? attributes.reductionIndices) as number | number[], x.shape);
  const folded = foldedShape(x.shape, axes);
  if (folded === null || sizeOf(x.shape) === 0) return null;
  const { outer, count, inner } = folded;
  const keeps = attributes.keepDims === true;
  const shape = x.shape.flatMap((extent, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [extent]));
  const { info, address } = backend.allocate(shape, 'float32');
  const from = backend.addressOf(x);
  const factor = isMean ? 1 / count : 1;
  const cost = outer * count * inner;
  if (inner > 1) backend.compute(cost, 'reduceColumns', { kind, x: from, to: address, outer, count, inner, factor });
  else if (outer > 1 || count < LONG_ROW)
    backend.compute(cost, 'reduceRows', kind, from, address, outer, count, factor);
  else {
    const runs = Math.ceil(count / RUN);
    backend.withScratch(4 * runs, (scratch) => {
      backend.compute(cost, 'reduceRuns', kind, from, scratch, count);
      backend.compute(runs, 'reduceRows', kind, scratch, address, 1, runs, factor);
    });
  }
  return info;
}

export const reductionKernels: readonly OwnKernel[] = [
  { name: 'Sum', compute: (call) => reduce(call, operation.SUM, false) },
  { name: 'Mean', compute: (call) => reduce(call, operation.SUM, true) },
  { name: 'Max', compute: (call) => reduce(call, operation.GREATEST, false) },
  { name: 'Min', compute: (call) => reduce(call, operation.LEAST, false) },
  { name: 'Prod', compute: (call) => reduce(call, operation.PRODUCT, false) },
];
