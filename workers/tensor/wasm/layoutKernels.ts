import { tf } from '../tf.ts';
import { input, isWord, type KernelCall, type OwnKernel, sharedAs, sizeOf } from './ownKernel.ts';
import type { WasmBackend } from './wasmBackend.ts';

/** Extents and steps (in elements) of an output that is read with steps. */
interface StridedPlan {
  extents: number[];
  steps: number[];
}

/** Steps of a tensor without gaps. */
function denseSteps(shape: readonly number[]): number[] {
  const steps = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    steps[axis] = step;
    step *= shape[axis]!;
  }
  return steps;
}

/** The same reading with as few dimensions as can be. */
function collapsed({ extents, steps }: StridedPlan): StridedPlan {
  const plan: StridedPlan = { extents: [], steps: [] };
  for (const [axis, extent] of extents.entries()) {
    if (extent === 1) continue;
    const step = steps[axis]!;
    const last = plan.extents.length - 1;
    if (last >= 0 && plan.steps[last] === step * extent) {
      plan.extents[last]! *= extent;
      plan.steps[last] = step;
    } else {
      plan.extents.push(extent);
      plan.steps.push(step);
    }
  }
  return plan;
}

/** With 1s in front, up to `rank` dimensions; null when there are more. */
function padded({ extents, steps }: StridedPlan, rank: number): StridedPlan | null {
  const missing = rank - extents.length;
  if (missing < 0) return null;
  return { extents: [...Array(missing).fill(1), ...extents], steps: [...Array(missing).fill(0), ...steps] };
}

/** Dimensions of `stridedCopy`. */
const RANK = 5;

interface Reading {
  x: tf.TensorInfo;
  /** Elements of x before the first that is read. */
  offset: number;
  shape: number[];
  plan: StridedPlan;
}

type Five = [number, number, number, number, number];

/** `RANK` numbers, as the kernel takes them. */
function five([a = 1, b = 1, c = 1, d = 1, e = 1]: readonly number[]): Five {
  return [a, b, c, d, e];
}

/** A tensor of `shape` read from x with steps; null for types that are not of 4 bytes, or too many dimensions. */
function strided(backend: WasmBackend, { x, offset, shape, plan }: Reading): tf.TensorInfo | null {
  const size = sizeOf(shape);
  const least = collapsed(plan);
  const whole = padded(least, RANK);
  if (!isWord(x.dtype) || size === 0 || whole === null) return null;
  const { info, address } = backend.allocate(shape, x.dtype);
  const from = backend.addressOf(x) + 4 * offset;
  const [e0 = 1, e1 = 1, e2 = 1] = padded(least, 3)?.extents ?? [];
  const [s0 = 0, s1 = 0, s2 = 0] = padded(least, 3)?.steps ?? [];
  const isMatrices = least.extents.length <= 3 && s1 === 1 && s2 === e1 && (e0 === 1 || s0 === e1 * e2);
  if (isMatrices && e1 > 1) backend.compute(size, 'transposeMatrices', from, address, e0, e2, e1);
  else backend.compute(size, 'stridedCopy', from, address, ...five(whole.extents), ...five(whole.steps));
  return info;
}

function transpose(call: KernelCall): tf.TensorInfo | null {
  const x = input(call, 'x');
  const permutation = call.attributes.perm as number[];
  const shape = permutation.map((axis) => x.shape[axis]!);
  if (permutation.every((axis, place) => axis === place)) return sharedAs(call.backend, x, shape);
  const dense = denseSteps(x.shape);
  const steps = permutation.map((axis) => dense[axis]!);
  return strided(call.backend, { x, offset: 0, shape, plan: { extents: shape, steps } });
}

function slice(call: KernelCall): tf.TensorInfo | null {
  const x = input(call, 'x');
  const { begin, size } = call.attributes as unknown as tf.SliceAttrs;
  const [from, shape] = tf.slice_util.parseSliceParams(x as tf.Tensor, begin, size) as [number[], number[]];
  tf.slice_util.assertParamsValid(x as tf.Tensor, from, shape);
  const steps = denseSteps(x.shape);
  const offset = from.reduce((sum, start, axis) => sum + start * steps[axis]!, 0);
  return strided(call.backend, { x, offset, shape, plan: { extents: shape, steps } });
}

/** The parts of a tensor along `axis`, as large as `sizes` say; `shapeOf` gives a part's shape. */
function parts(
  call: KernelCall,
  { axis, sizes, shapeOf }: { axis: number; sizes: readonly number[]; shapeOf(extent: number): number[] },
): tf.TensorInfo[] | null {
  const { backend } = call;
  const x = call.inputs.x ?? input(call, 'value');
  if (!isWord(x.dtype) || sizes.includes(0) || sizeOf(x.shape) === 0) return null;
  const outer = sizeOf(x.shape.slice(0, axis));
  const inner = sizeOf(x.shape.slice(axis + 1));
  const rowBytes = 4 * x.shape[axis]! * inner;
  let from = backend.addressOf(x);
  return sizes.map((extent) => {
    const { info, address } = backend.allocate(shapeOf(extent), x.dtype as 'float32' | 'int32');
    const bytes = 4 * extent * inner;
    backend.compute(outer * extent * inner, 'copyRows', from, rowBytes, address, bytes, outer, bytes);
    from += bytes;
    return info;
  });
}

function split(call: KernelCall): tf.TensorInfo[] | null {
  const x = input(call, 'x');
  const { numOrSizeSplits, axis: given } = call.attributes as unknown as tf.SplitVAttrs;
  const [axis] = tf.util.parseAxisParam(given, x.shape) as [number];
  const sizes = tf.backend_util.prepareSplitSize(x as tf.Tensor, numOrSizeSplits, axis);
  return parts(call, { axis, sizes, shapeOf: (extent) => x.shape.with(axis, extent) });
}

function unpack(call: KernelCall): tf.TensorInfo[] | null {
  const { shape } = input(call, 'value');
  const [axis] = tf.util.parseAxisParam(call.attributes.axis as number, shape) as [number];
  return parts(call, { axis, sizes: Array(shape[axis]!).fill(1), shapeOf: () => shape.toSpliced(axis, 1) });
}

function tile(call: KernelCall): tf.TensorInfo | null {
  const x = input(call, 'x');
  const repetitions = call.attributes.reps as number[];
  const steps = denseSteps(x.shape);
  const plan: StridedPlan = {
    extents: x.shape.flatMap((extent, axis) => [repetitions[axis]!, extent]),
    steps: steps.flatMap((step) => [0, step]),
  };
  const shape = x.shape.map((extent, axis) => extent * repetitions[axis]!);
  return strided(call.backend, { x, offset: 0, shape, plan });
}

/** Several tensors one after the other along `axis`; each counts (outer, its own part). */
function joined(
  backend: WasmBackend,
  given: readonly tf.TensorInfo[],
  axis: number,
  shape: number[],
): tf.TensorInfo | null {
  const dtype = given[0]?.dtype ?? 'float32';
  const size = sizeOf(shape);
  if (!isWord(dtype) || given.some((info) => info.dtype !== dtype) || size === 0) return null;
  const { info, address } = backend.allocate(shape, dtype);
  const outer = sizeOf(shape.slice(0, axis));
  const bytes = (4 * size) / outer;
  let start = 0;
  for (const part of given) {
    const partBytes = (4 * sizeOf(part.shape)) / outer;
    if (partBytes === 0) continue;
    backend.compute(
      outer * (partBytes / 4),
      'copyRows',
      backend.addressOf(part),
      partBytes,
      address + start,
      bytes,
      outer,
      partBytes,
    );
    start += partBytes;
  }
  return info;
}

function tensors(call: KernelCall): tf.TensorInfo[] {
  return Object.values(call.inputs).filter((info) => info !== undefined);
}

function concat(call: KernelCall): tf.TensorInfo | null {
  const given = tensors(call);
  const [axis] = tf.util.parseAxisParam(call.attributes.axis as number, given[0]!.shape) as [number];
  const shapes = given.map((info) => info.shape);
  tf.backend_util.assertParamsConsistent(shapes, axis);
  return joined(call.backend, given, axis, tf.backend_util.computeOutShape(shapes, axis));
}

function pack(call: KernelCall): tf.TensorInfo | null {
  const given = tensors(call);
  const axis = call.attributes.axis as number;
  const shape = [...given[0]!.shape];
  shape.splice(axis, 0, given.length);
  if (given.some((info) => sizeOf(info.shape) * given.length !== sizeOf(shape))) return null;
  return joined(call.backend, given, axis, shape);
}

export const layoutKernels: readonly OwnKernel[] = [
  { name: 'Transpose', compute: transpose },
  { name: 'Slice', compute: slice },
  { name: 'SplitV', compute: split },
  { name: 'Unpack', compute: unpack },
  { name: 'Tile', compute: tile },
  { name: 'Concat', compute: concat },
  { name: 'Pack', compute: pack },
];
