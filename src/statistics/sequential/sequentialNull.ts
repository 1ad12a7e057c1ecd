import { studentTwoSided } from '../studentDistribution.ts';
import { studentQuantile } from '../studentQuantile.ts';

/**
 * The null distribution of a paired t-test that is looked at again and again, for any number of pairs. Let θ be the angle
 * of the n differences, as a vector, to the plane on which their mean is 0, so that t = √(n - 1) tan θ. Of differences that are normal with
 * mean 0 the angles are a Markov chain: the next difference over the root of the sum of squares before it, tan φ, is
 * independent of all angles, φ with a density as cos^(n-1), and
 *
 *     sin θ' = (√n sin θ cos φ + sin φ) / √(n + 1).
 *
 * So chances of crossing are sums over one dimension: Jennison, Turnbull 1991, Biometrika 78, 133, section 3. |θ| is kept as masses of cells.
 */

/** Of the angles that have crossed no boundary. */
const CELLS = 240;
const HALVINGS = 50;
const RIGHT = Math.PI / 2;
const TABLE = 512;

/** |θ| of `n` differences that have crossed nothing so far: masses of equal cells from 0 to `edge`. */
interface Chain {
  n: number;
  edge: number;
  masses: Float64Array;
}

/** A look at a sequential test: after how many pairs, and from which |t| on it rejects. */
export interface Look {
  pairs: number;
  boundary: number;
}

/**
 * The chance, where there is no difference, that |t| reaches its boundary at each look for the first time.
 * @param looks By pairs, the first with two at least.
 */
export function firstCrossings(looks: readonly Look[]): number[] {
  let chain: Chain | null = null;
  return looks.map(({ pairs, boundary }) => {
    const edge = Math.atan(boundary / Math.sqrt(pairs - 1));
    if (chain === null) {
      chain = started(pairs, edge);
      return studentTwoSided(boundary, pairs - 1);
    }
    const before = walk(chain, pairs);
    const step = stepFrom(before.n);
    chain = moved(before, edge, step);
    return beyond(before, edge, step);
  });
}

/**
 * The boundaries of |t| with which a test has spent just so much of its chance of error after each look.
 * @param looks By pairs, the first with two at least; `spent` grows, and is above 0.
 */
export function boundariesSpending(looks: readonly { pairs: number; spent: number }[]): number[] {
  let chain: Chain | null = null;
  let spent = 0;
  return looks.map((look) => {
    const { pairs } = look;
    const rest = look.spent - spent;
    spent = look.spent;
    if (chain === null) {
      const boundary = studentQuantile(1 - rest, pairs - 1);
      chain = started(pairs, Math.atan(boundary / Math.sqrt(pairs - 1)));
      return boundary;
    }
    const before = walk(chain, pairs);
    const step = stepFrom(before.n);
    let [low, high] = [0, RIGHT];
    for (let halving = 0; halving < HALVINGS; halving++) {
      const middle = (low + high) / 2;
      if (beyond(before, middle, step) > rest) low = middle;
      else high = middle;
    }
    chain = moved(before, high, step);
    return Math.sqrt(pairs - 1) * Math.tan(high);
  });
}

/** The chain after a first look with this edge: t has Student's distribution. */
function started(n: number, edge: number): Chain {
  const inside = (angle: number) => 1 - studentTwoSided(Math.sqrt(n - 1) * Math.tan(angle), n - 1);
  const masses = new Float64Array(CELLS);
  let below = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    const upTo = inside((edge * (cell + 1)) / CELLS);
    masses[cell] = upTo - below;
    below = upTo;
  }
  return { n, edge, masses };
}

/** The chain one difference before it has `pairs` of them, with no looks until then. */
function walk(chain: Chain, pairs: number): Chain {
  let current = chain;
  while (current.n < pairs - 1) current = moved(current, RIGHT, stepFrom(current.n));
  return current;
}

/** The chance that the next difference takes |θ| to `edge` or beyond. */
function beyond({ edge: width, masses }: Chain, edge: number, step: Step): number {
  const target = Math.sin(edge);
  let sum = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    sum += masses[cell]! * (1 - step(Math.sin((width * (cell + 0.5)) / CELLS), target));
  }
  return sum;
}

/** The chain with the next difference, where |θ| stays below `edge`. */
function moved({ n, edge: width, masses }: Chain, edge: number, step: Step): Chain {
  const sines = Float64Array.from({ length: CELLS }, (_, cell) => Math.sin((edge * (cell + 1)) / CELLS));
  const next = new Float64Array(CELLS);
  for (let cell = 0; cell < CELLS; cell++) {
    const mass = masses[cell]!;
    const from = Math.sin((width * (cell + 0.5)) / CELLS);
    let below = 0;
    for (let target = 0; target < CELLS; target++) {
      const upTo = step(from, sines[target]!);
      next[target]! += mass * (upTo - below);
      below = upTo;
    }
  }
  return { n: n + 1, edge, masses: next };
}

/** P(|sin θ'| <= `to`) given sin θ = `from`, both from 0 to 1. */
type Step = (from: number, to: number) => number;

/** The step that the difference after the `n`-th is. */
function stepFrom(n: number): Step {
  const below = cosinePower(n - 1);
  return (from, to) => {
    const ratio = to / Math.sqrt((n * from * from + 1) / (n + 1));
    if (ratio >= 1) return 1;
    const reach = Math.asin(ratio);
    const turn = Math.atan(Math.sqrt(n) * from);
    // |sin(φ + turn)| stays below the ratio around 0, and around π as far as φ comes there
    const near = below(reach - turn) - below(-reach - turn);
    return near + below(Math.PI + reach - turn) - below(Math.PI - reach - turn);
  };
}

/** Distribution function of an angle between -π/2 and π/2 with a density as cos^`power`, interpolated by cubics in a table. */
function cosinePower(power: number): (angle: number) => number {
  const width = RIGHT / TABLE;
  const sums = new Float64Array(TABLE + 1);
  const densities = Float64Array.from({ length: TABLE + 1 }, (_, i) => Math.max(0, Math.cos(i * width)) ** power);
  for (let i = 0; i < TABLE; i++) {
    const middle = Math.cos((i + 0.5) * width) ** power;
    sums[i + 1] = sums[i]! + (width / 6) * (densities[i]! + 4 * middle + densities[i + 1]!);
  }
  const whole = 2 * sums[TABLE]!;
  return (angle) => {
    const size = Math.abs(angle);
    if (size >= RIGHT) return angle > 0 ? 1 : 0;
    const place = size / width;
    const i = Math.floor(place);
    const u = place - i;
    const [a, b] = [sums[i]!, sums[i + 1]!];
    const [slopeA, slopeB] = [densities[i]! * width, densities[i + 1]! * width];
    const sum = a + u * (slopeA + u * (3 * (b - a) - 2 * slopeA - slopeB + u * (2 * (a - b) + slopeA + slopeB)));
    const half = sum / whole;
    return angle > 0 ? 0.5 + half : 0.5 - half;
  };
}
