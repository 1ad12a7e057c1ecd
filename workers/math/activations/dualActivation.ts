import { arcCosine } from './arcCosine.ts';
import { polarAngle } from './polarAngle.ts';

/** Activations whose expectations have a closed form. */
export type ClosedActivation = 'relu' | 'erf' | 'linear';

/**
 * Expectations over (z1, z2) ~ N(0, [[k1, k3], [k3, k2]]) for an activation phi:
 * `value` = E[phi(z1) phi(z2)], V of RNTK Eq. 10; `slope` = E[phi'(z1) phi'(z2)], V'.
 * |k3| beyond sqrt(k1 k2), which only rounding makes, counts as that bound.
 */
export interface DualActivation {
  value(k1: number, k2: number, k3: number): number;
  slope(k1: number, k2: number, k3: number): number;
}

/** One that needs the two variances only through one number a pair, which tables can hold. */
export interface ClosedDualActivation extends DualActivation {
  scale(k1: number, k2: number): number;
  valueAt(k3: number, scale: number): number;
  slopeAt(k3: number, scale: number): number;
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

function closed(by: Omit<ClosedDualActivation, 'value' | 'slope'>): ClosedDualActivation {
  return {
    ...by,
    value: (k1, k2, k3) => by.valueAt(k3, by.scale(k1, k2)),
    slope: (k1, k2, k3) => by.slopeAt(k3, by.scale(k1, k2)),
  };
}

/** OverRec Eq. 11 and 15, RNTK B.5; the scale is sqrt(k1 k2). */
const relu = closed({
  scale: (k1, k2) => Math.sqrt(k1 * k2),
  valueAt: (k3, scale) => reluValueAt(correlation(k3, scale)) * scale,
  slopeAt: (k3, scale) => reluSlopeAt(correlation(k3, scale)),
});

/**
 * RNTK B.5 with the denominator sqrt((1 + 2 k1)(1 + 2 k2)) (the text prints k3 for k2), whose square is the scale. The arc
 * sine of 2 k3 / sqrt(scale) is the angle of the point (sqrt(scale - 4 k3^2), 2 k3).
 */
const erf = closed({
  scale: (k1, k2) => (1 + 2 * k1) * (1 + 2 * k2),
  valueAt(k3, scale) {
    const angle = polarAngle(erfRoot(k3, scale), 2 * Math.abs(k3)) * (2 / Math.PI);
    return k3 < 0 ? -angle : angle;
  },
  slopeAt: (k3, scale) => 4 / Math.PI / erfRoot(k3, scale),
});

/** sqrt(scale - 4 k3^2), at least 1 but for rounding. */
function erfRoot(k3: number, scale: number): number {
  return Math.sqrt(Math.max(scale - 4 * k3 * k3, 1));
}

const linear = closed({ scale: (k1, k2) => Math.sqrt(k1 * k2), valueAt: (k3) => k3, slopeAt: () => 1 });

export const dualActivations: Readonly<Record<ClosedActivation, ClosedDualActivation>> = { relu, erf, linear };
