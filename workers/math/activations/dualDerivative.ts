import type { ClosedActivation } from './dualActivation.ts';
import { polarAngle } from './polarAngle.ts';

/** V and V' of `DualActivation` at one point with their partial derivatives by k1 and k3. dV / dk3 is V' itself. */
export interface DualDerivative {
  value: number;
  slope: number;
  valueByFirst: number;
  slopeByFirst: number;
  slopeByCovariance: number;
}

/** Closed activations with derivatives: at (k1, k2, k3), and d V(k, k, k) / dk along the diagonal. */
export interface DifferentiableActivation {
  at(k1: number, k2: number, k3: number): DualDerivative;
  diagonalSlope(k: number): number;
}

/** Below this share of k1 k2 the two inputs count as collinear. */
const COLLINEAR = 1e-14;
const TWO_PI = 2 * Math.PI;

/**
 * ReLU has a kink where the correlation is 1 or -1: V' moves there like the square root of 1 - |c|. On it the derivative of
 * V' counts as 0, which is right on paths that stay collinear (scalar inputs without bias at the first time step) and is
 * the middle of both sides on all others.
 */
const relu: DifferentiableActivation = {
  at(k1, k2, k3) {
    const square = k1 * k2 - k3 * k3;
    const collinear = !(square > COLLINEAR * k1 * k2);
    const root = collinear ? 0 : Math.sqrt(square);
    const angle = Math.PI - polarAngle(k3, root);
    return {
      value: (k3 * angle + root) / TWO_PI,
      slope: angle / TWO_PI,
      valueByFirst: k1 > 0 ? root / (2 * TWO_PI * k1) : 0,
      slopeByFirst: collinear ? 0 : -k3 / (2 * TWO_PI * k1 * root),
      slopeByCovariance: collinear ? 0 : 1 / (TWO_PI * root),
    };
  },
  diagonalSlope: () => 0.5,
};

const erf: DifferentiableActivation = {
  at(k1, k2, k3) {
    const [first, second] = [1 + 2 * k1, 1 + 2 * k2];
    const square = Math.max(first * second - 4 * k3 * k3, 1);
    const root = Math.sqrt(square);
    return {
      value: (2 / Math.PI) * Math.atan2(2 * k3, root),
      slope: 4 / (Math.PI * root),
      valueByFirst: (-4 * k3) / (Math.PI * first * root),
      slopeByFirst: (-4 * second) / (Math.PI * square * root),
      slopeByCovariance: (16 * k3) / (Math.PI * square * root),
    };
  },
  diagonalSlope: (k) => 4 / (Math.PI * (1 + 2 * k) * Math.sqrt(1 + 4 * k)),
};

const linear: DifferentiableActivation = {
  at: (_k1, _k2, k3) => ({ value: k3, slope: 1, valueByFirst: 0, slopeByFirst: 0, slopeByCovariance: 0 }),
  diagonalSlope: () => 1,
};

/** Derivatives of the closed forms of RNTK B.5 (docs/errata.md, 1). */
export const differentiableActivations: Readonly<Record<ClosedActivation, DifferentiableActivation>> = {
  relu,
  erf,
  linear,
};
