import type { OrderedSplit } from '../data/orderedSplit.ts';

/** What a recommender is asked for under a split that keeps several items of each user back, and what it may know. */
export interface HeldOut {
  /** Users with at least one target, in order. */
  users: Uint32Array;
  /** (users + 1) Targets of the `index`-th of them: `targets[offsets[index] .. offsets[index + 1]]`, different, ascending. */
  offsets: Uint32Array;
  targets: Uint32Array;
  /** All interactions of the `index`-th user before the part, in order of time. A view. */
  history(index: number): Uint32Array;
  /** Items that are no candidates for the `index`-th user: its history, or none. */
  excluded(index: number): Uint32Array;
}

const NONE = new Uint32Array(0);

/**
 * The validation part, known what trains; or the test part, known what trains and validates. With `excludeSeen` candidates are
 * the items that the user has not met before (LEPORID, Section 5.1), so that an item met again is no target either;
 * users without a target are not asked for. Users without a history are left out, too.
 */
export function heldOut(split: OrderedSplit, part: 'valid' | 'test', excludeSeen: boolean): HeldOut {
  const { dataset, trainEnd, validationEnd } = split;
  const { offsets: starts, items, userCount } = dataset;
  const from = part === 'valid' ? trainEnd : validationEnd;
  const to = part === 'valid' ? validationEnd : starts.subarray(1);
  const users: number[] = [];
  const offsets = [0];
  const targets: number[] = [];
  const known = (user: number): Uint32Array => items.subarray(starts[user]!, from[user]!);
  for (let user = 0; user < userCount; user++) {
    if (from[user] === starts[user]) continue;
    const wanted = new Set(items.subarray(from[user]!, to[user]!));
    if (excludeSeen) for (const item of known(user)) wanted.delete(item);
    if (wanted.size === 0) continue;
    users.push(user);
    targets.push(...Uint32Array.from(wanted).sort());
    offsets.push(targets.length);
  }
  const numbers = Uint32Array.from(users);
  return {
    users: numbers,
    offsets: Uint32Array.from(offsets),
    targets: Uint32Array.from(targets),
    history: (index) => known(numbers[index]!),
    excluded: (index) => (excludeSeen ? known(numbers[index]!) : NONE),
  };
}

/** The targets of the `index`-th user. A view. */
export function targetsOf({ offsets, targets }: HeldOut, index: number): Uint32Array {
  return targets.subarray(offsets[index]!, offsets[index + 1]!);
}
