import type { GeneratedDataset } from '#src/catalog/generatedDatasets.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { generateBlocks } from './generateBlocks.ts';
import { generateClusters, generateDrift } from './generateClusters.ts';
import { generateMarkov } from './generateMarkov.ts';
import type { Interactions } from '../prepare/interactions.ts';

/** The interactions that a generated dataset's name stands for. Throws BAD_INPUT for reviews, which are none. */
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
    case 'reviews':
      throw badInput('generated/reviews-… holds texts; expected sequences of items', 'dataset.name');
    default:
      return assertNever(what);
  }
}
