import { PARTS } from '../prepare/interactions.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import type { OrderedSplit } from './orderedSplit.ts';

/**
 * The split in which each interaction has a part of its own, a place in `PARTS`: its dataset has each user's training interactions
 * first, then those to validate and to test on, each in the order that they had. `parts` (interactions).
 */
export function splitByPart(dataset: SequenceDataset, parts: Uint8Array): OrderedSplit {
  const { offsets, userCount, times } = dataset;
  const items = new Uint32Array(dataset.items.length);
  const movedTimes = times === undefined ? undefined : new Float64Array(times.length);
  const movedParts = dataset.parts === undefined ? undefined : new Uint8Array(parts.length);
  const ends = PARTS.map(() => new Uint32Array(userCount));
  for (let user = 0; user < userCount; user++) {
    let to = offsets[user]!;
    for (const [part, end] of ends.entries()) {
      for (let from = offsets[user]!; from < offsets[user + 1]!; from++) {
        if (parts[from] !== part) continue;
        items[to] = dataset.items[from]!;
        if (movedTimes !== undefined) movedTimes[to] = times![from]!;
        if (movedParts !== undefined) movedParts[to] = dataset.parts![from]!;
        to++;
      }
      end[user] = to;
    }
  }
  const moved = {
    ...dataset,
    items,
    ...(movedTimes !== undefined && { times: movedTimes }),
    ...(movedParts !== undefined && { parts: movedParts }),
  };
  return { dataset: moved, trainEnd: ends[0]!, validationEnd: ends[1]! };
}
