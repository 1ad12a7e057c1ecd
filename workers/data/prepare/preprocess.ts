import type { DatasetSelection } from '#src/catalog/datasetSelection.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coreFilter, onePassFilter } from './coreFilter.ts';
import type { Interactions } from './interactions.ts';
import { fingerprint } from '../load/fingerprint.ts';
import { groupWithFacts, type SequenceRows, type TimeFacts } from './groupByUser.ts';
import type { Preparation } from './preparation.ts';
import type { SequenceDataset } from './sequenceDataset.ts';

/** The interactions whose flag is 1, in their order; ids keep their numbers. `flags` (interactions). */
function compact(interactions: Interactions, flags: Uint8Array): Interactions {
  const picked = Uint32Array.from(flags.keys()).filter((i) => flags[i] === 1);
  const { users, items, times, ratings, parts } = interactions;
  return {
    ...interactions,
    users: picked.map((i) => users[i]!),
    items: picked.map((i) => items[i]!),
    times: times === null ? null : Float64Array.from(picked, (i) => times[i]!),
    ...(parts === undefined ? {} : { parts: Uint8Array.from(picked, (i) => parts[i]!) }),
    ...(ratings ? { ratings: Float32Array.from(picked, (i) => ratings[i]!) } : {}),
  };
}

/** Leaves the interactions that have a rating of at least `minimum`; null where the file has no ratings. */
function dropLowRatings(interactions: Interactions, minimum: number): Interactions | null {
  const { ratings } = interactions;
  if (!ratings) return null;
  return compact(
    interactions,
    Uint8Array.from(ratings, (rating) => (rating >= minimum ? 1 : 0)),
  );
}

/**
 * Leaves one interaction of each pair of user and item: the first or the last in time (of equal times, in the order of
 * the file).
 */
function dropDuplicates(interactions: Interactions, which: 'first' | 'last'): Interactions {
  const { users, items, times, userIds, itemIds } = interactions;
  const starts = new Uint32Array(userIds.length + 1);
  for (const user of users) starts[user + 1]!++;
  for (let user = 0; user < userIds.length; user++) starts[user + 1]! += starts[user]!;
  const next = starts.slice(0, userIds.length);
  const byUser = new Uint32Array(users.length);
  for (let i = 0; i < users.length; i++) byUser[next[users[i]!]!++] = i;

  const flags = new Uint8Array(users.length);
  const best = new Int32Array(itemIds.length).fill(-1);
  const better = (candidate: number, held: number): boolean => {
    if (times === null || times[candidate] === times[held]) return which === 'last';
    return which === 'last' ? times[candidate]! > times[held]! : times[candidate]! < times[held]!;
  };
  for (let user = 0; user < userIds.length; user++) {
    const own = byUser.subarray(starts[user]!, starts[user + 1]!);
    for (const i of own) {
      const held = best[items[i]!]!;
      if (held !== -1 && !better(i, held)) continue;
      if (held !== -1) flags[held] = 0;
      flags[i] = 1;
      best[items[i]!] = i;
    }
    for (const i of own) best[items[i]!] = -1;
  }
  return compact(interactions, flags);
}

export type Preprocessing = Pick<
  DatasetSelection,
  'core' | 'coreRule' | 'minimumRating' | 'duplicates' | 'maximumLength'
>;

type Counts = Preparation['read'];

function countsOf({ userCount, itemCount, items }: SequenceRows): Counts {
  return { users: userCount, items: itemCount, interactions: items.length };
}

function nothingLeft(name: string, before: Counts, what: { left: string; remedy: string; path: string }): WarrenError {
  const had = `${before.users} users, ${before.items} items, ${before.interactions} interactions before`;
  return new WarrenError('DATA_ERROR', `dataset "${name}": ${what.left} (${had}). ${what.remedy}`, { path: what.path });
}

function refuseLowRatings(interactions: Interactions, name: string, minimum: number | null): Interactions {
  if (minimum === null) return interactions;
  const left = dropLowRatings(interactions, minimum);
  if (left !== null) return left;
  throw new WarrenError(
    'DATA_ERROR',
    `dataset "${name}" has no ratings, so minimumRating ${minimum} cannot be applied. Leave it at null`,
    { path: 'dataset.minimumRating' },
  );
}

/** The last `maximum` interactions of each user; items keep their numbers, met or not. */
function cutLength(rows: SequenceRows, maximum: number | null): SequenceRows {
  if (maximum === null) return rows;
  const offsets = new Uint32Array(rows.userCount + 1);
  for (let user = 0; user < rows.userCount; user++) {
    const length = rows.offsets[user + 1]! - rows.offsets[user]!;
    offsets[user + 1] = offsets[user]! + Math.min(maximum, length);
  }
  const total = offsets[rows.userCount]!;
  if (total === rows.items.length) return rows;
  const items = new Uint32Array(total);
  const times = rows.times === undefined ? undefined : new Float64Array(total);
  const parts = rows.parts === undefined ? undefined : new Uint8Array(total);
  for (let user = 0; user < rows.userCount; user++) {
    const end = rows.offsets[user + 1]!;
    const start = end - (offsets[user + 1]! - offsets[user]!);
    items.set(rows.items.subarray(start, end), offsets[user]!);
    times?.set(rows.times!.subarray(start, end), offsets[user]!);
    parts?.set(rows.parts!.subarray(start, end), offsets[user]!);
  }
  return {
    ...rows,
    offsets,
    items,
    ...(times === undefined ? {} : { times }),
    ...(parts === undefined ? {} : { parts }),
  };
}

function repeatsIn({ offsets, items, userCount, itemCount }: SequenceRows): number {
  const metBy = new Uint32Array(itemCount);
  let repeats = 0;
  for (let user = 0; user < userCount; user++) {
    for (let i = offsets[user]!; i < offsets[user + 1]!; i++) {
      const item = items[i]!;
      if (metBy[item] === user + 1) repeats++;
      metBy[item] = user + 1;
    }
  }
  return repeats;
}

function singleItemUsers({ offsets, userCount }: SequenceRows): number {
  let single = 0;
  for (let user = 0; user < userCount; user++) if (offsets[user + 1]! - offsets[user]! === 1) single++;
  return single;
}

/** Facts for the whole of what is left; after a cut they count what was there before it. */
interface Left {
  rows: SequenceRows;
  facts: TimeFacts;
}

/**
 * Makes a dataset of what a reader found, in this order: fingerprint of all that was read; ratings below `minimumRating`
 * out; duplicates out; users and items below `core` out, once or until none is left; last `maximumLength` interactions
 * of each user. `preparation` says what each step did; its ties are counted before `maximumLength`. Throws DATA_ERROR
 * where nothing is left.
 */
export function preprocess(interactions: Interactions, name: string, how: Preprocessing): SequenceDataset {
  const all: Left = groupWithFacts(interactions, coreFilter(interactions, 1));
  const print = fingerprint(all.rows);
  const rated = refuseLowRatings(interactions, name, how.minimumRating);
  const single = how.duplicates === 'keep' ? rated : dropDuplicates(rated, how.duplicates);
  if (single.items.length === 0) {
    const left = `no interaction has a rating of ${how.minimumRating} or more`;
    throw nothingLeft(name, countsOf(all.rows), {
      left,
      remedy: 'Choose a lower minimumRating',
      path: 'dataset.minimumRating',
    });
  }
  const before = single === interactions ? all : groupWithFacts(single, coreFilter(single, 1));
  const kept = how.core <= 1 ? before : filterCore(single, how);
  if (kept.rows.items.length === 0) {
    throw nothingLeft(name, countsOf(before.rows), {
      left: `its ${how.core}-core is empty`,
      remedy: 'Choose a smaller core',
      path: 'dataset.core',
    });
  }
  const rows = cutLength(kept.rows, how.maximumLength);
  const preparation: Preparation = {
    read: countsOf(all.rows),
    skippedLines: interactions.skipped === undefined || interactions.skipped.count === 0 ? null : interactions.skipped,
    belowMinimumRating: interactions.items.length - rated.items.length,
    duplicatesRemoved: rated.items.length - single.items.length,
    belowCore: {
      users: before.rows.userCount - kept.rows.userCount,
      items: before.rows.itemCount - kept.rows.itemCount,
      interactions: before.rows.items.length - kept.rows.items.length,
    },
    cutByLength: kept.rows.items.length - rows.items.length,
    repeats: repeatsIn(rows),
    singleItemUsers: singleItemUsers(rows),
    unsortedUsers: kept.facts.unsortedUsers,
    ties: kept.facts.ties,
  };
  return { name, fingerprint: print, ...rows, preparation };
}

function filterCore(interactions: Interactions, { core, coreRule }: Preprocessing): Left {
  const kept = coreRule === 'one-pass' ? onePassFilter(interactions, core) : coreFilter(interactions, core);
  return groupWithFacts(interactions, kept);
}
