import type { TrainingPart } from '../data/split/trainingPart.ts';
import { type Incidence, incidence } from './incidence.ts';

/** Rows and columns that are mirrored at once: both fit the first-level cache. */
const MIRRORED = 32;

/** (items, items) In how many users' training each two items are: A'A of the binary matrix A, its diagonal included. */
export function coOccurrences(training: TrainingPart): Float64Array {
  const { itemCount } = training.dataset;
  const counts = lowerCoOccurrences(incidence(training));
  for (let top = 0; top < itemCount; top += MIRRORED) {
    for (let left = 0; left <= top; left += MIRRORED) {
      const end = Math.min(top + MIRRORED, itemCount);
      for (let row = top; row < end; row++) {
        const last = Math.min(left + MIRRORED, row);
        for (let column = left; column < last; column++) {
          counts[column * itemCount + row] = counts[row * itemCount + column]!;
        }
      }
    }
  }
  return counts;
}

/** The same on and below the diagonal; above it is zero. */
export function lowerCoOccurrences(met: Incidence): Float64Array {
  const itemCount = met.itemOffsets.length - 1;
  const counts = new Float64Array(itemCount * itemCount);
  const lower = new LowerCounts(met);
  for (let item = 0; item < itemCount; item++) {
    const row = lower.countNext();
    counts.set(row.subarray(0, item + 1), item * itemCount);
  }
  return counts;
}

/** Rows of the matrix of co-occurrences, the lowest item first, up to the diagonal. */
export class LowerCounts {
  readonly #met: Incidence;
  readonly #sorted: Uint32Array;
  /** (users) Behind the items of each that are counted: those lower than the next. */
  readonly #ends: Uint32Array;
  readonly #row: Uint32Array;
  #item = 0;

  constructor(met: Incidence) {
    this.#met = met;
    this.#sorted = itemsInOrder(met);
    this.#ends = met.userOffsets.slice(0, -1);
    this.#row = new Uint32Array(met.itemOffsets.length - 1);
  }

  /** The next item's row: entries up to its own are valid until the next call. */
  countNext(): Uint32Array {
    const { itemOffsets } = this.#met;
    const item = this.#item++;
    this.#row.fill(0, 0, item + 1);
    for (let at = itemOffsets[item]!; at < itemOffsets[item + 1]!; at++) this.#addUser(this.#met.itemUsers[at]!);
    return this.#row;
  }

  /** As `countNext`, but tells of each lower item that shares users with the next one, in no particular order. */
  visitNext(visit: (item: number, other: number, common: number) => void): void {
    const { userOffsets, itemOffsets, itemUsers } = this.#met;
    const row = this.#row;
    const item = this.#item++;
    let added = 0;
    for (let at = itemOffsets[item]!; at < itemOffsets[item + 1]!; at++) added += this.#addUser(itemUsers[at]!);
    row[item] = 0;
    if (added > item) {
      for (let other = 0; other < item; other++) if (row[other]! > 0) visit(item, other, row[other]!);
      row.fill(0, 0, item);
      return;
    }
    for (let at = itemOffsets[item]!; at < itemOffsets[item + 1]!; at++) {
      const user = itemUsers[at]!;
      for (let place = userOffsets[user]!; place < this.#ends[user]! - 1; place++) {
        const other = this.#sorted[place]!;
        if (row[other] === 0) continue;
        visit(item, other, row[other]!);
        row[other] = 0;
      }
    }
  }

  /** Adds the items of a user of the next item, up to it; returns how many. */
  #addUser(user: number): number {
    const from = this.#met.userOffsets[user]!;
    const to = ++this.#ends[user]!;
    addOnes(this.#row, this.#sorted, from, to);
    return to - from;
  }
}

function addOnes(row: Uint32Array, places: Uint32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) row[places[at]!]!++;
}

/** `userItems` with the items of each user in ascending order. */
function itemsInOrder({ userOffsets, itemOffsets, itemUsers }: Incidence): Uint32Array {
  const next = userOffsets.slice();
  const sorted = new Uint32Array(itemUsers.length);
  for (let item = 0; item + 1 < itemOffsets.length; item++) {
    for (let at = itemOffsets[item]!; at < itemOffsets[item + 1]!; at++) sorted[next[itemUsers[at]!]!++] = item;
  }
  return sorted;
}
