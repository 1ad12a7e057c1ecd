import type { Shares } from '#src/catalog/datasetSelection.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { lengthsOf, type OrderedSplit } from './orderedSplit.ts';
import { splitByPart } from './splitByPart.ts';

/**
 * Each user's interactions drawn into parts, whatever their order: of n as many train and validate as under `ratioByTime`. For
 * data whose order nothing tells.
 */
export function randomByUser(dataset: SequenceDataset, shares: Shares, generator: RandomGenerator): OrderedSplit {
  const { offsets, userCount, items } = dataset;
  const parts = new Uint8Array(items.length).fill(2);
  for (let user = 0; user < userCount; user++) {
    const order = Uint32Array.from({ length: offsets[user + 1]! - offsets[user]! }, (_, at) => offsets[user]! + at);
    generator.shuffle(order);
    const { training, known } = lengthsOf(order.length, shares);
    for (const [place, at] of order.subarray(0, known).entries()) parts[at] = place < training ? 0 : 1;
  }
  return splitByPart(dataset, parts);
}
