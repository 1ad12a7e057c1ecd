import { badInput } from '../base/contracts/errors.ts';
import { didYouMean } from '../base/lib/nearNames.ts';

/**
 * A generated dataset, as its name says it: `generated/markov-2000x1000` or `generated/markov-small-seed7`. Of reviews,
 * `users` counts the texts and `items` the words that there are.
 */
export interface GeneratedDataset {
  what: (typeof GENERATORS)[number];
  users: number;
  items: number;
  seed: number;
}

export const GENERATED_PREFIX = 'generated/';

/**
 * What can be generated. `markov`: first-order transitions inside clusters of items, power-law popularity. `clusters`: the
 * same without any order. `drift`: clusters whose time comes and goes, on one clock. `blocks`: a bipartite graph of blocks.
 * `reviews`: texts, good or bad, of words of which some are one class's.
 */
export const GENERATORS = ['markov', 'clusters', 'drift', 'blocks', 'reviews'] as const;

const SIZES: Readonly<Record<string, { users: number; items: number }>> = {
  small: { users: 300, items: 120 },
  medium: { users: 3_000, items: 1_000 },
  large: { users: 30_000, items: 10_000 },
};
const MOST_USERS = 2_000_000;
const MOST_ITEMS = 1_000_000;

/** Names that show what can be asked for. */
export const GENERATED_EXAMPLES: readonly string[] = GENERATORS.flatMap((what) =>
  Object.keys(SIZES).map((size) => `${GENERATED_PREFIX}${what}-${size}`),
);

export function isGenerated(name: string): boolean {
  return name.startsWith(GENERATED_PREFIX);
}

/** What a generated dataset holds. */
export function generatedHolds(what: GeneratedDataset['what']): 'sequences' | 'text' {
  return what === 'reviews' ? 'text' : 'sequences';
}

/**
 * Reads `generated/<what>-<size>[-seed<N>]`, where the size is small, medium, large or `<users>x<items>`; the seed is 1
 * unless given. Throws BAD_INPUT for anything else.
 */
export function parseGeneratedName(name: string): GeneratedDataset {
  const expected = `expected ${GENERATED_PREFIX}<what>-<users>x<items>[-seed<N>] or one of ${GENERATED_EXAMPLES.join(', ')}`;
  const match = /^generated\/([a-z]+)-([a-z]+|(\d{1,9})x(\d{1,9}))(?:-seed(\d{1,9}))?$/.exec(name);
  const what = GENERATORS.find((generator) => generator === match?.[1]);
  const named = SIZES[match?.[2] ?? ''];
  const users = named?.users ?? Number(match?.[3]);
  const items = named?.items ?? Number(match?.[4]);
  if (match === null || what === undefined || Number.isNaN(users) || Number.isNaN(items)) {
    throw badInput(`dataset "${name}": ${expected}.${didYouMean(name, GENERATED_EXAMPLES)}`, 'dataset.name');
  }
  if (users < 1 || users > MOST_USERS || items < 2 || items > MOST_ITEMS) {
    throw badInput(`dataset "${name}": expected 1 to ${MOST_USERS} users and 2 to ${MOST_ITEMS} items`, 'dataset.name');
  }
  return { what, users, items, seed: match[5] === undefined ? 1 : Number(match[5]) };
}
