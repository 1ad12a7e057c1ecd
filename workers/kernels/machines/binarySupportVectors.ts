import { badInput } from '#src/base/contracts/errors.ts';

export interface BinaryProblem {
  /** (size, size) Symmetric kernel matrix, row-major. */
  gram: Float64Array;
  /** (size) 1 or -1. */
  signs: Int8Array;
}

export interface BinaryOptions {
  /** C: bound of every coefficient, above 0. Raising it allows fewer training errors. */
  cost: number;
  /** Largest violation of the optimality conditions at which the solver ends; LIBSVM's default is 1e-3. */
  tolerance: number;
  /** Steps after which the solver gives up; LIBSVM's limit unless given. */
  maximumSteps?: number;
}

/** A solution, from which `solveBinary` can go on. */
export interface BinarySolution {
  /** (size) Signed coefficients alpha_i y_i. */
  coefficients: Float64Array;
  /** (size) Gradient of the dual objective by the signed coefficients: K beta - y. */
  gradient: Float64Array;
  /** Threshold: the decision value of x is sum_i beta_i k(x_i, x) - offset, positive for sign 1. */
  offset: number;
  /** sum alpha - 1/2 alpha' Q alpha. */
  dualObjective: number;
  cost: number;
  steps: number;
  /** False where the solver gave up. */
  converged: boolean;
}

/** Curvature that stands in for one that is not positive, which only rounding or an indefinite kernel makes (LIBSVM's tau). */
const LEAST_CURVATURE = 1e-12;
const SHRINK_EVERY = 1000;

/**
 * C-SVM with two classes on a precomputed kernel: sequential minimal optimisation with second-order working sets and
 * shrinking, as in LIBSVM (Fan, Chen, Lin, JMLR 2005; Chang, Lin, 2011). Written in signed coefficients beta = alpha y:
 * minimise 1/2 beta' K beta - y' beta with sum beta = 0 and beta_i between 0 and C y_i.
 */
class BinarySolver {
  private readonly size: number;
  private readonly beta: Float64Array;
  private readonly gradient: Float64Array;
  private readonly diagonal: Float64Array;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;
  private readonly active: Int32Array;
  private activeCount: number;
  private hasUnshrunk = false;

  constructor(
    private readonly problem: BinaryProblem,
    private readonly options: BinaryOptions,
    start: BinarySolution | null,
  ) {
    const { signs, gram } = problem;
    const { cost } = options;
    this.size = signs.length;
    this.diagonal = Float64Array.from(signs, (_, i) => gram[i * signs.length + i]);
    this.lower = Float64Array.from(signs, (sign) => (sign > 0 ? 0 : -cost));
    this.upper = Float64Array.from(signs, (sign) => (sign > 0 ? cost : 0));
    this.active = Int32Array.from(signs, (_, place) => place);
    this.activeCount = this.size;
    // scaled with the cost, coefficients at their bound stay there
    const scale = start === null ? 0 : cost / start.cost;
    this.beta = Float64Array.from(signs, (sign, i) =>
      start === null ? 0 : Math.abs(start.coefficients[i]) === start.cost ? sign * cost : start.coefficients[i] * scale,
    );
    this.gradient = Float64Array.from(signs, (sign, i) =>
      start === null ? -sign : (start.gradient[i] + sign) * scale - sign,
    );
  }

  solve(): BinarySolution {
    const { tolerance } = this.options;
    const limit = this.options.maximumSteps ?? Math.max(10_000_000, 100 * this.size);
    let steps = 0;
    let untilShrinking = Math.min(this.size, SHRINK_EVERY);
    let first = this.mostViolating();
    while (steps < limit) {
      if (--untilShrinking === 0) {
        untilShrinking = Math.min(this.size, SHRINK_EVERY);
        this.shrink(tolerance);
        first = this.mostViolating();
      }
      let second = first < 0 ? -1 : this.partnerOf(first, tolerance);
      if (second < 0) {
        if (this.activeCount === this.size) return this.solution(steps, true);
        this.unshrink();
        untilShrinking = 1;
        first = this.mostViolating();
        second = first < 0 ? -1 : this.partnerOf(first, tolerance);
        if (second < 0) return this.solution(steps, true);
      }
      first = this.move(first, second);
      steps++;
    }
    this.unshrink();
    return this.solution(steps, false);
  }

  /** The active coefficient that may grow and has the smallest gradient; -1 where none may. */
  private mostViolating(): number {
    const { active, activeCount, beta, upper, gradient } = this;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let a = 0; a < activeCount; a++) {
      const k = active[a];
      if (beta[k] < upper[k] && gradient[k] < least) {
        least = gradient[k];
        best = k;
      }
    }
    return best;
  }

  /** The coefficient that may fall and gains most together with `first`; -1 when the pair violates no more than `tolerance`. */
  private partnerOf(first: number, tolerance: number): number {
    const { active, activeCount, beta, lower, gradient, diagonal, size } = this;
    const { gram } = this.problem;
    const own = gradient[first];
    const row = first * size;
    const ownDiagonal = diagonal[first];
    let best = -1;
    let mostGain = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < activeCount; a++) {
      const k = active[a];
      if (!(beta[k] > lower[k])) continue;
      const slope = gradient[k] - own;
      if (slope > most) most = slope;
      if (!(slope > 0)) continue;
      const curvature = ownDiagonal + diagonal[k] - 2 * gram[row + k];
      const gain = (slope * slope) / (curvature > 0 ? curvature : LEAST_CURVATURE);
      if (gain > mostGain) {
        mostGain = gain;
        best = k;
      }
    }
    return most < tolerance ? -1 : best;
  }

  /** Moves the pair to its best place within the bounds; returns the next `mostViolating`. */
  private move(first: number, second: number): number {
    const { active, activeCount, beta, lower, upper, gradient, size } = this;
    const { gram } = this.problem;
    const row = first * size;
    const other = second * size;
    const curvature = gram[row + first] + gram[other + second] - 2 * gram[row + second];
    const room = upper[first] - beta[first];
    const otherRoom = beta[second] - lower[second];
    const wanted = (gradient[second] - gradient[first]) / (curvature > 0 ? curvature : LEAST_CURVATURE);
    const step = Math.min(wanted, room, otherRoom);
    beta[first] = step === room ? upper[first] : beta[first] + step;
    beta[second] = step === otherRoom ? lower[second] : beta[second] - step;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let a = 0; a < activeCount; a++) {
      const k = active[a];
      const moved = gradient[k] + step * (gram[row + k] - gram[other + k]);
      gradient[k] = moved;
      if (moved < least && beta[k] < upper[k]) {
        least = moved;
        best = k;
      }
    }
    return best;
  }

  /** Sets aside coefficients at a bound that the gradient holds there; near the end all are taken back once, as in LIBSVM. */
  private shrink(tolerance: number): void {
    const { active, beta, lower, upper, gradient } = this;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < this.activeCount; a++) {
      const k = active[a];
      if (beta[k] < upper[k] && gradient[k] < least) least = gradient[k];
      if (beta[k] > lower[k] && gradient[k] > most) most = gradient[k];
    }
    if (!this.hasUnshrunk && most - least <= 10 * tolerance) {
      this.hasUnshrunk = true;
      this.unshrink();
    }
    let kept = 0;
    for (let a = 0; a < this.activeCount; a++) {
      const k = active[a];
      const isHeld = (beta[k] === upper[k] && gradient[k] < least) || (beta[k] === lower[k] && gradient[k] > most);
      if (isHeld) continue;
      active[a] = active[kept];
      active[kept++] = k;
    }
    this.activeCount = kept;
  }

  /** Takes all coefficients back, the gradients of those set aside computed anew. */
  private unshrink(): void {
    const { active, beta, gradient, size } = this;
    const { gram, signs } = this.problem;
    for (let a = this.activeCount; a < size; a++) {
      const k = active[a];
      let sum = -signs[k];
      for (let i = 0; i < size; i++) if (beta[i] !== 0) sum += beta[i] * gram[k * size + i];
      gradient[k] = sum;
    }
    this.activeCount = size;
  }

  private solution(steps: number, converged: boolean): BinarySolution {
    const { beta, gradient, lower, upper, size } = this;
    const { signs } = this.problem;
    let free = 0;
    let sum = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    let objective = 0;
    for (let k = 0; k < size; k++) {
      objective += (beta[k] * (signs[k] - gradient[k])) / 2;
      if (beta[k] === lower[k]) least = Math.min(least, gradient[k]);
      else if (beta[k] === upper[k]) most = Math.max(most, gradient[k]);
      else {
        free++;
        sum += gradient[k];
      }
    }
    const offset = free > 0 ? sum / free : (least + most) / 2;
    const { cost } = this.options;
    return { coefficients: beta, gradient, offset, dualObjective: objective, cost, steps, converged };
  }
}

/**
 * Solves a problem, from nothing or from its solution at another cost. Throws BAD_INPUT for a cost or tolerance not above 0,
 * labels of one sign, and kernel values that are not finite.
 */
export function solveBinary(
  problem: BinaryProblem,
  options: BinaryOptions,
  start: BinarySolution | null = null,
): BinarySolution {
  const { gram, signs } = problem;
  if (gram.length !== signs.length ** 2) {
    throw badInput(`kernel matrix: ${gram.length} values for ${signs.length} labels, expected ${signs.length ** 2}`);
  }
  if (!(options.cost > 0) || !Number.isFinite(options.cost)) throw badInput(`C is ${options.cost}, expected above 0`);
  if (!(options.tolerance > 0)) throw badInput(`tolerance is ${options.tolerance}, expected above 0`);
  if (!signs.includes(1) || !signs.includes(-1)) throw badInput('both classes need an example');
  if (start?.converged && isUnbounded(start) && options.cost >= start.cost) {
    return { ...start, cost: options.cost, steps: 0 };
  }
  return new BinarySolver(problem, options, start).solve();
}

/** No coefficient is at C: a larger C changes nothing. */
function isUnbounded({ coefficients, cost }: BinarySolution): boolean {
  return coefficients.every((coefficient) => Math.abs(coefficient) < cost);
}
