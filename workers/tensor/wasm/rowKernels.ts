import { badInput } from '#src/base/contracts/errors.ts';
import { tf } from '../tf.ts';
import { input, isFloat, isWord, type OwnKernel, sizeOf } from './ownKernel.ts';

const gather: OwnKernel = {
  name: 'GatherV2',
  compute(call) {
    const { backend, attributes } = call;
    const x = input(call, 'x');
    const indices = input(call, 'indices');
    if (!isWord(x.dtype) || indices.dtype !== 'int32' || (attributes.batchDims ?? 0) !== 0) return null;
    const [axis] = tf.util.parseAxisParam(attributes.axis as number, x.shape) as [number];
    const extent = x.shape[axis]!;
    const values = backend.integersOf(indices);
    for (let at = 0; at < values.length; at++) {
      const value = values[at]!;
      if (value < 0 || value >= extent) {
        throw badInput(`gather: index ${value} at place ${at} is not below ${extent}, the size of axis ${axis}`);
      }
    }
    const [outer, inner] = [sizeOf(x.shape.slice(0, axis)), sizeOf(x.shape.slice(axis + 1))];
    const shape = [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)];
    const { info, address } = backend.allocate(shape, x.dtype);
    const count = values.length;
    const operands = { table: backend.addressOf(x), indices: backend.addressOf(indices), to: address };
    backend.compute(outer * count * inner, 'gatherRows', { ...operands, outer, extent, count, inner });
    return info;
  },
};

/** Rows of x summed by segment; ids outside 0 … segments - 1 are left out. */
const segmentSum: OwnKernel = {
  name: 'UnsortedSegmentSum',
  compute(call) {
    const { backend, attributes } = call;
    const x = input(call, 'x');
    const ids = input(call, 'segmentIds');
    const segments = attributes.numSegments as number;
    if (!isFloat(x) || ids.dtype !== 'int32' || ids.shape.length !== 1) return null;
    const rows = ids.shape[0]!;
    const columns = sizeOf(x.shape.slice(1));
    const { info, address } = backend.allocate([segments, ...x.shape.slice(1)], 'float32');
    const operands = [backend.addressOf(x), backend.addressOf(ids), address] as const;
    backend.compute((rows + segments) * columns, 'segmentSum', ...operands, rows, segments, columns);
    return info;
  },
};

export const rowKernels: readonly OwnKernel[] = [gather, segmentSum];
