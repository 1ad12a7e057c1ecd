/** What is compared of a name. */
const LONGEST = 100;
/** Names that differ by more are not near, however long they are. */
const MOST_EDITS = 12;
/** Steps of comparing letters that one search may take, so that long lists of long names take no time. */
const MOST_STEPS = 100_000;

/** What a search may still do. */
interface Budget {
  steps: number;
}

/**
 * The edits that turn `a` into `b` where they are at most `limit`; null where there are more, or the budget is used up.
 * Only the cells that so few edits can reach are filled.
 */
function editsWithin(a: string, b: string, { limit, budget }: { limit: number; budget: Budget }): number | null {
  if (Math.abs(a.length - b.length) > limit || budget.steps <= 0) return null;
  const beyond = limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, beyond));
  for (let i = 1; i <= a.length; i++) {
    const [from, to] = [Math.max(1, i - limit), Math.min(b.length, i + limit)];
    budget.steps -= to - from + 1;
    if (budget.steps <= 0) return null;
    const row: number[] = new Array(b.length + 1);
    row[from - 1] = from === 1 ? Math.min(i, beyond) : beyond;
    if (to < b.length) row[to + 1] = beyond;
    let least = row[from - 1]!;
    for (let j = from; j <= to; j++) {
      const replace = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, replace, beyond);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1);
      row[j] = best;
      least = Math.min(least, best);
    }
    if (least > limit) return null;
    beforeLast = last;
    last = row;
  }
  const edits = last[b.length]!;
  return edits > limit ? null : edits;
}

/** Edits (insert, remove, replace, swap of neighbours) that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  const limit = Math.max(a.length, b.length);
  return editsWithin(a, b, { limit, budget: { steps: Number.POSITIVE_INFINITY } }) ?? limit;
}

/**
 * The names that a person may have meant by `wanted`: those that differ by few edits (a third of the length, at least
 * one), ignoring case, or that hold it or begin alike; nearest first, at most `limit`. It takes a few milliseconds at most:
 * of very many long names the last are only looked at for holding it.
 */
export function nearNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const needle = wanted.slice(0, LONGEST).toLowerCase();
  const mostEdits = Math.min(MOST_EDITS, Math.max(1, Math.floor(needle.length / 3)));
  const budget = { steps: MOST_STEPS };
  const found: { name: string; distance: number }[] = [];
  for (const name of new Set(names)) {
    const other = name.slice(0, LONGEST).toLowerCase();
    const distance = editsWithin(needle, other, { limit: mostEdits, budget });
    const contained = needle.length >= 3 && (other.includes(needle) || (other.length >= 3 && needle.includes(other)));
    if (distance !== null) found.push({ name, distance });
    else if (contained) found.push({ name, distance: Math.max(mostEdits + 1, Math.abs(needle.length - other.length)) });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map((entry) => entry.name);
}

/** ` Did you mean "a" or "b"?`, or an empty string when nothing is near. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  return oneOf(nearNames(wanted, names));
}

/** An answer names so many of what there is. */
const MOST_NAMED = 12;

/** ` Did you mean "a"?`, or where nothing is near what there is: ` There are a, b, c and 30 more.`; an empty string of nothing. */
export function meantOrThere(wanted: string, names: readonly string[]): string {
  return didYouMean(wanted, names) || thereAre(names);
}

/** ` There are a, b, c and 30 more.`; an empty string of nothing. */
export function thereAre(names: readonly string[]): string {
  if (names.length === 0) return '';
  const rest = names.length - MOST_NAMED;
  return rest <= 1
    ? ` There are ${names.join(', ')}.`
    : ` There are ${names.slice(0, MOST_NAMED).join(', ')} and ${rest} more.`;
}

/** ` Did you mean "a" or "b"?` of what may have been meant; an empty string of nothing. */
export function oneOf(names: readonly string[]): string {
  const near = names.map((name) => `"${name}"`);
  if (near.length === 0) return '';
  const last = near.at(-1)!;
  return ` Did you mean ${near.length === 1 ? last : `${near.slice(0, -1).join(', ')} or ${last}`}?`;
}
