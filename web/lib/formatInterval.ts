import { formatNumber } from './formatNumber.ts';

const MOST_DECIMALS = 12;

/**
 * A difference and the ends of its interval, signed and to the same decimals: three significant digits of half the
 * interval's width, since further ones tell nothing.
 */
export function formatInterval(values: { difference: number; low: number; high: number }): {
  difference: string;
  interval: string;
} {
  const half = (values.high - values.low) / 2;
  const decimals =
    half > 0 && Number.isFinite(half) ? Math.max(0, 2 - Math.floor(Math.log10(half))) : MOST_DECIMALS + 1;
  const write = (value: number): string => {
    const size = decimals > MOST_DECIMALS ? formatNumber(Math.abs(value)) : Math.abs(value).toFixed(decimals);
    return Number.isNaN(value) ? 'NaN' : `${value < 0 ? '−' : '+'}${size}`;
  };
  return { difference: write(values.difference), interval: `${write(values.low)} to ${write(values.high)}` };
}
