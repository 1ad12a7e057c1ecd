/** Nodes and weights of a quadrature rule. */
export interface QuadratureRule {
  nodes: Float64Array;
  weights: Float64Array;
}

const rules = new Map<number, QuadratureRule>();

/**
 * The Gauss-Hermite rule with `count` nodes for the standard normal: E[f(z)] = sum of weights[i] f(nodes[i]), exact for
 * polynomials up to degree 2 count - 1. Nodes ascend; weights sum to 1.
 *
 * Roots of the orthonormal Hermite polynomials by Newton's method from bracketing by the roots of the one before
 * (interlacing), which finds every root for any count; Abramowitz and Stegun 25.4.46 in the probabilists' scaling.
 */
export function gaussHermite(count: number): QuadratureRule {
  let rule = rules.get(count);
  if (rule === undefined) {
    rule = computeRule(count);
    rules.set(count, rule);
  }
  return rule;
}

function computeRule(count: number): QuadratureRule {
  if (!Number.isInteger(count) || count < 1 || count > 256) {
    throw new Error(`internal: gaussHermite(${count}), expected 1 to 256 nodes`);
  }
  let roots: number[] = [0];
  for (let degree = 2; degree <= count; degree++) {
    const bound = 2 * Math.sqrt(degree);
    const fences = [-bound, ...roots, bound];
    roots = Array.from({ length: degree }, (_, i) => rootBetween(degree, fences[i]!, fences[i + 1]!));
  }
  const nodes = Float64Array.from(roots);
  const weights = nodes.map((node) => 1 / (count * hermite(count, node).before ** 2));
  return { nodes, weights };
}

/** Bisection, taking Newton's step where it stays inside: the polynomial changes its sign once between the fences. */
function rootBetween(degree: number, from: number, to: number): number {
  let [low, high] = [from, to];
  const rising = hermite(degree, high).value > 0;
  let x = (low + high) / 2;
  for (let step = 0; step < 200; step++) {
    const { value, before } = hermite(degree, x);
    if (value > 0 === rising) high = x;
    else low = x;
    // The derivative of the orthonormal polynomial of degree n is sqrt(n) times the one before.
    const newton = x - value / (Math.sqrt(degree) * before);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * Math.max(1, Math.abs(x))) return next;
    x = next;
  }
  return x;
}

/** Orthonormal Hermite polynomials of `degree` and of one less, by the three-term recurrence. */
function hermite(degree: number, x: number): { value: number; before: number } {
  let before = 0;
  let value = 1;
  for (let n = 1; n <= degree; n++) {
    const next = (x * value - Math.sqrt(n - 1) * before) / Math.sqrt(n);
    before = value;
    value = next;
  }
  return { value, before };
}
