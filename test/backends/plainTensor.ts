/** A tensor of doubles: the slow reference implementations of the suite compute on these, one element at a time. */
export interface PlainTensor {
  shape: readonly number[];
  values: Float64Array;
}

export function plainSize(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

/** The tensor of `shape` whose element at each place is `valueAt(place)`. */
export function plain(shape: readonly number[], valueAt: (place: number[]) => number): PlainTensor {
  const values = new Float64Array(plainSize(shape));
  const place = shape.map(() => 0);
  for (let index = 0; index < values.length; index++) {
    values[index] = valueAt(place);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place[axis]! += 1;
      if (place[axis]! < shape[axis]!) break;
      place[axis] = 0;
    }
  }
  return { shape, values };
}

/** The element at `place`, whose last coordinates are the tensor's; a dimension of 1 is repeated, as numpy does. */
export function at({ shape, values }: PlainTensor, place: readonly number[]): number {
  let index = 0;
  for (const [axis, extent] of shape.entries()) {
    const coordinate = place[place.length - shape.length + axis]!;
    index = index * extent + (extent === 1 ? 0 : coordinate);
  }
  return values[index]!;
}

export function broadcastShape(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const [left, right] = [a[axis - rank + a.length] ?? 1, b[axis - rank + b.length] ?? 1];
    return left === 1 ? right : left;
  });
}

export function mapPlain(x: PlainTensor, map: (value: number) => number): PlainTensor {
  return { shape: x.shape, values: x.values.map(map) };
}

export function combinePlain(a: PlainTensor, b: PlainTensor, map: (x: number, y: number) => number): PlainTensor {
  return plain(broadcastShape(a.shape, b.shape), (place) => map(at(a, place), at(b, place)));
}

/** Products of the last two dimensions; those before are broadcast. */
export function multiplyPlain(a: PlainTensor, b: PlainTensor, transposeA: boolean, transposeB: boolean): PlainTensor {
  const [rows, depth] = a.shape.slice(-2).toSorted(() => (transposeA ? -1 : 0)) as [number, number];
  const columns = b.shape.at(transposeB ? -2 : -1)!;
  const outer = broadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
  return plain([...outer, rows, columns], (place) => {
    const [x, y] = [matrixOf(a, place.slice(0, -2)), matrixOf(b, place.slice(0, -2))];
    const [row, column] = place.slice(-2) as [number, number];
    let sum = 0;
    for (let p = 0; p < depth; p++) {
      sum +=
        x[transposeA ? p * rows + row : row * depth + p]! * y[transposeB ? column * depth + p : p * columns + column]!;
    }
    return sum;
  });
}

/** The matrix of the last two dimensions at a place of those before. */
function matrixOf({ shape, values }: PlainTensor, before: readonly number[]): Float64Array {
  const size = plainSize(shape.slice(-2));
  let index = 0;
  for (const [axis, extent] of shape.slice(0, -2).entries()) {
    const coordinate = before[before.length - (shape.length - 2) + axis]!;
    index = index * extent + (extent === 1 ? 0 : coordinate);
  }
  return values.subarray(index * size, (index + 1) * size);
}

/** `join` over the given axes, which become 1 or go away. */
export function reducePlain(
  x: PlainTensor,
  axes: readonly number[],
  { first, join, keeps = false }: { first: number; join: (a: number, b: number) => number; keeps?: boolean },
): PlainTensor {
  const kept = x.shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  const result = plain(kept, () => first);
  plain(x.shape, (place) => {
    let index = 0;
    for (const [axis, extent] of kept.entries()) index = index * extent + (extent === 1 ? 0 : place[axis]!);
    result.values[index] = join(result.values[index]!, at(x, place));
    return 0;
  });
  return { shape: keeps ? kept : x.shape.filter((_, axis) => !axes.includes(axis)), values: result.values };
}

/** Softmax along the last dimension. */
export function softmaxPlain(x: PlainTensor): PlainTensor {
  const axes = [x.shape.length - 1];
  const greatest = reducePlain(x, axes, { first: Number.NEGATIVE_INFINITY, join: Math.max, keeps: true });
  const powers = combinePlain(x, greatest, (a, b) => Math.exp(a - b));
  const totals = reducePlain(powers, axes, { first: 0, join: (a, b) => a + b, keeps: true });
  return combinePlain(powers, totals, (a, b) => a / b);
}
