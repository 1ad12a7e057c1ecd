import { tf } from '#workers/tensor/tf.ts';
import type { OperationCase } from './operationCase.ts';
import { at, plain, type PlainTensor } from './plainTensor.ts';

function transposeOf(shape: readonly number[], permutation: number[]): OperationCase {
  return {
    name: `transpose [${shape}] as ${permutation}`,
    shapes: [shape],
    compute: (x) => tf.transpose(x!, permutation),
    reference: (x) =>
      plain(
        permutation.map((axis) => shape[axis]!),
        (place) =>
          at(
            x!,
            shape.map((_, axis) => place[permutation.indexOf(axis)]!),
          ),
      ),
  };
}

function sliceOf(shape: readonly number[], begin: number[], size: number[]): OperationCase {
  return {
    name: `slice [${shape}] from ${begin} of ${size}`,
    shapes: [shape],
    compute: (x) => tf.slice(x!, begin, size),
    reference: (x) =>
      plain(size, (place) =>
        at(
          x!,
          place.map((coordinate, axis) => coordinate + begin[axis]!),
        ),
      ),
  };
}

function concatOf(shapes: readonly (readonly number[])[], axis: number): OperationCase {
  const extents = shapes.map((shape) => shape[axis]!);
  const whole = shapes[0]!.with(
    axis,
    extents.reduce((sum, extent) => sum + extent, 0),
  );
  const reference = (...x: PlainTensor[]) =>
    plain(whole, (place) => {
      let [which, rest] = [0, place[axis]!];
      while (rest >= extents[which]!) rest -= extents[which++]!;
      return at(x[which]!, place.with(axis, rest));
    });
  return {
    name: `concat ${shapes.map((shape) => `[${shape}]`).join(' ')} at ${axis}`,
    shapes,
    compute: (...x) => tf.concat(x, axis),
    reference,
  };
}

function gatherOf(shape: readonly number[], indices: number[], axis: number): OperationCase {
  return {
    name: `gather [${shape}] at ${indices} of axis ${axis}`,
    shapes: [shape],
    compute: (x) => tf.gather(x!, tf.tensor1d(indices, 'int32'), axis),
    reference: (x) =>
      plain(shape.with(axis, indices.length), (place) => at(x!, place.with(axis, indices[place[axis]!]!))),
  };
}

function segmentsOf(shape: readonly number[], ids: number[], segments: number): OperationCase {
  return {
    name: `segment sums of [${shape}] by ${ids.slice(0, 9)}`,
    shapes: [shape],
    terms: ids.length,
    compute: (x) => tf.unsortedSegmentSum(x!, tf.tensor1d(ids, 'int32'), segments),
    reference: (x) => {
      const sums = plain(shape.with(0, segments), () => 0);
      const columns = x!.values.length / ids.length;
      for (const [row, id] of ids.entries()) {
        for (let c = 0; c < columns; c++) sums.values[id * columns + c]! += x!.values[row * columns + c]!;
      }
      return sums;
    },
  };
}

const repeated = (count: number, period: number) => Array.from({ length: count }, (_, n) => (n * n) % period);

export const LAYOUT_CASES: readonly OperationCase[] = [
  transposeOf([3, 5], [1, 0]),
  transposeOf([2, 3, 4], [0, 2, 1]),
  transposeOf([2, 3, 4], [2, 0, 1]),
  transposeOf([2, 3, 2, 5], [0, 2, 1, 3]),
  transposeOf([2, 3, 2, 2, 2], [4, 2, 0, 3, 1]),
  transposeOf([1, 4], [1, 0]),
  sliceOf([5, 7], [1, 2], [3, 4]),
  sliceOf([5, 7], [2, 0], [2, 7]),
  sliceOf([2, 3, 4], [0, 1, 2], [2, 2, 1]),
  concatOf(
    [
      [2, 3],
      [4, 3],
    ],
    0,
  ),
  concatOf(
    [
      [3, 2],
      [3, 5],
      [3, 1],
    ],
    1,
  ),
  concatOf(
    [
      [3, 0],
      [3, 5],
    ],
    1,
  ),
  gatherOf([5, 3], [4, 0, 4, 2], 0),
  gatherOf([3, 5], [1, 1, 4], 1),
  segmentsOf([6, 3], [2, 0, 2, 4, 2, 0], 5),
  {
    name: 'stack at 1',
    shapes: [
      [3, 4],
      [3, 4],
    ],
    compute: (...x) => tf.stack(x, 1),
    reference: (...x) => plain([3, 2, 4], ([row, which, column]) => at(x[which!]!, [row!, column!])),
  },
  {
    name: 'tile [2,3] by 2,3',
    shapes: [[2, 3]],
    compute: (x) => tf.tile(x!, [2, 3]),
    reference: (x) => plain([4, 9], ([row, column]) => at(x!, [row! % 2, column! % 3])),
  },
  {
    name: 'reshape [4,6] to [3,8]',
    shapes: [[4, 6]],
    compute: (x) => tf.reshape(x!, [3, 8]),
    reference: (x) => ({ shape: [3, 8], values: x!.values }),
  },
  {
    name: 'unstacked along the middle',
    shapes: [[2, 3, 4]],
    compute: (x) => tf.add(tf.unstack(x!, 1)[2]!, tf.mul(tf.unstack(x!, 1)[0]!, 2)),
    reference: (x) => plain([2, 4], ([row, column]) => at(x!, [row!, 2, column!]) + 2 * at(x!, [row!, 0, column!])),
  },
  {
    name: 'split in parts of different sizes',
    shapes: [[6, 3]],
    compute: (x) => tf.split(x!, [1, 3, 2])[1]!,
    reference: (x) => plain([3, 3], ([row, column]) => at(x!, [row! + 1, column!])),
  },
  {
    name: 'split and joined the other way round',
    shapes: [[3, 8]],
    compute: (x) => tf.concat(tf.split(x!, 2, 1).toReversed(), 1),
    reference: (x) => plain([3, 8], ([row, column]) => at(x!, [row!, (column! + 4) % 8])),
  },
];

export const FORWARD_LAYOUT_CASES: readonly OperationCase[] = [
  transposeOf([503, 131], [1, 0]),
  transposeOf([17, 51, 5, 16], [0, 2, 1, 3]),
  transposeOf([0, 3], [1, 0]),
  sliceOf([603, 131], [90, 1], [501, 129]),
  gatherOf([300, 65], repeated(1001, 300), 0),
  segmentsOf([1001, 65], repeated(1001, 37), 60),
  {
    name: 'as integers and back',
    shapes: [[13, 7]],
    compute: (x) => tf.cast(tf.cast(tf.mul(x!, 10), 'int32'), 'float32'),
    reference: (x) => plain([13, 7], (place) => Math.trunc(Math.fround(at(x!, place) * 10))),
  },
  {
    name: 'filled',
    shapes: [[3, 5]],
    compute: (x) => tf.addN([tf.fill([3, 5], 0.5), tf.zerosLike(x!), tf.onesLike(x!)]),
    reference: () => plain([3, 5], () => 1.5),
  },
];
