/** Seeds are whole numbers from 0 to this one. */
export const LARGEST_SEED = 2 ** 31 - 1;
const MOST_SEEDS = 1000;

export type SeedList = { seeds: number[] } | { problem: string };

/** Seeds written as numbers and ranges, `1-5, 8`: in the order given, each once, at most 1,000; or what is wrong with the text. */
export function parseSeedList(text: string): SeedList {
  const seeds = new Set<number>();
  const parts = text
    .replace(/\s*-\s*/g, '-')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  if (parts.length === 0) return { problem: 'give at least one seed, such as 1 or 1-5' };
  for (const part of parts) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) return { problem: `"${part}" is neither a whole number nor a range such as 1-5` };
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first) return { problem: `the range "${part}" runs backwards: write ${last}-${first}` };
    if (last > LARGEST_SEED) return { problem: `"${part}" is too large: seeds end at ${LARGEST_SEED}` };
    if (seeds.size + last - first + 1 > MOST_SEEDS) return { problem: `at most ${MOST_SEEDS} seeds at once` };
    for (let seed = first; seed <= last; seed += 1) seeds.add(seed);
  }
  return { seeds: [...seeds] };
}

/** The shortest text that `parseSeedList` reads as these seeds, each once. */
export function formatSeedList(seeds: readonly number[]): string {
  const sorted = [...new Set(seeds)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (sorted[j + 1] === sorted[j]! + 1) j += 1;
    parts.push(j === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[j]}`);
    i = j + 1;
  }
  return parts.join(', ');
}
