import type { Kept } from './coreFilter.ts';
import type { Interactions } from './interactions.ts';
import type { SequenceDataset } from './sequenceDataset.ts';

/** The rows of a dataset, before it has a name and a fingerprint. */
export type SequenceRows = Omit<SequenceDataset, 'name' | 'fingerprint' | 'preparation'>;

/** New numbers of what is kept, by first appearance in `values` among the kept interactions; -1 for the others. */
function byAppearance(values: Uint32Array, kept: Kept, interactions: Interactions): Int32Array {
  const { users, items } = interactions;
  const numbers = new Int32Array(values === users ? kept.users.length : kept.items.length).fill(-1);
  let next = 0;
  for (let i = 0; i < values.length; i++) {
    if (kept.users[users[i]!] === 0 || kept.items[items[i]!] === 0) continue;
    const value = values[i]!;
    if (numbers[value] === -1) numbers[value] = next++;
  }
  return numbers;
}

/** New numbers of what is kept, by the number that the id is; -1 for the others. */
function byNumber(ids: readonly string[], kept: Uint8Array): Int32Array {
  const values = Float64Array.from(ids, Number);
  const order = Uint32Array.from(ids.keys())
    .filter((index) => kept[index] === 1)
    .sort((a, b) => values[a]! - values[b]!);
  const numbers = new Int32Array(ids.length).fill(-1);
  for (const [number, index] of order.entries()) numbers[index] = number;
  return numbers;
}

function namesOf(ids: readonly string[], numbers: Int32Array): string[] {
  let count = 0;
  for (const number of numbers) if (number >= 0) count++;
  const names = new Array<string>(count).fill('');
  for (const [index, number] of numbers.entries()) if (number >= 0) names[number] = ids[index]!;
  return names;
}

/** What grouping met: users that had to be sorted, and interactions whose order is only that of the file. */
export interface TimeFacts {
  unsortedUsers: number;
  /** Null without times. */
  ties: { interactions: number; users: number; lastItems: number } | null;
}

/** Sorts each user's items by time, keeping the order of equal times. Returns how many users it had to sort. */
function sortByTime(
  offsets: Uint32Array,
  { items, times, parts }: { items: Uint32Array; times: Float64Array; parts: Uint8Array | null },
): number {
  let unsorted = 0;
  for (let user = 0; user + 1 < offsets.length; user++) {
    const start = offsets[user]!;
    const end = offsets[user + 1]!;
    let sorted = true;
    for (let i = start + 1; i < end && sorted; i++) sorted = times[i]! >= times[i - 1]!;
    if (sorted) continue;
    unsorted++;
    const before = items.slice(start, end);
    const keys = times.slice(start, end);
    const partsBefore = parts?.slice(start, end);
    const order = Uint32Array.from(before.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
    for (let place = 0; place < order.length; place++) {
      items[start + place] = before[order[place]!]!;
      times[start + place] = keys[order[place]!]!;
      if (parts !== null) parts[start + place] = partsBefore![order[place]!]!;
    }
  }
  return unsorted;
}

function countTies(offsets: Uint32Array, times: Float64Array): NonNullable<TimeFacts['ties']> {
  const ties = { interactions: 0, users: 0, lastItems: 0 };
  for (let user = 0; user + 1 < offsets.length; user++) {
    const start = offsets[user]!;
    const end = offsets[user + 1]!;
    let tied = 0;
    for (let i = start; i < end; i++) {
      const time = times[i]!;
      if ((i > start && times[i - 1] === time) || (i + 1 < end && times[i + 1] === time)) tied++;
    }
    ties.interactions += tied;
    if (tied > 0) ties.users++;
    if (end - start >= 2 && times[end - 1] === times[end - 2]) ties.lastItems++;
  }
  return ties;
}

/**
 * Groups the kept interactions by user, in order of time, stable: equal times keep the order of the file. Users are
 * numbered by first appearance among the kept interactions, items by `interactions.itemOrder`.
 */
export function groupByUser(interactions: Interactions, kept: Kept): SequenceRows {
  return groupWithFacts(interactions, kept).rows;
}

/** As `groupByUser`, with what was met on the way. */
export function groupWithFacts(interactions: Interactions, kept: Kept): { rows: SequenceRows; facts: TimeFacts } {
  const { users, items, times } = interactions;
  const userNumbers = byAppearance(users, kept, interactions);
  const itemNumbers =
    interactions.itemOrder === 'number'
      ? byNumber(interactions.itemIds, kept.items)
      : byAppearance(items, kept, interactions);
  const userIds = namesOf(interactions.userIds, userNumbers);
  const itemIds = namesOf(interactions.itemIds, itemNumbers);

  const offsets = new Uint32Array(userIds.length + 1);
  for (let i = 0; i < users.length; i++) {
    const user = userNumbers[users[i]!]!;
    if (user >= 0 && itemNumbers[items[i]!]! >= 0) offsets[user + 1]!++;
  }
  for (let user = 0; user < userIds.length; user++) offsets[user + 1]! += offsets[user]!;
  const total = offsets[userIds.length]!;

  const next = offsets.slice(0, userIds.length);
  const grouped = new Uint32Array(total);
  const groupedTimes = times === null ? null : new Float64Array(total);
  const groupedParts = interactions.parts === undefined ? null : new Uint8Array(total);
  for (let i = 0; i < users.length; i++) {
    const user = userNumbers[users[i]!]!;
    const item = itemNumbers[items[i]!]!;
    if (user < 0 || item < 0) continue;
    const place = next[user]!++;
    grouped[place] = item;
    if (groupedTimes !== null && times !== null) groupedTimes[place] = times[i]!;
    if (groupedParts !== null) groupedParts[place] = interactions.parts![i]!;
  }
  const unsortedUsers =
    groupedTimes === null ? 0 : sortByTime(offsets, { items: grouped, times: groupedTimes, parts: groupedParts });
  const rows: SequenceRows = {
    offsets,
    items: grouped,
    userCount: userIds.length,
    itemCount: itemIds.length,
    userIds,
    itemIds,
    ...(groupedTimes !== null && interactions.clock === true ? { times: groupedTimes } : {}),
    ...(groupedParts === null ? {} : { parts: groupedParts }),
  };
  return { rows, facts: { unsortedUsers, ties: groupedTimes === null ? null : countTies(offsets, groupedTimes) } };
}
