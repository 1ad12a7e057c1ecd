import type { KernelParameters } from '../calls/kernels.ts';
import { type SymmetricEigen, sortEigenpairs } from '#workers/math/dense/symmetricEigen.ts';
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

/** A symmetric matrix brought to tridiagonal form in the heap; asked for its eigenpairs once. */
export class ReducedMatrix {
  readonly #scope: NumericScope;
  readonly #n: number;
  readonly #matrix: number;
  readonly #taus: number;
  readonly #form: TridiagonalForm;

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
    const address = this.#scope.reserve(8 * n * n);
    const vectors = this.#scope.doubles(address, n * n).fill(0);
    for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
    const values = this.#rotate(address, n);
    this.#reflect(n, { tracked: address, rows: n, ascending: 0 });
    return sortEigenpairs(values, vectors, n);
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

  /** Eigenvalues of the tridiagonal form; its rotations go to the rows at `vectors` (n, width). */
  #rotate(vectors: number, width: number): Float64Array {
    const { diagonal, below } = this.#form;
    const capacity = Math.max(2 * this.#n, Math.min(ROTATIONS_AT_ONCE, this.#n * this.#n));
    const gathered = this.#scope.reserve(16 * capacity);
    const sweeps = this.#scope.reserve(8 * capacity);
    const [pairs, ranges] = [this.#scope.doubles(gathered, 2 * capacity), this.#scope.words(sweeps, 2 * capacity)];
    let [count, sweepCount] = [0, 0];
    const apply = () => {
      if (sweepCount > 0) this.#run('rotateRows', width, vectors, width, sweeps, sweepCount, gathered);
      count = 0;
      sweepCount = 0;
    };
    tridiagonalEigen(diagonal, below, (top, turns, rotations) => {
      if (count + turns > capacity) apply();
      pairs.set(rotations.subarray(0, 2 * turns), 2 * count);
      ranges[2 * sweepCount] = top;
      ranges[2 * sweepCount + 1] = turns;
      count += turns;
      sweepCount += 1;
    });
    apply();
    return diagonal;
  }

  /** Applies all reflectors to `rows` rows at `tracked`; `size` says whether that is worth all threads. */
  #reflect(size: number, by: { tracked: number; rows: number; ascending: number }): void {
    const n = this.#n;
    this.#run('reflectRows', size, { ...by, size: n, reflectors: this.#matrix, taus: this.#taus, count: n });
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
