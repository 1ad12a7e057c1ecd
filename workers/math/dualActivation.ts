import { arcCosine } from './arcCosine.ts';

export type Activation = 'relu' | 'erf' | 'linear';

/**
 * Expectations over (z1, z2) ~ N(0, [[k1, k3], [k3, k2]]) for an activation phi:
 * `value` = E[phi(z1) phi(z2)], V of RNTK Eq. 10; `slope` = E[phi'(z1) phi'(z2)], V'.
 * |k3| beyond sqrt(k1 k2), which only rounding makes, counts as that bound.
 */
export interface DualActivation {
  value(k1: number, k2: number, k3: number): number;
  slope(k1: number, k2: number, k3: number): number;
}

const INVERSE_TWO_PI = 1 / (2 * Math.PI);

/** k3 / scale within [-1, 1]; 0 where a variance is 0: any slope will do there, since it always multiplies 0. */
export function correlation(k3: number, scale: number): number {
  if (!(scale > 0)) return 0;
  const c = k3 / scale;
  return c > 1 ? 1 : Math.max(c, -1);
}

/** E[relu(z1) relu(z2)] / sqrt(k1 k2) at correlation `c` (OverRec Eq. 11, RNTK B.5). */
export function reluValueAt(c: number): number {
  return (c * (Math.PI - arcCosine(c)) + Math.sqrt((1 - c) * (1 + c))) * INVERSE_TWO_PI;
}

/** E[relu'(z1) relu'(z2)] at correlation `c` (OverRec Eq. 15). */
export function reluSlopeAt(c: number): number {
  return (Math.PI - arcCosine(c)) * INVERSE_TWO_PI;
}

const relu: DualActivation = {
  value(k1, k2, k3) {
    const scale = Math.sqrt(k1 * k2);
    return reluValueAt(correlation(k3, scale)) * scale;
  },
  slope(k1, k2, k3) {
    return reluSlopeAt(correlation(k3, Math.sqrt(k1 * k2)));
  },
};

/** RNTK B.5 with the denominator sqrt((1 + 2 k1)(1 + 2 k2)): the text prints k3 for k2. */
const erf: DualActivation = {
  value(k1, k2, k3) {
    const bound = Math.sqrt(k1 * k2);
    const inner = Math.max(-bound, Math.min(bound, k3));
    return (2 / Math.PI) * Math.asin((2 * inner) / Math.sqrt((1 + 2 * k1) * (1 + 2 * k2)));
  },
  slope(k1, k2, k3) {
    const bound = Math.sqrt(k1 * k2);
    const inner = Math.max(-bound, Math.min(bound, k3));
    return 4 / (Math.PI * Math.sqrt((1 + 2 * k1) * (1 + 2 * k2) - 4 * inner * inner));
  },
};

const linear: DualActivation = { value: (_k1, _k2, k3) => k3, slope: () => 1 };

export const dualActivations: Readonly<Record<Activation, DualActivation>> = { relu, erf, linear };
