/** Characters that a head of a table shows without being cut. */
const SHOWN = 26;
/** Of what several begin with alike, so much is kept to recognize it. */
const KEPT = 8;
/** Where a name can be cut: behind a blank, a dash, a slash and the like. */
const BOUNDARY = /[\s\-_/·=:]/;
/** A word so short before the one that differs is kept with it: it may say what it is, as `lr` of `lr-0.01`. */
const SHORT_WORD = 15;

/**
 * Long names so that the part in which they differ is seen first: what a name has in common with another one at its beginning is
 * cut to a few characters, `sasrec-b… lr-0.01` for `sasrec-beauty-2026-11-lr-0.01`. Short names and names that begin like no other
 * stay, and so do all when two would be alike.
 */
export function differingParts(names: readonly string[], shown: number = SHOWN): string[] {
  const cut = names.map((name, index) => {
    if (name.length <= shown) return name;
    let common = 0;
    for (const [other, text] of names.entries()) {
      if (other !== index && text !== name) common = Math.max(common, commonStart(name, text));
    }
    const from = startOfDifference(name, common);
    return from <= KEPT + 2 ? name : `${name.slice(0, KEPT)}… ${name.slice(from)}`;
  });
  return new Set(cut).size === new Set(names).size ? cut : [...names];
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return length;
}

/** Where what differs begins, with the short word before it. */
function startOfDifference(name: string, common: number): number {
  const from = boundaryBefore(name, common);
  const before = boundaryBefore(name, from - 1);
  return from - before <= SHORT_WORD ? before : from;
}

/** The start of the word in which the first difference lies. */
function boundaryBefore(text: string, place: number): number {
  for (let at = Math.min(place, text.length - 1); at > 0; at -= 1) if (BOUNDARY.test(text[at - 1]!)) return at;
  return 0;
}
