import type { Interactions } from './interactions.ts';

/** What a filter leaves: 1 for each user and item that stays. */
export interface Kept {
  /** (users) */
  users: Uint8Array;
  /** (items) */
  items: Uint8Array;
}

/**
 * Users and items with at least `minimum` interactions, counted once and both at the same time: what is left may have fewer.
 */
export function onePassFilter(interactions: Interactions, minimum: number): Kept {
  const { users, items, userIds, itemIds } = interactions;
  const userCounts = new Uint32Array(userIds.length);
  const itemCounts = new Uint32Array(itemIds.length);
  for (let i = 0; i < users.length; i++) {
    userCounts[users[i]!]!++;
    itemCounts[items[i]!]!++;
  }
  const enough = (counts: Uint32Array): Uint8Array => Uint8Array.from(counts, (count) => (count >= minimum ? 1 : 0));
  return { users: enough(userCounts), items: enough(itemCounts) };
}

/**
 * The `core`-core: users and items with fewer than `core` interactions are removed, again and again, until none is left
 * with fewer. A pair that comes twice counts twice. The result does not depend on the order of removal.
 */
export function coreFilter(interactions: Interactions, core: number): Kept {
  const { users, items } = interactions;
  const kept: Kept = {
    users: new Uint8Array(interactions.userIds.length).fill(1),
    items: new Uint8Array(interactions.itemIds.length).fill(1),
  };
  const userCounts = new Uint32Array(kept.users.length);
  const itemCounts = new Uint32Array(kept.items.length);
  for (let changed = true; changed; ) {
    changed = false;
    userCounts.fill(0);
    itemCounts.fill(0);
    for (let i = 0; i < users.length; i++) {
      const user = users[i]!;
      const item = items[i]!;
      if (kept.users[user] === 0 || kept.items[item] === 0) continue;
      userCounts[user]!++;
      itemCounts[item]!++;
    }
    for (const [flags, counts] of [
      [kept.users, userCounts],
      [kept.items, itemCounts],
    ] as const) {
      for (let n = 0; n < flags.length; n++) {
        if (flags[n] === 0 || counts[n]! >= core) continue;
        flags[n] = 0;
        changed = true;
      }
    }
  }
  return kept;
}
