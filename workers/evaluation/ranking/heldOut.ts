import type { LeaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import type { OrderedSplit } from '#workers/data/split/orderedSplit.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';

/** Which items are ranked: what all recommenders are told alike. */
export interface Candidates {
  excludeSeen: boolean;
  /** With `excludeSeen`: whether the validation part counts as seen, too, when the test part is asked for. */
  seenItems?: 'training' | 'training-and-validation' | undefined;
}

/** What a recommender is asked for: some items of each user that were kept back, and what it may know. */
export interface HeldOut {
  readonly split: OrderedSplit;
  /** Whether each user has one target, whose rank counts; else the lists alone do. */
  readonly isSingle: boolean;
  /** Users with at least one target, in order. */
  readonly users: Uint32Array;
  /** (users + 1) Targets of the `index`-th of them: `targets[offsets[index] .. offsets[index + 1]]`, different, ascending. */
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** (users) Where in the dataset's items the history of each ends. */
  readonly ends: Uint32Array;
  /** All interactions of the `index`-th user before the part, in order of time. A view. */
  history(index: number): Uint32Array;
  /** Items that are no candidates for the `index`-th user, but for its targets. A view. */
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
    split,
    isSingle: false,
    users: numbers,
    offsets: Uint32Array.from(offsets),
    targets: Uint32Array.from(targets),
    ends: numbers.map((user) => from[user]!),
    history: (index) => known(numbers[index]!),
    excluded: (index) => (excludeSeen ? known(numbers[index]!) : NONE),
  };
}

/**
 * The last item but one of each evaluated user, known what trains; or the last item, known all before it. The target is one
 * also where the user has met it before.
 */
export function heldOutItem(
  split: LeaveOneOut,
  part: 'valid' | 'test',
  { excludeSeen, seenItems }: Candidates,
): HeldOut {
  const { dataset, evaluatedUsers: users, trainEnd, validationEnd, validation, test } = split;
  const ends = users.map((user) => (part === 'valid' ? trainEnd : validationEnd)[user]!);
  const known = (index: number): Uint32Array => dataset.items.subarray(dataset.offsets[users[index]!]!, ends[index]!);
  const seen = seenItems === 'training' ? (index: number) => trainingItems(split, users[index]!) : known;
  return {
    split,
    isSingle: true,
    users,
    offsets: Uint32Array.from({ length: users.length + 1 }, (_, index) => index),
    targets: users.map((user) => (part === 'valid' ? validation : test)[user]!),
    ends,
    history: known,
    excluded: (index) => (excludeSeen ? seen(index) : NONE),
  };
}

/** The targets of the `index`-th user. A view. */
export function targetsOf({ offsets, targets }: HeldOut, index: number): Uint32Array {
  return targets.subarray(offsets[index]!, offsets[index + 1]!);
}

/** (users) The target of each user, or the first of several. */
export function firstTargets({ users, offsets, targets }: HeldOut): Uint32Array {
  return users.map((_, index) => targets[offsets[index]!]!);
}
