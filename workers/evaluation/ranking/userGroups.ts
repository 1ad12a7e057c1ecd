/** Some of the ranked users, by their place among them. */
export interface UserGroup {
  /** Part of a metric's name. */
  name: string;
  members: Uint32Array;
}

const TAIL_SHARE = 0.25;
const LENGTHS: readonly (readonly [name: string, from: number, to: number])[] = [
  ['length-1-4', 1, 4],
  ['length-5-9', 5, 9],
  ['length-10-19', 10, 19],
  ['length-20-49', 20, 49],
  ['length-50-up', 50, Number.POSITIVE_INFINITY],
];

function group(name: string, size: number, has: (user: number) => boolean): UserGroup {
  return { name, members: Uint32Array.from({ length: size }, (_, user) => user).filter(has) };
}

/**
 * The 25 % of users with fewest interactions, rounded up (LEPORID, Table 2); of users with equally many the first.
 * `interactions` (users).
 */
export function tailUsers(interactions: ArrayLike<number>): UserGroup {
  const order = Uint32Array.from({ length: interactions.length }, (_, user) => user);
  order.sort((a, b) => interactions[a]! - interactions[b]! || a - b);
  return { name: 'tail', members: order.slice(0, Math.ceil(TAIL_SHARE * order.length)).sort() };
}

/** Users by the length of the history that predictions are made from, in fixed steps. `lengths` (users). */
export function lengthGroups(lengths: ArrayLike<number>): UserGroup[] {
  return LENGTHS.map(([name, from, to]) =>
    group(name, lengths.length, (user) => lengths[user]! >= from && lengths[user]! <= to),
  );
}

/**
 * Users by how popular their target is: the most popular items that hold a third of the training interactions, those that
 * hold the next third, and all others. Items of equal popularity stand in the order of their numbers.
 * @param targets (users) Items.
 * @param popularity (items)
 */
export function targetGroups(targets: ArrayLike<number>, popularity: Uint32Array): UserGroup[] {
  const order = Uint32Array.from(popularity.keys()).sort((a, b) => popularity[b]! - popularity[a]! || a - b);
  const total = popularity.reduce((sum, count) => sum + count, 0);
  const third = new Uint8Array(popularity.length);
  let before = 0;
  for (const item of order) {
    third[item] = popularity[item] === 0 ? 2 : Math.min(2, Math.floor((3 * before) / total));
    before += popularity[item]!;
  }
  return ['target-popular', 'target-middle', 'target-rare'].map((name, index) =>
    group(name, targets.length, (user) => third[targets[user]!] === index),
  );
}
