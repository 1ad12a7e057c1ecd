export interface SingularValues {
  /** (n) Largest first. */
  values: Float64Array;
  /** (n, n) Row i is the left, unit, vector of value i; orthonormal also where values are zero. */
  left: Float64Array;
  /** (n, n) Row i is the right, unit, vector of value i. */
  right: Float64Array;
}

const MOST_SWEEPS = 60;

/**
 * The singular value decomposition of a square row-major `matrix` (n, n) by one-sided Jacobi rotations (Hestenes 1958), which
 * find small singular values as exactly as large ones.
 */
export function singularValues(matrix: Float64Array, n: number): SingularValues {
  // rows are rotated instead of columns, so that they lie together: of the transpose
  const work = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) work[j * n + i] = matrix[i * n + j]!;
  const right = new Float64Array(n * n);
  for (let i = 0; i < n; i++) right[i * n + i] = 1;
  for (let sweep = 0; sweep < MOST_SWEEPS && rotateAll(work, right, n); sweep++);
  const lengths = Float64Array.from({ length: n }, (_, row) => Math.sqrt(along(work, row * n, row * n, n)));
  const order = Array.from(lengths.keys()).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const found: SingularValues = {
    values: Float64Array.from(order, (from) => lengths[from]!),
    left: new Float64Array(n * n),
    right: new Float64Array(n * n),
  };
  const smallest = (found.values[0] ?? 0) * n * Number.EPSILON;
  for (const [to, from] of order.entries()) {
    found.right.set(right.subarray(from * n, (from + 1) * n), to * n);
    if (lengths[from]! > smallest) {
      for (let i = 0; i < n; i++) found.left[to * n + i] = work[from * n + i]! / lengths[from]!;
    } else {
      completeRow(found.left, to, n);
    }
  }
  return found;
}

/** One sweep over all pairs of rows; whether any was turned. */
function rotateAll(work: Float64Array, right: Float64Array, n: number): boolean {
  let turned = false;
  for (let p = 0; p < n - 1; p++) {
    for (let q = p + 1; q < n; q++) {
      const [a, b] = [along(work, p * n, p * n, n), along(work, q * n, q * n, n)];
      const c = along(work, p * n, q * n, n);
      if (Math.abs(c) <= Number.EPSILON * Math.sqrt(a * b)) continue;
      turned = true;
      const zeta = (b - a) / (2 * c);
      const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
      const cosine = 1 / Math.hypot(1, tangent);
      turn(work, p * n, q * n, n, cosine, cosine * tangent);
      turn(right, p * n, q * n, n, cosine, cosine * tangent);
    }
  }
  return turned;
}

function turn(values: Float64Array, p: number, q: number, n: number, cosine: number, sine: number): void {
  for (let i = 0; i < n; i++) {
    const [x, y] = [values[p + i]!, values[q + i]!];
    values[p + i] = cosine * x - sine * y;
    values[q + i] = sine * x + cosine * y;
  }
}

function along(values: Float64Array, a: number, b: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[a + i]! * values[b + i]!;
  return sum;
}

/** Fills a row so that it is a unit vector, orthogonal to all rows before it. */
function completeRow(rows: Float64Array, row: number, n: number): void {
  for (let axis = 0; axis < n; axis++) {
    const candidate = new Float64Array(n);
    candidate[axis] = 1;
    // twice: what rounding leaves of the first time
    for (let time = 0; time < 2; time++) {
      for (let before = 0; before < row; before++) {
        let product = 0;
        for (let i = 0; i < n; i++) product += candidate[i]! * rows[before * n + i]!;
        for (let i = 0; i < n; i++) candidate[i]! -= product * rows[before * n + i]!;
      }
    }
    const length = Math.sqrt(along(candidate, 0, 0, n));
    // one of the axes keeps at least this much, for their squares sum up to n - row
    if (length * length < (n - row) / (2 * n)) continue;
    for (let i = 0; i < n; i++) rows[row * n + i] = candidate[i]! / length;
    return;
  }
}
