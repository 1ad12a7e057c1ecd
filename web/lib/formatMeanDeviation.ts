import { formatNumber } from './formatNumber.ts';

const MOST_DECIMALS = 12;

/**
 * Mean ± standard deviation, the deviation in two significant digits and the mean as far as it tells: `0.0271 ± 0.0063`;
 * the mean alone where there is no deviation.
 */
export function formatMeanDeviation(
  mean: number,
  standardDeviation: number | null,
): { mean: string; deviation: string | null } {
  if (standardDeviation === null) return { mean: formatNumber(mean), deviation: null };
  if (!Number.isFinite(mean) || !Number.isFinite(standardDeviation) || standardDeviation === 0) {
    return { mean: formatNumber(mean), deviation: formatNumber(standardDeviation) };
  }
  const decimals = 1 - Math.floor(Math.log10(standardDeviation));
  if (decimals <= 0 || decimals > MOST_DECIMALS) {
    return { mean: formatNumber(mean), deviation: formatNumber(Number(standardDeviation.toPrecision(2))) };
  }
  return { mean: mean.toFixed(decimals).replace('-', '−'), deviation: standardDeviation.toFixed(decimals) };
}
