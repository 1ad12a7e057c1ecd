import { badInput } from '#src/base/contracts/errors.ts';

/**
 * SEvo's transformations of a variation x over a normalised graph Ã, each as close to (1 - β)(I - βÃ)⁻¹ x as L layers are:
 * `iterative` (Zhou et al. 2003), `neumann` (Eq. 6), `rescaled` (Eq. 7), or that itself: `exact`.
 */
export type TransformationForm = 'exact' | 'iterative' | 'neumann' | 'rescaled';

export interface Transformation {
  readonly form: TransformationForm;
  /** β, from 0 to below 1: how much smoothness counts. */
  readonly beta: number;
  /** L, from 0; `exact` has none. */
  readonly layers: number;
}

/** y_0 = `start` x, y_l = β Ã y_{l-1} + `own` x: what all forms of L layers are (SEvo Section 2.2). */
export interface Recursion {
  readonly start: number;
  readonly own: number;
  readonly beta: number;
  readonly layers: number;
}

/** Throws BAD_INPUT unless 0 ≤ β < 1 and L is a whole number from 0. */
export function checkTransformation({ beta, layers }: Transformation): void {
  if (!(beta >= 0 && beta < 1)) throw badInput(`β is ${beta}; expected at least 0 and below 1`, 'beta');
  if (!Number.isInteger(layers) || layers < 0) {
    throw badInput(`${layers} layers; expected a whole number from 0`, 'layers');
  }
}

/** The recursion of a form that has one. Neumann's sum is taken from its inner end (Horner). Throws BAD_INPUT as `checkTransformation`. */
export function recursionOf(transformation: Transformation): Recursion {
  checkTransformation(transformation);
  const { form, beta, layers } = transformation;
  if (form === 'exact') throw new Error('internal: the exact transformation has no layers');
  const rest = 1 - beta;
  if (form === 'iterative') return { start: 1, own: rest, beta, layers };
  const own = form === 'neumann' ? rest : rest / (1 - beta ** (layers + 1));
  return { start: own, own, beta, layers };
}

/**
 * Steps of Chebyshev's iteration after which the exact transformation is as near as `tolerance`, relatively: each step gains
 * the factor β / (1 + √(1 - β²)), since the eigenvalues of βÃ are within ±β.
 */
export function exactSteps(beta: number, tolerance: number): number {
  if (beta === 0) return 0;
  const gain = beta / (1 + Math.sqrt(1 - beta * beta));
  return Math.ceil(Math.log(tolerance * (1 - beta)) / Math.log(gain)) + 1;
}

/** What Theorem 1 has against a transformation, or null. */
export function directionWarning({ form, beta }: Transformation): string | null {
  if (form !== 'iterative' || beta < 0.5) return null;
  return (
    `the iterative form with β = ${beta} can turn variations against their direction, so that training diverges ` +
    '(SEvo, Theorem 1): it is direction-aware for every graph only where β < 1/2; rescaled is for any β below 1'
  );
}
