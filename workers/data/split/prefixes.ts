/** One prefix: `items[start .. end)` is known, `items[end]` is what followed. */
export interface Prefix {
  user: number;
  start: number;
  end: number;
}

/** Every prefix of every user's training items, as numbers: none is stored. */
export interface Prefixes {
  count: number;
  /** Prefix `index`, from 0: users in order, the shortest prefix first. */
  at(index: number): Prefix;
}

/**
 * Prefix augmentation (GRU4Rec's training, and OverRec's neighbours): of items x_1 … x_n of a user the pairs
 * (x_1 … x_q → x_(q+1)) for q from `shortest` to n - 1, each cut to its last `maximumLength` items. Takes memory of one
 * number a user, whatever the number of prefixes; `at` takes a binary search. `offsets` and `ends` (users): where the
 * items of each user start, and where those that train end.
 */
export function prefixes(
  offsets: Uint32Array,
  ends: Uint32Array,
  { shortest = 1, maximumLength = Number.POSITIVE_INFINITY }: { shortest?: number; maximumLength?: number } = {},
): Prefixes {
  const firstOf = new Float64Array(ends.length + 1);
  for (let user = 0; user < ends.length; user++) {
    firstOf[user + 1] = firstOf[user]! + Math.max(0, ends[user]! - offsets[user]! - shortest);
  }
  const count = firstOf[ends.length]!;
  return {
    count,
    at(index) {
      if (!(index >= 0 && index < count)) throw new Error(`internal: prefix ${index} of ${count}`);
      let low = 0;
      let high = ends.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (firstOf[middle]! <= index) low = middle;
        else high = middle - 1;
      }
      const end = offsets[low]! + shortest + (index - firstOf[low]!);
      return { user: low, start: Math.max(offsets[low]!, end - maximumLength), end };
    },
  };
}
