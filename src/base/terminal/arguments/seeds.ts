import { badInput } from '#src/base/contracts/errors.ts';
import { LARGEST_SEED, parseSeedList } from '#src/base/lib/seedList.ts';

/** Seeds of `--seeds 1-5`, `1,2,7` or `1-3,8`: in the order given, each once. */
export function parseSeeds(text: string): number[] {
  const parsed = parseSeedList(text);
  if ('problem' in parsed) throw badInput(parsed.problem, '--seeds');
  return parsed.seeds;
}

/** A single seed of `--seed`. */
export function parseSeed(text: string): number {
  const trimmed = text.trim();
  const seed = Number(trimmed);
  if (/^\d+$/.test(trimmed) && seed <= LARGEST_SEED) return seed;
  throw badInput(`expected a whole number from 0 to ${LARGEST_SEED}, not "${trimmed}"`, '--seed');
}
