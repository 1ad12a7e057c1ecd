const MAXIMUM_SEEDS = 1000;
const LARGEST_SEED = 2 ** 31 - 1;

export type ParsedSeeds = { seeds: number[] } | { message: string };

/** Seeds written as a list with ranges, `1-5, 8`: whole numbers from 0, each once, at most 1,000. */
export function parseSeeds(text: string): ParsedSeeds {
  const seeds = new Set<number>();
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.length === 0) return { message: 'Give at least one seed, such as 1 or 1-5.' };
  for (const part of parts) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) return { message: `“${part}” is neither a whole number nor a range such as 1-5.` };
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last > LARGEST_SEED) return { message: `Seeds end at ${LARGEST_SEED}.` };
    if (last < first) return { message: `The range ${part} runs backwards: write ${last}-${first}.` };
    if (seeds.size + last - first + 1 > MAXIMUM_SEEDS) return { message: `At most ${MAXIMUM_SEEDS} seeds at once.` };
    for (let seed = first; seed <= last; seed += 1) seeds.add(seed);
  }
  return { seeds: [...seeds] };
}

/** The shortest text that `parseSeeds` reads as these seeds, each once. */
export function formatSeeds(seeds: readonly number[]): string {
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
