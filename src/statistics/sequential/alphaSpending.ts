import { normalAbove } from '../normalDistribution.ts';
import { normalQuantile } from '../normalQuantile.ts';

/** Names of the functions by which a sequential test spends its chance of error over its looks. */
export const SPENDING_NAMES = ['obrien-fleming', 'pocock'] as const;
export type SpendingName = (typeof SPENDING_NAMES)[number];

/**
 * The part of `alpha` that may be spent when a fraction of the values is there: Lan, DeMets 1983, Biometrika 70, 659. The one after
 * O'Brien and Fleming spends little early and leaves the last look almost as sharp as a single test; the one after Pocock spends
 * evenly, which decides large differences earlier.
 * @param fraction From 0 to 1.
 */
export function spentAlpha(name: SpendingName, { alpha, fraction }: { alpha: number; fraction: number }): number {
  if (fraction <= 0) return 0;
  if (fraction >= 1) return alpha;
  if (name === 'pocock') return alpha * Math.log(1 + (Math.E - 1) * fraction);
  return 2 * normalAbove(normalQuantile(1 - alpha / 2) / Math.sqrt(fraction));
}
