import type { Comparison } from './recbole/comparison.ts';

/** What a benchmark prints with `--json`: medians of warm runs, in seconds, and ours divided by each peer. */
export interface BenchResult {
  name: string;
  ours: Record<string, number>;
  peers: Record<string, number>;
  ratios: Record<string, number>;
  /** Least and greatest of the counted runs, in seconds, by the same keys. */
  spread: Record<string, [number, number]>;
  /** What was measured, on what, and what else is worth knowing (memory, sizes). */
  notes: string[];
  /** Rows with units of their own, where seconds do not tell it all. */
  table?: BenchRow[];
  /** Kinds beside another library's models, by more than time. */
  comparisons?: Comparison[];
}

export interface BenchRow {
  work: string;
  value: number;
  unit: 'ms' | 'calls/s' | 'points/s' | 'bytes';
  /** What it should be: at most, but for rates at least. */
  aim: number;
  /** Processor time of a call, API and PostgreSQL together, in milliseconds; null where there are no calls. */
  processorMs: number | null;
  /** Further numbers, such as a percentile. */
  also: string;
}
