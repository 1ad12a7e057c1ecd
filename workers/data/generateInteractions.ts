import type { GeneratedDataset } from '../../src/catalog/generatedDatasets.ts';
import { assertNever } from '../../src/lib/assertNever.ts';
import { generateBlocks } from './generateBlocks.ts';
import { generateClusters, generateDrift } from './generateClusters.ts';
import { generateMarkov } from './generateMarkov.ts';
import type { Interactions } from './interactions.ts';

/** The data that a generated dataset's name stands for. */
export function generateInteractions({ what, users, items, seed }: GeneratedDataset): Interactions {
  switch (what) {
    case 'markov':
      return generateMarkov(users, items, seed);
    case 'clusters':
      return generateClusters(users, items, seed);
    case 'drift':
      return generateDrift(users, items, seed);
    case 'blocks':
      return generateBlocks(users, items, seed);
    default:
      return assertNever(what);
  }
}
