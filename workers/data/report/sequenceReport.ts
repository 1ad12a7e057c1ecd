import type { Preprocessing } from '#src/catalog/datasetInfo.ts';
import type { SequenceReport } from '#src/base/contracts/datasetReport.ts';
import type { ItemInfo } from '../read/readItemTable.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';

const SAMPLE_USERS = 5;
const SAMPLE_ITEMS = 12;
const RANKS_PER_DECADE = 20;
const TAIL_SHARE = 0.25;

/** (users) Interactions of each user. */
export function userLengths({ offsets, userCount }: SequenceDataset): Uint32Array {
  return Uint32Array.from({ length: userCount }, (_, user) => offsets[user + 1]! - offsets[user]!);
}

/** (items) Interactions of each item. */
export function itemCounts({ items, itemCount }: SequenceDataset): Uint32Array {
  const counts = new Uint32Array(itemCount);
  for (const item of items) counts[item]!++;
  return counts;
}

/** Part of the whole that the 25 % with fewest, rounded up, have. `sorted` in increasing order. */
function tailShare(sorted: Uint32Array, whole: number): number {
  let sum = 0;
  for (const count of sorted.subarray(0, Math.ceil(TAIL_SHARE * sorted.length))) sum += count;
  return whole === 0 ? 0 : sum / whole;
}

function histogram(lengths: Uint32Array): SequenceReport['lengthHistogram'] {
  const bins: SequenceReport['lengthHistogram'] = [];
  for (const length of lengths) {
    const bin = Math.floor(Math.log2(Math.max(1, length)));
    while (bins.length <= bin) bins.push({ from: 2 ** bins.length, to: 2 ** (bins.length + 1) - 1, users: 0 });
    bins[bin]!.users++;
  }
  return bins;
}

function popularityCurve(sorted: Uint32Array): SequenceReport['popularityCurve'] {
  const curve: SequenceReport['popularityCurve'] = [];
  for (let step = 0, last = 0; last < sorted.length; step++) {
    const rank = Math.min(sorted.length, Math.round(10 ** (step / RANKS_PER_DECADE)));
    if (rank > last) curve.push({ rank, interactions: sorted[sorted.length - rank]! });
    last = rank;
  }
  return curve;
}

function samples(dataset: SequenceDataset, info: ReadonlyMap<string, ItemInfo>): SequenceReport['samples'] {
  const { offsets, items, userCount, userIds, itemIds } = dataset;
  const step = Math.max(1, Math.floor(userCount / SAMPLE_USERS));
  return Array.from({ length: Math.min(SAMPLE_USERS, userCount) }, (_, place) => {
    const user = place * step;
    const own = items.subarray(offsets[user]!, offsets[user + 1]!);
    return {
      user: userIds[user]!,
      length: own.length,
      items: Array.from(own.subarray(0, SAMPLE_ITEMS), (item) => {
        const id = itemIds[item]!;
        const known = info.get(id);
        return { id, title: known?.title ?? null, genres: [...(known?.genres ?? [])] };
      }),
    };
  });
}

/** What a dataset of sequences holds; `comparisons` are left to the caller. `info`: titles and genres by item id. */
export function sequenceReport(dataset: SequenceDataset, info: ReadonlyMap<string, ItemInfo>): SequenceReport {
  const { userCount, itemCount, items } = dataset;
  const lengths = userLengths(dataset).sort();
  const counts = itemCounts(dataset).sort();
  const cells = userCount * itemCount;
  return {
    users: userCount,
    items: itemCount,
    interactions: items.length,
    density: cells === 0 ? 0 : items.length / cells,
    averageLength: userCount === 0 ? 0 : items.length / userCount,
    shortest: lengths[0] ?? 0,
    median: lengths[Math.floor(lengths.length / 2)] ?? 0,
    longest: lengths.at(-1) ?? 0,
    tailUserShare: tailShare(lengths, items.length),
    tailItemShare: tailShare(counts, items.length),
    lengthHistogram: histogram(lengths),
    popularityCurve: popularityCurve(counts),
    samples: samples(dataset, info),
    preparation: dataset.preparation === undefined ? null : { ...dataset.preparation },
    comparisons: [],
  };
}

/** A paper's preprocessing in words: `5-core`, `as it is`. */
export function preprocessingWords(how: Preprocessing = {}): string {
  const words: string[] = [];
  if (how.minimumRating !== undefined && how.minimumRating !== null) words.push(`ratings from ${how.minimumRating}`);
  if (how.duplicates !== undefined && how.duplicates !== 'keep') words.push(`${how.duplicates} of duplicates`);
  if (how.core !== undefined && how.core > 1) {
    words.push(how.coreRule === 'one-pass' ? `at least ${how.core}, counted once` : `${how.core}-core`);
  }
  if (how.maximumLength !== undefined && how.maximumLength !== null) words.push(`last ${how.maximumLength}`);
  return words.length === 0 ? 'as it is' : words.join(', ');
}
