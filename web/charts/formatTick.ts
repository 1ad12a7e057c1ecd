import { formatNumber } from '../lib/formatNumber.ts';

/** A number on an axis, short: `250`, `12k`, `1.5M`, `0.002`, `1e-5`. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) return value.toExponential().replace('e+', 'e');
  if (size >= 1e6) return `${short(value / 1e6)}M`;
  if (size >= 1e4) return `${short(value / 1e3)}k`;
  return formatNumber(value);
}

function short(value: number): string {
  return formatNumber(Number(value.toPrecision(3)));
}
