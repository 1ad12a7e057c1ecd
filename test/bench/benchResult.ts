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
}
