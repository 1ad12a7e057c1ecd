import { badInput } from '#src/contracts/errors.ts';

const MAXIMUM_SEED = 2 ** 31 - 1;
const MAXIMUM_COUNT = 1000;

/** Seeds of `--seeds 1-5`, `1,2,7` or `1-3,8`: in the order given, each once. */
export function parseSeeds(text: string): number[] {
  const seeds = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
    if (match === null) throw badInput(`expected seeds such as 1-5 or 1,2,7, not "${text}"`, '--seeds');
    const first = seedNumber(match[1] ?? '', '--seeds');
    const last = match[2] === undefined ? first : seedNumber(match[2], '--seeds');
    if (last < first) throw badInput(`the range "${part.trim()}" runs backwards: write ${last}-${first}`, '--seeds');
    if (seeds.size + last - first + 1 > MAXIMUM_COUNT)
      throw badInput(`at most ${MAXIMUM_COUNT} seeds at once`, '--seeds');
    for (let seed = first; seed <= last; seed++) seeds.add(seed);
  }
  return [...seeds];
}

/** A single seed of `--seed`. */
export function parseSeed(text: string): number {
  return seedNumber(text.trim(), '--seed');
}

function seedNumber(text: string, option: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > MAXIMUM_SEED) {
    throw badInput(`expected a whole number from 0 to ${MAXIMUM_SEED}, not "${text}"`, option);
  }
  return seed;
}
