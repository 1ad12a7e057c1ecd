import type { KernelParameters } from '../calls/kernels.ts';
import { eigenvectorSign, type SymmetricEigen, sortEigenpairs } from '#workers/math/dense/symmetricEigen.ts';
import { tridiagonalEigen } from '#workers/math/dense/tridiagonalEigen.ts';
import { type TridiagonalForm, tridiagonalForm } from '#workers/math/dense/tridiagonalForm.ts';
import type { NumericScope, NumericThreads } from '../threads/numericThreads.ts';

/** Rotations gathered before they are applied: what makes the eigenvectors pass through the cache once for many sweeps. */
const ROTATIONS_AT_ONCE = 1 << 17;
/** Below this size threads cost more than they bring. */
const PARALLEL_SIZE = 300;

/** All eigenpairs of a full symmetric row-major `matrix` (n, n). Reference implementation: `workers/math/dense/symmetricEigen.ts`. */
export function denseSymmetricEigen(threads: NumericThreads, matrix: Float64Array, n: number): SymmetricEigen {
  const scope = threads.scope();
  try {
    const reduced = new ReducedMatrix(scope, matrix, n);
    return reduced.eigenpairs();
  } finally {
    scope.release();
  }
}

/** Sweeps of rotations in the heap that turn the tridiagonal form's eigenvectors from those of the identity. */
interface GatheredRotations {
  pairs: number;
  ranges: number;
  sweeps: number;
  values: Float64Array;
}

/** A symmetric matrix brought to tridiagonal form in the heap, to be asked for what is needed of its eigenpairs. */
export class ReducedMatrix {
  readonly #scope: NumericScope;
  readonly #n: number;
  readonly #matrix: number;
  readonly #taus: number;
  readonly #form: TridiagonalForm;
  /** Of the whole iteration, which is then not made again. */
  #gathered: GatheredRotations | null = null;

  constructor(scope: NumericScope, matrix: Float64Array, n: number) {
    this.#scope = scope;
    this.#n = n;
    this.#matrix = scope.place(matrix);
    this.#taus = scope.reserve(8 * n);
    const work = scope.reserve(8 * n);
    const row = (index: number) => this.#matrix + 8 * n * index;
    this.#form = tridiagonalForm(
      scope.doubles(this.#matrix, n * n),
      scope.doubles(this.#taus, n),
      scope.doubles(work, n),
      {
        product: (from, reflector) =>
          this.#run('trailingProduct', n - from, this.#matrix, n, n, from, row(reflector), work),
        update: (from, reflector) =>
          this.#run('trailingUpdate', n - from, this.#matrix, n, n, from, row(reflector), work),
      },
    );
  }

  eigenpairs(): SymmetricEigen {
    const n = this.#n;
    const { address, vectors, values } = this.#ofTridiagonal();
    this.#reflect(n, { tracked: address, rows: n, ascending: 0 });
    return sortEigenpairs(values, vectors, n);
  }

  /** The `count` greatest values and their eigenvectors, (count, n), the greatest first. */
  greatest(count: number): SymmetricEigen {
    const n = this.#n;
    const { vectors, values } = this.#ofTridiagonal();
    const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]! || b - a);
    const address = this.#scope.reserve(8 * count * n);
    const chosen = this.#scope.doubles(address, count * n);
    for (let i = 0; i < count; i++) chosen.set(vectors.subarray(order[i]! * n, (order[i]! + 1) * n), i * n);
    this.#reflect(n, { tracked: address, rows: count, ascending: 0 });
    for (let i = 0; i < count; i++) {
      const vector = chosen.subarray(i * n, (i + 1) * n);
      if (eigenvectorSign(vector, 1) < 0) for (let at = 0; at < n; at++) vector[at] = -vector[at]!;
    }
    return { values: Float64Array.from({ length: count }, (_, i) => values[order[i]!]!), vectors: chosen.slice() };
  }

  /** Values, ascending, and the last `width` components of their eigenvectors, (n, width): all that residuals need. */
  lastComponents(width: number): SymmetricEigen {
    const n = this.#n;
    const tracked = this.#scope.reserve(8 * width * n);
    const rows = this.#scope.doubles(tracked, width * n).fill(0);
    for (let i = 0; i < width; i++) rows[i * n + n - width + i] = 1;
    this.#reflect(0, { tracked, rows: width, ascending: 1 });
    const address = this.#scope.reserve(8 * width * n);
    const columns = this.#scope.doubles(address, width * n);
    for (let i = 0; i < width; i++) for (let j = 0; j < n; j++) columns[j * width + i] = rows[i * n + j]!;
    const values = this.#rotate(address, width);
    return sortEigenpairs(values, columns, width);
  }

  /** Eigenpairs of the tridiagonal form, unsorted. */
  #ofTridiagonal(): { address: number; vectors: Float64Array; values: Float64Array } {
    const n = this.#n;
    const address = this.#scope.reserve(8 * n * n);
    const vectors = this.#scope.doubles(address, n * n).fill(0);
    for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
    return { address, vectors, values: this.#rotate(address, n) };
  }

  /** Eigenvalues of the tridiagonal form; its rotations go to the rows at `vectors` (n, width). */
  #rotate(vectors: number, width: number): Float64Array {
    if (this.#gathered !== null) {
      const { pairs, ranges, sweeps, values } = this.#gathered;
      this.#run('rotateRows', width, vectors, width, ranges, sweeps, pairs);
      return values;
    }
    const [diagonal, below] = [this.#form.diagonal.slice(), this.#form.below.slice()];
    const capacity = Math.max(2 * this.#n, Math.min(ROTATIONS_AT_ONCE, this.#n * this.#n));
    const at = { pairs: this.#scope.reserve(16 * capacity), ranges: this.#scope.reserve(8 * capacity) };
    const [pairs, ranges] = [this.#scope.doubles(at.pairs, 2 * capacity), this.#scope.words(at.ranges, 2 * capacity)];
    let [count, sweeps, isWhole] = [0, 0, true];
    const apply = () => {
      if (sweeps > 0) this.#run('rotateRows', width, vectors, width, at.ranges, sweeps, at.pairs);
    };
    tridiagonalEigen(diagonal, below, (top, turns, rotations) => {
      if (count + turns > capacity) {
        apply();
        [count, sweeps, isWhole] = [0, 0, false];
      }
      pairs.set(rotations.subarray(0, 2 * turns), 2 * count);
      ranges[2 * sweeps] = top;
      ranges[2 * sweeps + 1] = turns;
      count += turns;
      sweeps += 1;
    });
    apply();
    if (isWhole) this.#gathered = { ...at, sweeps, values: diagonal };
    return diagonal;
  }

  /** Applies all reflectors to `rows` rows at `tracked`; `size` says whether that is worth all threads. */
  #reflect(size: number, by: { tracked: number; rows: number; ascending: number }): void {
    const n = this.#n;
    const { tracked, rows, ascending } = by;
    const [reflectors, taus] = [this.#matrix, this.#taus];
    this.#run('reflectRows', size, { tracked, rows, size: n, reflectors, taus, count: n, ascending });
  }

  #run<Name extends 'trailingProduct' | 'trailingUpdate' | 'reflectRows' | 'rotateRows'>(
    name: Name,
    size: number,
    ...parameters: KernelParameters<Name>
  ): void {
    const { kernels } = this.#scope.threads;
    if (size < PARALLEL_SIZE) kernels.runAlone(name, ...parameters);
    else kernels.run(name, ...parameters);
  }
}
