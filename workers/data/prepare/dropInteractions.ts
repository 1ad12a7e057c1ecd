import type { Interactions } from './interactions.ts';

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
export function dropLowRatings(interactions: Interactions, minimum: number): Interactions | null {
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
export function dropDuplicates(interactions: Interactions, which: 'first' | 'last'): Interactions {
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
