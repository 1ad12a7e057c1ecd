import { type ChebyshevFilter, chebyshevFilter, filterSlope } from '#workers/math/sparse/chebyshevFilter.ts';
import {
  chosenPairs,
  type EigenpairRequest,
  type Eigenpairs,
  EigenpairsNotConverged,
} from '#workers/math/dense/eigenpairs.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SymmetricEigen } from '#workers/math/dense/symmetricEigen.ts';
import { BLOCK, BlockLanczos, type SymmetricOperator } from './blockLanczos.ts';
import { ReducedMatrix } from './denseSymmetricEigen.ts';
import { measuredPairs } from './measuredPairs.ts';
import type { NumericScope } from '../threads/numericThreads.ts';

/** Blocks of the unfiltered process that measures the spectrum. */
const PROBE_BLOCKS = 12;
/** The filter's interval ends where about this many times the wanted number of eigenvalues are above. */
const KEPT_SHARE = 2.5;
/** The filter's interval is at least this part of the spectrum; spectra with a far outlier have most values in less than a twentieth. */
const LEAST_INTERVAL = 0.01;
const VERIFY_BLOCKS = 4;
const UNFILTERED: ChebyshevFilter = { degree: 1, centre: 0, radius: 1 };
const GROWTH = 1e-7;

type Request = EigenpairRequest & { tolerance: number };
type Stage = 'probe' | 'search' | 'verify';

/** One search for eigenpairs at one end, a block at a time. */
export class EigenSearch {
  readonly #scope: NumericScope;
  readonly #operator: SymmetricOperator;
  readonly #request: Request;
  readonly #lanczos: BlockLanczos;
  readonly #sign: 1 | -1;
  readonly #wanted: number;
  readonly #capacity: number;
  readonly #degree: number;
  readonly #ritz: number;
  #stage: Stage = 'probe';
  #filter = UNFILTERED;
  #bounds: [low: number, cut: number, high: number] = [0, 0, 0];
  #scale = 0;
  #nextCheck = 0;
  #seen: { columns: number; residual: number } | null = null;
  /** (count) Filtered values of the wanted pairs, ascending, before the fresh vectors came. */
  #before = new Float64Array(0);
  #outcome: Eigenpairs | null = null;

  constructor(scope: NumericScope, operator: SymmetricOperator, request: Request, entriesPerRow: number) {
    this.#scope = scope;
    this.#operator = operator;
    this.#request = request;
    this.#sign = request.end === 'largest' ? 1 : -1;
    this.#wanted = BLOCK * Math.ceil(request.count / BLOCK);
    const room = Math.floor((operator.size - 2 * BLOCK) / BLOCK);
    this.#capacity = Math.min(room, this.#wanted + Math.max(32, this.#wanted / 2));
    // Products against orthogonalisation: the fewer entries a row has, the more of them a basis vector may cost.
    this.#degree = entriesPerRow > 180 ? 3 : entriesPerRow > 60 ? 4 : entriesPerRow > 20 ? 6 : 8;
    const generator = randomGenerator(request.seed ?? 0, 'eigenpairs');
    this.#lanczos = new BlockLanczos(scope, operator, this.#capacity, generator);
    this.#ritz = scope.reserve(this.#lanczos.blockBytes * Math.ceil(this.#keptAtRestart() / BLOCK));
    this.#lanczos.addRandomBlock();
  }

  /** Adds a block; true when the search has ended. */
  advance(): boolean {
    this.#lanczos.step(this.#sign, this.#filter);
    if (this.#stage === 'probe') {
      if (this.#lanczos.blocks > PROBE_BLOCKS || this.#lanczos.isFull) this.#beginSearch();
      return false;
    }
    if (this.#lanczos.columns < this.#nextCheck && !this.#lanczos.isFull) return false;
    return this.#check();
  }

  result(): Eigenpairs {
    if (this.#outcome === null) throw new Error('internal: the search for eigenpairs has not ended');
    return this.#outcome;
  }

  /** From the spectrum that the probe shows, chooses the filter; starts with the probe's vectors, freed of what is below the cut. */
  #beginSearch(): void {
    const lanczos = this.#lanczos;
    const size = lanczos.columns;
    const { values, vectors } = this.#reduced((reduced) => reduced.eigenpairs());
    const uncertainty = (i: number) => this.#lanczos.residual(vectors.subarray((i + 1) * size - BLOCK, (i + 1) * size));
    const low = values[0]! - uncertainty(0);
    const high = values[size - 1]! + uncertainty(size - 1);
    this.#scale = Math.max(Math.abs(low), Math.abs(high));
    const target = (KEPT_SHARE * this.#wanted) / this.#operator.size;
    let above = 0;
    let place = size - 1;
    for (; place > 0; place--) {
      let weight = 0;
      for (let i = 0; i < BLOCK; i++) weight += vectors[place * size + i]! ** 2 / BLOCK;
      if (above + weight / 2 > target) break;
      above += weight;
    }
    const cut = Math.min(values[place]!, high - 0.01 * (high - low));
    this.#chooseFilter([low, Math.max(cut, low + LEAST_INTERVAL * (high - low)), high]);
    const kept = (row: number) => values[row]! > cut || row >= size - BLOCK;
    lanczos.combine(
      (row, column) => {
        let sum = 0;
        for (let i = 0; i < size; i++) if (kept(i)) sum += vectors[i * size + row]! * vectors[i * size + column]!;
        return sum;
      },
      BLOCK,
      this.#ritz,
    );
    lanczos.startFrom(this.#ritz);
    this.#stage = 'search';
    this.#nextCheck = Math.min(2 * this.#wanted, BLOCK * this.#capacity);
  }

  #chooseFilter(bounds: [number, number, number]): void {
    this.#bounds = bounds;
    this.#filter = chebyshevFilter(bounds, this.#degree, this.#tolerance());
  }

  #tolerance(): number {
    return this.#request.tolerance * Math.max(this.#scale, Number.MIN_VALUE);
  }

  #reduced<T>(use: (reduced: ReducedMatrix) => T): T {
    const scope = this.#scope.threads.scope();
    try {
      return use(new ReducedMatrix(scope, this.#lanczos.projected(), this.#lanczos.columns));
    } finally {
      scope.release();
    }
  }

  /** Looks at the Ritz values; true when the search has ended. */
  #check(): boolean {
    return this.#reduced((reduced) => this.#judge(reduced));
  }

  #judge(reduced: ReducedMatrix): boolean {
    const lanczos = this.#lanczos;
    const size = lanczos.columns;
    const { count, onProgress, maximumProducts = 20_000 + 200 * count } = this.#request;
    const { values, vectors } = reduced.lastComponents(BLOCK);
    let worst = 0;
    let converged = 0;
    for (let i = size - count; i < size; i++) {
      const slope = filterSlope(this.#filter, values[i]!);
      const residual = this.#lanczos.residual(vectors.subarray(i * BLOCK, (i + 1) * BLOCK)) / slope;
      worst = Math.max(worst, residual);
      if (residual <= this.#tolerance()) converged += 1;
    }
    onProgress?.({ converged, wanted: count, products: lanczos.products });
    const last = values[size - count]!;
    if (this.#stage === 'verify') return this.#verified(values.slice(size - count), reduced);
    if (worst <= 0.5 * this.#tolerance() && last > 1) return this.#finish(last, reduced);
    if (lanczos.products >= maximumProducts) throw this.#notConverged(reduced);
    this.#planCheck(worst);
    // wanted values inside the filter's interval hardly converge: its end has to be lowered
    const isMisplaced = last <= 1.02 && size >= 3 * this.#wanted;
    if (lanczos.isFull || isMisplaced) this.#restart(last, reduced);
    return false;
  }

  /** The residual falls about geometrically: the next look is where it should be small enough. */
  #planCheck(worst: number): void {
    const { columns } = this.#lanczos;
    let wait = 4 * BLOCK;
    if (this.#seen !== null && columns > this.#seen.columns && worst < this.#seen.residual) {
      const rate = Math.log(this.#seen.residual / worst) / (columns - this.#seen.columns);
      const needed = Math.log(worst / (0.3 * this.#tolerance())) / rate;
      wait = BLOCK * Math.max(1, Math.min(12, Math.ceil((0.8 * needed) / BLOCK)));
    }
    this.#seen = { columns, residual: worst };
    this.#nextCheck = columns + wait;
  }

  #keptAtRestart(): number {
    const spare = Math.floor((BLOCK * this.#capacity - this.#wanted) / 3 / BLOCK) * BLOCK;
    return this.#wanted + Math.max(spare, 0);
  }

  /** Keeps the best Ritz vectors; where the wanted ones are inside the filter's interval, lowers its end and begins anew. */
  #restart(last: number, reduced: ReducedMatrix): void {
    const lanczos = this.#lanczos;
    this.#seen = null;
    if (last <= 1.02) {
      const [low, cut, high] = this.#bounds;
      this.#combineRitz(reduced.greatest(this.#wanted), true);
      this.#chooseFilter([low, low + 0.6 * (cut - low), high]);
      lanczos.startFrom(this.#ritz);
      this.#nextCheck = Math.min(2 * this.#wanted, BLOCK * this.#capacity);
      return;
    }
    const kept = this.#combineRitz(reduced.greatest(this.#keptAtRestart()), false);
    lanczos.restart(this.#ritz, kept, lanczos.coupling);
    this.#nextCheck = lanczos.columns + BLOCK * 8;
  }

  /** The Ritz vectors of these pairs of the projection, or four mixtures of them; returns their filtered values. */
  #combineRitz({ values, vectors }: SymmetricEigen, mixed: boolean): Float64Array {
    const width = values.length;
    const size = vectors.length / width;
    const coefficient = (row: number, column: number) => vectors[column * size + row]!;
    if (!mixed) this.#lanczos.combine(coefficient, width, this.#ritz);
    else {
      const sum = (row: number, column: number) => {
        let total = 0;
        for (let i = column; i < width; i += BLOCK) total += coefficient(row, i);
        return total;
      };
      this.#lanczos.combine(sum, BLOCK, this.#ritz);
    }
    return values;
  }

  /** The estimates say that all have converged: measures it, and has fresh vectors look for copies passed over. */
  #finish(last: number, reduced: ReducedMatrix): boolean {
    const kept = this.#combineRitz(reduced.greatest(this.#wanted), false);
    const found = this.#measured();
    if (found.residuals.some((residual) => residual > this.#tolerance())) {
      this.#seen = null;
      this.#nextCheck = this.#lanczos.columns + BLOCK;
      if (this.#lanczos.products >= (this.#request.maximumProducts ?? Number.POSITIVE_INFINITY))
        throw this.#notConverged(reduced);
      if (this.#lanczos.isFull) this.#restart(last, reduced);
      return false;
    }
    this.#outcome = found;
    if (this.#request.verify === false) return true;
    this.#before = kept.slice(0, this.#request.count).reverse();
    this.#lanczos.restart(this.#ritz, kept, null);
    this.#stage = 'verify';
    this.#nextCheck = this.#lanczos.columns + BLOCK * VERIFY_BLOCKS;
    return false;
  }

  /** Ends the search where fresh vectors have moved none of the wanted values up; else there was more, and it goes on. */
  #verified(values: Float64Array, reduced: ReducedMatrix): boolean {
    if (values.every((value, i) => value <= this.#before[i]! + GROWTH * Math.abs(this.#before[i]!))) {
      if (this.#outcome !== null) this.#outcome = { ...this.#outcome, products: this.#lanczos.products };
      return true;
    }
    this.#outcome = null;
    this.#stage = 'search';
    this.#seen = null;
    this.#nextCheck = this.#lanczos.columns + 4 * BLOCK;
    if (this.#lanczos.isFull) this.#restart(values[0]!, reduced);
    return false;
  }

  #measured(): Eigenpairs {
    const { count } = this.#request;
    const by = { threads: this.#scope.threads, lanczos: this.#lanczos, operator: this.#operator };
    return measuredPairs(by, { address: this.#ritz, width: this.#wanted, count, sign: this.#sign });
  }

  #notConverged(reduced: ReducedMatrix): EigenpairsNotConverged {
    this.#combineRitz(reduced.greatest(this.#wanted), false);
    const all = this.#measured();
    const good = [...all.residuals.keys()].filter((i) => all.residuals[i]! <= this.#tolerance());
    const worst = Math.max(...all.residuals);
    const { count } = this.#request;
    const partial = chosenPairs(all, good);
    const message = `the eigensolver gave up after ${all.products} products: ${good.length} of ${count} pairs have residuals up to ${this.#tolerance().toExponential(1)}, the greatest is ${worst.toExponential(1)}`;
    return new EigenpairsNotConverged(`${message}; a higher tolerance or more products would help`, partial);
  }
}
