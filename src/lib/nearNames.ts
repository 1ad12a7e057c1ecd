/** Edits (insert, remove, replace, swap of neighbours) that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/**
 * The names that a person may have meant by `wanted`: those that differ by few edits (a third of the length, at least
 * one), ignoring case, or that hold it or begin alike; nearest first, at most `limit`.
 */
export function nearNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const needle = wanted.toLowerCase();
  const found: { name: string; distance: number }[] = [];
  for (const name of new Set(names)) {
    const other = name.toLowerCase();
    const distance = editDistance(needle.slice(0, 100), other.slice(0, 100));
    const contained = needle.length >= 3 && (other.includes(needle) || (other.length >= 3 && needle.includes(other)));
    if (distance <= Math.max(1, Math.floor(needle.length / 3)) || contained) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map((entry) => entry.name);
}

/** ` Did you mean "a" or "b"?`, or an empty string when nothing is near. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const near = nearNames(wanted, names).map((name) => `"${name}"`);
  if (near.length === 0) return '';
  const last = near.at(-1)!;
  return ` Did you mean ${near.length === 1 ? last : `${near.slice(0, -1).join(', ')} or ${last}`}?`;
}
