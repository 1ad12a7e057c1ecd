import { formatNumber } from '../lib/formatNumber.ts';
import type { Curve } from './curve.ts';

const MOST_CURVES = 8;

/** A chart in words: for each curve how many points and where it ends. */
export function describeCurves(title: string, curves: readonly Curve[]): string {
  if (curves.length === 0) return `${title}: no points`;
  const parts = curves.slice(0, MOST_CURVES).map((curve) => {
    const last = curve.y.at(-1);
    const end = last === undefined ? 'no points' : `${curve.x.length} points, last ${formatNumber(last)}`;
    return curves.length === 1 ? end : `${curve.label}: ${end}`;
  });
  const rest = curves.length > MOST_CURVES ? `; and ${curves.length - MOST_CURVES} more` : '';
  return `Line chart of ${title}. ${parts.join('; ')}${rest}`;
}
