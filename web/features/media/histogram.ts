import * as z from 'zod/mini';

const schema = z.object({ edges: z.array(z.number()), counts: z.array(z.number()) });

export interface Histogram {
  /** One more than counts, rising. */
  edges: number[];
  counts: number[];
}

/** The bins in a histogram's metadata; null where there are none. */
export function histogramOf(metadata: unknown): Histogram | null {
  const parsed = schema.safeParse(metadata);
  return parsed.success && parsed.data.edges.length === parsed.data.counts.length + 1 ? parsed.data : null;
}

/**
 * Shares of a histogram's counts in other bins: each count is spread evenly over its own bin.
 * @param edges (bins + 1), rising.
 * @returns (bins) Shares of the sum, 0 to 1.
 */
export function rebinned({ edges: own, counts }: Histogram, edges: readonly number[]): number[] {
  const sum = counts.reduce((total, count) => total + count, 0) || 1;
  const shares = new Array<number>(edges.length - 1).fill(0);
  counts.forEach((count, i) => {
    const [low, high] = [own[i]!, own[i + 1]!];
    const last = edges.length - 2;
    for (let j = 0; j <= last; j++) {
      const [from, to] = [edges[j]!, edges[j + 1]!];
      if (high === low) {
        if (low >= from && (low < to || (j === last && low <= to))) shares[j]! += count / sum;
        continue;
      }
      const overlap = Math.min(high, to) - Math.max(low, from);
      if (overlap > 0) shares[j]! += ((overlap / (high - low)) * count) / sum;
    }
  });
  return shares;
}

/** `bins` bins of one width that hold all of the histograms. */
export function commonEdges(histograms: readonly Histogram[], bins: number): number[] {
  const low = Math.min(...histograms.map(({ edges }) => edges[0]!));
  const high = Math.max(...histograms.map(({ edges }) => edges.at(-1)!));
  return Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins);
}
