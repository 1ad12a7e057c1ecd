import type { KernelParameters } from '../calls/kernels.ts';
import type { ChebyshevFilter } from '#workers/math/sparse/chebyshevFilter.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import { choleskyOfFour, inverseOfFour, productOfFour } from './fourByFour.ts';
import type { NumericScope } from '../threads/numericThreads.ts';

/** Columns of a block. */
export const BLOCK = 4;
const TILE = BLOCK * BLOCK;
/** Below this many rows times blocks, waking the threads takes longer than the work: about 40 µs on one of them. */
const SHARED_TILES = 12_000;

/** A symmetric matrix (size, size), as the Lanczos process sees it. */
export interface SymmetricOperator {
  readonly size: number;
  /** y = alpha A x + beta x + gamma z for blocks (size, 4) of doubles in the heap; z may be y. */
  recur(coefficients: readonly [alpha: number, beta: number, gamma: number], x: number, z: number, y: number): void;
}

/**
 * A block Lanczos process with full orthogonalisation: an orthonormal basis V of blocks (size, 4) in the heap and the
 * projection T = V' f(A) V of a polynomial f. Each new block is freed of the last two and then of all; what that took is T's column.
 */
export class BlockLanczos {
  /** Products of A with one vector so far. */
  products = 0;
  /** Orthonormal blocks; the last one has not been multiplied yet. */
  blocks = 0;
  /** (4 capacity, 4 capacity) Symmetric; valid for all blocks but the last. */
  readonly projection: Float64Array;
  /** What couples the last block to the one before it: (4, 4). */
  coupling: Float64Array = new Float64Array(TILE);
  readonly #operator: SymmetricOperator;
  readonly #scope: NumericScope;
  readonly #generator: RandomGenerator;
  readonly #capacity: number;
  readonly #basis: number;
  readonly #spare: number;
  readonly #sums: number;
  readonly #coefficients: number;
  /** Right after a start or restart the local pass has nothing to go by: two full passes. */
  #fresh = true;

  constructor(scope: NumericScope, operator: SymmetricOperator, capacity: number, generator: RandomGenerator) {
    this.#scope = scope;
    this.#operator = operator;
    this.#generator = generator;
    this.#capacity = capacity;
    this.projection = new Float64Array((BLOCK * capacity) ** 2);
    this.#basis = scope.reserve(this.blockBytes * (capacity + 1));
    this.#spare = scope.reserve(this.blockBytes);
    this.#sums = scope.reserve(8 * TILE * (capacity + 1) * scope.threads.kernels.lanes);
    this.#coefficients = scope.reserve(8 * TILE * (capacity + 1));
  }

  get blockBytes(): number {
    return 8 * BLOCK * this.#operator.size;
  }

  /** Columns that the projection is valid for. */
  get columns(): number {
    return BLOCK * (this.blocks - 1);
  }

  get isFull(): boolean {
    return this.blocks > this.#capacity;
  }

  address(block: number): number {
    return this.#basis + block * this.blockBytes;
  }

  /** Begins with a random block; what is in the basis up to `kept` blocks stays. */
  addRandomBlock(): void {
    const at = this.address(this.blocks);
    this.#fillRandom(this.#scope.doubles(at, BLOCK * this.#operator.size), [0, 1, 2, 3]);
    this.#orthogonaliseFully(at);
    this.#orthogonaliseFully(at);
    this.#normalise(at);
    this.coupling = new Float64Array(TILE);
    this.blocks += 1;
    this.#fresh = true;
  }

  /** Multiplies the last block by f(A) (`sign` A, filtered), and appends what is new in it. */
  step(sign: 1 | -1, filter: ChebyshevFilter): void {
    const last = this.blocks - 1;
    const next = this.address(this.blocks);
    this.#applyFilter(sign, filter, this.address(last), next);
    const taken = new Float64Array(TILE * this.blocks);
    if (!this.#fresh) this.#takeOut(Math.max(0, last - 1), next, taken);
    this.#takeOut(0, next, taken);
    if (this.#fresh) this.#takeOut(0, next, taken);
    this.#fresh = false;
    this.#record(last, taken);
    this.coupling = this.#normalise(next);
    this.blocks += 1;
  }

  /** `to` (size, 4) blocks = V times `coefficients` (columns, width) row-major, width a multiple of 4. */
  combine(coefficients: (row: number, column: number) => number, width: number, to: number): void {
    const count = this.blocks - 1;
    const blocks = width / BLOCK;
    const scope = this.#scope.threads.scope();
    try {
      const tiles = scope.reserve(8 * TILE * count * blocks);
      const values = scope.doubles(tiles, TILE * count * blocks);
      let at = 0;
      for (let block = 0; block < blocks; block++) {
        for (let row = 0; row < BLOCK * count; row++) {
          for (let column = 0; column < BLOCK; column++) values[at++] = coefficients(row, BLOCK * block + column);
        }
      }
      this.#run('combineBlocks', count * blocks, this.#basis, this.#operator.size, count, tiles, blocks, to);
    } finally {
      scope.release();
    }
  }

  /** Begins anew with orthonormal blocks at `from`, of which `values` are the eigenvalues in the projection; `keepLast`: and the last block. */
  restart(from: number, values: Float64Array, keepLast: Float64Array | null): void {
    const kept = values.length / BLOCK;
    const bytes = (address: number, length: number) =>
      new Uint8Array(this.#scope.threads.heap.memory.buffer, address, length);
    const last = keepLast === null ? null : bytes(this.address(this.blocks - 1), this.blockBytes).slice();
    bytes(this.#basis, kept * this.blockBytes).set(bytes(from, kept * this.blockBytes));
    this.projection.fill(0);
    const order = BLOCK * this.#capacity;
    for (let i = 0; i < values.length; i++) this.projection[i * order + i] = values[i]!;
    this.blocks = kept;
    if (last === null) {
      this.addRandomBlock();
      return;
    }
    bytes(this.address(kept), this.blockBytes).set(last);
    this.blocks += 1;
    this.#fresh = true;
  }

  /** Replaces everything by one block at `from`, made orthonormal. */
  startFrom(from: number): void {
    const source = this.#scope.doubles(from, BLOCK * this.#operator.size);
    this.#scope.doubles(this.#basis, BLOCK * this.#operator.size).set(source);
    this.projection.fill(0);
    this.blocks = 0;
    this.#normalise(this.#basis);
    this.blocks = 1;
    this.#fresh = true;
  }

  /** The (columns, columns) projection as an array of its own. */
  projected(): Float64Array {
    const [size, order] = [this.columns, BLOCK * this.#capacity];
    const copy = new Float64Array(size * size);
    for (let row = 0; row < size; row++)
      copy.set(this.projection.subarray(row * order, row * order + size), row * size);
    return copy;
  }

  /** Norm of the part of f(A) y outside the basis, for a unit Ritz vector y with the given last components. */
  residual(lastComponents: Float64Array): number {
    let square = 0;
    for (let row = 0; row < BLOCK; row++) {
      let sum = 0;
      for (let i = 0; i < BLOCK; i++) sum += this.coupling[row * BLOCK + i]! * lastComponents[i]!;
      square += sum * sum;
    }
    return Math.sqrt(square);
  }

  /** Diagonal of x' y of two blocks. */
  inner(x: number, y: number): Float64Array {
    const sums = this.#project(x, 1, y);
    return Float64Array.from({ length: BLOCK }, (_, i) => sums[i * BLOCK + i]!);
  }

  #applyFilter(sign: 1 | -1, { degree, centre, radius }: ChebyshevFilter, x: number, out: number): void {
    let [before, now] = [x, x];
    for (let step = 1; step <= degree; step++) {
      const to = (degree - step) % 2 === 0 ? out : this.#spare;
      const scale = step === 1 ? 1 / radius : 2 / radius;
      this.#operator.recur([sign * scale, -scale * centre, step === 1 ? 0 : -1], now, before, to);
      before = now;
      now = to;
    }
    this.products += BLOCK * degree;
  }

  /** Frees the block at `w` of all blocks from `first` on, adding the coefficients to `taken`. */
  #takeOut(first: number, w: number, taken: Float64Array): void {
    const count = this.blocks - first;
    const sums = this.#project(this.address(first), count, w);
    for (let i = 0; i < sums.length; i++) taken[TILE * first + i]! += sums[i]!;
    this.#scope.doubles(this.#coefficients, sums.length).set(sums);
    this.#run('subtractBlocks', count, this.address(first), this.#operator.size, count, w, this.#coefficients);
  }

  #orthogonaliseFully(w: number): void {
    if (this.blocks > 0) this.#takeOut(0, w, new Float64Array(TILE * this.blocks));
  }

  /** (count, 4, 4) Products of the transposed blocks with w, added over lanes in their order. */
  #project(blocks: number, count: number, w: number): Float64Array {
    const lanes = this.#run('projectBlocks', count, blocks, this.#operator.size, count, w, this.#sums);
    const all = this.#scope.doubles(this.#sums, lanes * count * TILE);
    const sums = all.slice(0, count * TILE);
    for (let lane = 1; lane < lanes; lane++) {
      for (let i = 0; i < sums.length; i++) sums[i]! += all[lane * sums.length + i]!;
    }
    return sums;
  }

  /** Column block `last` of the projection, and the same as a row. */
  #record(last: number, taken: Float64Array): void {
    const order = BLOCK * this.#capacity;
    for (let row = 0; row < BLOCK * (last + 1); row++) {
      for (let column = 0; column < BLOCK; column++) {
        const value = taken[row * BLOCK + column]!;
        const mirrored = BLOCK * last + column;
        this.projection[row * order + mirrored] = value;
        this.projection[mirrored * order + row] = value;
      }
    }
    for (let a = 0; a < BLOCK; a++) {
      for (let b = 0; b < a; b++) {
        const mean = (taken[(BLOCK * last + a) * BLOCK + b]! + taken[(BLOCK * last + b) * BLOCK + a]!) / 2;
        this.projection[(BLOCK * last + a) * order + BLOCK * last + b] = mean;
        this.projection[(BLOCK * last + b) * order + BLOCK * last + a] = mean;
      }
    }
  }

  /**
   * Makes the block at `w` orthonormal, twice by Cholesky, and returns R of w = q R. Columns that depend on the others, or are
   * nothing but rounding, become random ones, orthogonal to the basis, with zero rows in R.
   */
  #normalise(w: number): Float64Array {
    let r = productOfFour(this.#cholesky(w), identityOfFour());
    for (let pass = 0; pass < 2; pass++) r = productOfFour(this.#cholesky(w), r);
    return r;
  }

  #cholesky(w: number): Float64Array {
    const gram = this.#project(w, 1, w);
    const { factor, deficient } = choleskyOfFour(gram);
    const inverse = inverseOfFour(factor, deficient);
    this.#scope.doubles(this.#coefficients, TILE).set(inverse);
    this.#run('combineBlocks', 1, w, this.#operator.size, 1, this.#coefficients, 1, w);
    if (deficient.length > 0) {
      this.#fillRandom(this.#scope.doubles(w, BLOCK * this.#operator.size), deficient);
      this.#orthogonaliseFully(w);
      this.#orthogonaliseFully(w);
      for (const row of deficient) factor.fill(0, row * BLOCK, (row + 1) * BLOCK);
    }
    return factor;
  }

  #fillRandom(values: Float64Array, columns: readonly number[]): void {
    const scale = Math.sqrt(12 / this.#operator.size);
    for (let row = 0; row < values.length; row += BLOCK) {
      for (const column of columns) values[row + column] = scale * (this.#generator.nextFloat() - 0.5);
    }
  }

  /** On all lanes, or on one where `tiles` products of (4, 4) a row are too little to be shared; returns how many. */
  #run<Name extends 'combineBlocks' | 'projectBlocks' | 'subtractBlocks'>(
    name: Name,
    tiles: number,
    ...parameters: KernelParameters<Name>
  ): number {
    const { kernels } = this.#scope.threads;
    if (tiles * this.#operator.size < SHARED_TILES) {
      kernels.runAlone(name, ...parameters);
      return 1;
    }
    kernels.run(name, ...parameters);
    return kernels.lanes;
  }
}

function identityOfFour(): Float64Array {
  return Float64Array.from({ length: TILE }, (_, i) => (i % (BLOCK + 1) === 0 ? 1 : 0));
}
