import { tellsProgress } from '#src/base/contracts/runProgress.ts';
import type { MetricValue } from '#src/base/lib/metricValue.ts';

/** A metric's value for people: four significant digits after a leading zero, whole numbers as they are. */
export function formatNumber(given: MetricValue | null | undefined): string {
  if (given === null || given === undefined) return '-';
  const value = Number(given);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(3);
  if (size >= 100) return value.toFixed(2);
  return value.toFixed(4);
}

/** `mean ± sd (n)`; the mean alone for one run. */
export function formatReplicates(mean: MetricValue, standardDeviation: MetricValue | null, n: number): string {
  if (n <= 1) return formatNumber(mean);
  return `${formatNumber(mean)} ± ${formatNumber(standardDeviation)} (${n})`;
}

/** `12 %`; empty where the run's program says nothing of it. */
export function formatProgress(run: Parameters<typeof tellsProgress>[0]): string {
  return tellsProgress(run) ? `${Math.floor(run.progress * 100 + 1e-9)} %` : '';
}

/** `340 ms`, `12.3 s`, `4 min 5 s`, `3 h 12 min`, `2 d 3 h`. */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return '-';
  const ms = Math.max(0, milliseconds);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

/** Milliseconds from one time to another, each a date or one in ISO 8601. */
export function millisecondsBetween(from: Date | string, to: Date | string): number {
  return new Date(to).getTime() - new Date(from).getTime();
}

/** How long ago, in the largest unit: `12 s ago`, `5 min ago`, `3 h ago`, `4 d ago`. @param time A date, or one in ISO 8601. */
export function formatAge(time: Date | string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - new Date(time).getTime()) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** A drawn number, which has many digits, as `formatNumber` shows it; any other text as it is. */
export function shortNumber(text: string): string {
  return /^-?\d+\.\d{5,}$/.test(text) ? formatNumber(Number(text)) : text;
}
