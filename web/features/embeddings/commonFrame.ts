/** Share of the points beyond each end of the frame: a few far away would leave no room for the others. */
const OUTSIDE = 0.0025;

/**
 * (rows, 3) Places of one or several sets of points about the middle of the first, all scaled alike, so that nearly all of the
 * first lie within 1 of it along each axis. `width` numbers a point come in, 1 to 3.
 */
export function inCommonFrame(sets: readonly ArrayLike<number>[], width: number): Float32Array<ArrayBuffer>[] {
  const [first = []] = sets;
  const rows = first.length / width;
  const middle = new Float64Array(width);
  let reach = 0;
  for (let axis = 0; axis < width; axis++) {
    const along = Float64Array.from({ length: rows }, (_, row) => first[row * width + axis]!).sort();
    const low = along[Math.floor(rows * OUTSIDE)]!;
    const high = along[rows - 1 - Math.floor(rows * OUTSIDE)]!;
    middle[axis] = (low + high) / 2;
    reach = Math.max(reach, (high - low) / 2);
  }
  const scale = 1 / (reach || 1);
  return sets.map((set) => {
    const placed = new Float32Array((set.length / width) * 3);
    for (let at = 0; at < set.length; at++) {
      placed[Math.floor(at / width) * 3 + (at % width)] = (set[at]! - middle[at % width]!) * scale;
    }
    return placed;
  });
}
