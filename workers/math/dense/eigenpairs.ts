import { WarrenError } from '#src/base/contracts/errors.ts';

export interface EigenpairRequest {
  /** Pairs wanted, from 1 to the size of the matrix. */
  count: number;
  end: 'smallest' | 'largest';
  /** Greatest ‖A x - λ x‖ of a unit vector x, as a multiple of the largest |λ| of A. 1e-10 */
  tolerance?: number;
  /** Decides the start vectors. 0 */
  seed?: number;
  /** Products of the matrix with one vector after which it gives up. 20,000 + 200 a pair */
  maximumProducts?: number;
  /** Once converged, look with fresh random vectors for copies of multiple eigenvalues that were passed over. On. */
  verify?: boolean;
  onProgress?: (progress: EigenpairProgress) => void;
  signal?: AbortSignal;
}

export interface EigenpairProgress {
  /** Pairs whose estimated residual is within the tolerance. */
  converged: number;
  wanted: number;
  /** Products of the matrix with one vector so far. */
  products: number;
}

export interface Eigenpairs {
  /** (count) From the wanted end inwards: smallest first, or largest first. */
  values: Float64Array;
  /** (n, count) Row-major; orthonormal columns, the component of largest magnitude positive (the first of equals). */
  vectors: Float64Array;
  /** (count) ‖A x - λ x‖, computed from the vectors returned. */
  residuals: Float64Array;
  /** Products of the matrix with one vector. */
  products: number;
}

/** RUN_FAILED, with those pairs that did converge. */
export class EigenpairsNotConverged extends WarrenError {
  readonly partial: Eigenpairs;

  constructor(message: string, partial: Eigenpairs) {
    super('RUN_FAILED', message);
    this.partial = partial;
  }
}

/** Those pairs of `all` that `chosen` numbers, in its order. */
export function chosenPairs(all: Eigenpairs, chosen: readonly number[]): Eigenpairs {
  const [count, width] = [all.values.length, chosen.length];
  const size = all.vectors.length / count;
  return {
    values: Float64Array.from(chosen, (pair) => all.values[pair]!),
    vectors: Float64Array.from({ length: size * width }, (_, at) => {
      return all.vectors[Math.floor(at / width) * count + chosen[at % width]!]!;
    }),
    residuals: Float64Array.from(chosen, (pair) => all.residuals[pair]!),
    products: all.products,
  };
}
