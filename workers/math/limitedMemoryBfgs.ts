/** Writes the gradient at `point` into `gradient` and returns the value there. */
export type SmoothObjective = (point: Float64Array, gradient: Float64Array) => number;

export interface MinimiserOptions {
  /** Ends when no entry of the gradient is larger. */
  tolerance: number;
  maximumIterations: number;
  /** Pairs of steps and gradient differences that are remembered; 10 unless given. */
  memory?: number;
  /** Called at each iteration; may throw to end. */
  pulse?: () => void;
}

export interface Minimum {
  point: Float64Array;
  value: number;
  /** Largest entry of the gradient, in magnitude. */
  gradient: number;
  iterations: number;
  /** The gradient met the tolerance. */
  converged: boolean;
}

const SUFFICIENT_DECREASE = 1e-4;
const CURVATURE = 0.9;
const MOST_TRIALS = 60;

interface Place {
  step: number;
  value: number;
  slope: number;
}

/**
 * Minimises a smooth function by L-BFGS with a line search for the strong Wolfe conditions: Nocedal and Wright, Numerical
 * Optimization, 2006, Algorithms 7.4, 7.5, 3.5 and 3.6. For a convex function the minimum is the global one. It also ends where
 * rounding leaves no better point on the line, `converged` then saying whether the gradient is small.
 */
export function limitedMemoryBfgs(
  objective: SmoothObjective,
  start: Float64Array,
  { tolerance, maximumIterations, memory = 10, pulse }: MinimiserOptions,
): Minimum {
  let point = start.slice();
  let gradient = new Float64Array(start.length);
  let value = objective(point, gradient);
  const steps: Float64Array[] = [];
  const changes: Float64Array[] = [];
  let iterations = 0;
  while (iterations < maximumIterations && largestEntry(gradient) > tolerance) {
    pulse?.();
    let direction = descentDirection(gradient, steps, changes);
    if (dot(direction, gradient) >= 0) {
      steps.length = changes.length = 0;
      direction = gradient.map((entry) => -entry);
    }
    const line = new Line(objective, point, direction);
    const first = steps.length === 0 ? Math.min(1, 1 / norm(gradient)) : 1;
    if (!line.search({ value, slope: dot(direction, gradient) }, first)) {
      if (steps.length === 0) break;
      steps.length = changes.length = 0;
      continue;
    }
    const step = line.point.map((entry, i) => entry - point[i]!);
    const change = line.gradient.map((entry, i) => entry - gradient[i]!);
    if (dot(step, change) > 0) {
      steps.push(step);
      changes.push(change);
      if (steps.length > memory) {
        steps.shift();
        changes.shift();
      }
    }
    ({ point, gradient, value } = line);
    iterations++;
  }
  const largest = largestEntry(gradient);
  return { point, value, gradient: largest, iterations, converged: largest <= tolerance };
}

/** -H g by the two loops over what is remembered (Algorithm 7.4). */
function descentDirection(gradient: Float64Array, steps: Float64Array[], changes: Float64Array[]): Float64Array {
  const direction = gradient.map((entry) => -entry);
  const weights: number[] = [];
  for (let k = steps.length - 1; k >= 0; k--) {
    weights[k] = dot(steps[k]!, direction) / dot(steps[k]!, changes[k]!);
    addScaled(direction, changes[k]!, -weights[k]!);
  }
  const last = steps.length - 1;
  if (last >= 0) {
    const scale = dot(steps[last]!, changes[last]!) / dot(changes[last]!, changes[last]!);
    for (let i = 0; i < direction.length; i++) direction[i]! *= scale;
  }
  for (let k = 0; k < steps.length; k++) {
    const correction = dot(changes[k]!, direction) / dot(steps[k]!, changes[k]!);
    addScaled(direction, steps[k]!, weights[k]! - correction);
  }
  return direction;
}

/** The half line from `origin` along `direction`; holds the last point that was looked at. */
class Line {
  point: Float64Array<ArrayBuffer>;
  gradient: Float64Array<ArrayBuffer>;
  value = Number.NaN;
  readonly #objective: SmoothObjective;
  readonly #origin: Float64Array;
  readonly #direction: Float64Array;

  constructor(objective: SmoothObjective, origin: Float64Array, direction: Float64Array) {
    this.#objective = objective;
    this.#origin = origin;
    this.#direction = direction;
    this.point = new Float64Array(origin.length);
    this.gradient = new Float64Array(origin.length);
  }

  /** Goes to a point with the strong Wolfe conditions (Algorithm 3.5); false where none was found. */
  search(start: { value: number; slope: number }, firstStep: number): boolean {
    const origin: Place = { step: 0, ...start };
    let before = origin;
    let step = firstStep;
    for (let trial = 0; trial < MOST_TRIALS; trial++) {
      const now = this.#look(step);
      const isTooHigh = !(now.value <= origin.value + SUFFICIENT_DECREASE * step * origin.slope);
      if (isTooHigh || (trial > 0 && now.value >= before.value)) return this.#zoom(origin, before, now);
      if (Math.abs(now.slope) <= -CURVATURE * origin.slope) return true;
      if (now.slope >= 0) return this.#zoom(origin, now, before);
      before = now;
      step *= 2;
    }
    return false;
  }

  /** Narrows an interval that holds such a point (Algorithm 3.6). */
  #zoom(origin: Place, lower: Place, other: Place): boolean {
    let low = lower;
    let high = other;
    for (let trial = 0; trial < MOST_TRIALS; trial++) {
      const now = this.#look(between(low, high));
      if (!(now.value <= origin.value + SUFFICIENT_DECREASE * now.step * origin.slope) || now.value >= low.value) {
        high = now;
      } else {
        if (Math.abs(now.slope) <= -CURVATURE * origin.slope) return true;
        if (now.slope * (high.step - low.step) >= 0) high = low;
        low = now;
      }
      if (Math.abs(high.step - low.step) <= 1e-14 * Math.max(low.step, high.step)) break;
    }
    if (!(low.step > 0 && low.value < origin.value)) return false;
    this.#look(low.step);
    return true;
  }

  #look(step: number): Place {
    for (let i = 0; i < this.point.length; i++) this.point[i] = this.#origin[i]! + step * this.#direction[i]!;
    this.value = this.#objective(this.point, this.gradient);
    return { step, value: this.value, slope: dot(this.gradient, this.#direction) };
  }
}

/** The minimum of the cubic through both places, kept off their ends; their middle where there is none. */
function between(a: Place, b: Place): number {
  const middle = (a.step + b.step) / 2;
  if (!Number.isFinite(b.value)) return middle;
  const d1 = a.slope + b.slope - (3 * (a.value - b.value)) / (a.step - b.step);
  const square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0)) return middle;
  const d2 = Math.sign(b.step - a.step) * Math.sqrt(square);
  const found = b.step - ((b.step - a.step) * (b.slope + d2 - d1)) / (b.slope - a.slope + 2 * d2);
  const margin = 0.1 * Math.abs(b.step - a.step);
  const [least, most] = [Math.min(a.step, b.step) + margin, Math.max(a.step, b.step) - margin];
  return found >= least && found <= most ? found : middle;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(to: Float64Array, from: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += factor * from[i]!;
}

function norm(x: Float64Array): number {
  return Math.sqrt(dot(x, x));
}

function largestEntry(x: Float64Array): number {
  let largest = 0;
  // a NaN is larger than any tolerance
  for (let i = 0; i < x.length; i++) if (!(Math.abs(x[i]!) <= largest)) largest = Math.abs(x[i]!);
  return largest;
}
