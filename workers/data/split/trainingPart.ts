import type { SequenceDataset } from '../prepare/sequenceDataset.ts';

/** The part of each user's sequence that models learn from: `items[offsets[u] .. trainEnd[u]]`. Every split has one. */
export interface TrainingPart {
  dataset: SequenceDataset;
  /** (users) */
  trainEnd: Uint32Array;
}

/** (interactions of the user that train) A view, not a copy. */
export function trainingItems({ dataset, trainEnd }: TrainingPart, user: number): Uint32Array {
  return dataset.items.subarray(dataset.offsets[user]!, trainEnd[user]!);
}
