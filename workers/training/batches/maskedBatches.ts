import { WarrenError } from '#src/base/contracts/errors.ts';
import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { MaskedBatch } from '#workers/models/bert4Rec.ts';
import { MASKED } from '#workers/models/maskedItems.ts';
import { packHistories } from '#workers/models/sequenceNetwork.ts';
import { shuffledSlices } from './shuffledSlices.ts';
import type { BatchSource } from '../trainableNetwork.ts';

export interface MaskedBatchOptions {
  /** Users of a batch; the last one of an epoch has what is left. */
  batchSize: number;
  /** Sequences are cut to their last items, this many. */
  maximumLength: number;
  /** Probability that an item is masked, each time anew; above 0. */
  maskRate: number;
}

/**
 * Batches of masked sequences: a sample is a user, an epoch visits each that has training items once, in a new order. Where
 * by chance no item of a batch is masked, the last one is, so that there is something to learn. Masks are drawn from the
 * stream of the negatives. Throws DATA_ERROR where nobody has training items.
 */
export function maskedBatches(split: TrainingPart, options: MaskedBatchOptions): BatchSource<MaskedBatch> {
  const users = Uint32Array.from({ length: split.dataset.userCount }, (_, user) => user).filter(
    (user) => trainingItems(split, user).length > 0,
  );
  if (users.length === 0) throw new WarrenError('DATA_ERROR', 'no user has a training item', { path: 'dataset' });
  const { batchSize, maximumLength, maskRate } = options;
  return {
    batchesPerEpoch: Math.ceil(users.length / batchSize),
    sizeOf: ({ targets, layout }) => ({ positions: targets.length, tokens: layout.tokens }),
    *epoch({ order, negatives }) {
      for (const chosen of shuffledSlices(users.length, batchSize, order)) {
        const sequences = Array.from(chosen, (row) => trainingItems(split, users[row]!));
        yield mask(sequences, { maximumLength, maskRate, generator: negatives });
      }
    },
  };
}

interface Masking {
  maximumLength: number;
  maskRate: number;
  generator: RandomGenerator;
}

function mask(sequences: readonly Uint32Array[], { maximumLength, maskRate, generator }: Masking): MaskedBatch {
  const { items, layout } = packHistories(sequences, maximumLength);
  const drawn: number[] = [];
  for (let row = 0; row < items.length; row++) if (generator.nextFloat() < maskRate) drawn.push(row);
  const rows = Int32Array.from(drawn.length > 0 ? drawn : [items.length - 1]);
  const targets = rows.map((row) => items[row]!);
  for (const row of rows) items[row] = MASKED;
  return { items, layout, rows, targets };
}
