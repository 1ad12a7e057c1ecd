import { WarrenError } from '#src/base/contracts/errors.ts';
import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import type { InteractionBatch, InteractionNetwork } from '#workers/models/interactionNetwork.ts';
import { lastItems } from '#workers/models/lastItems.ts';
import { drawNegative, negativeSampler } from './negativeSampler.ts';
import { shuffledSlices } from './shuffledSlices.ts';
import type { BatchSource } from '../trainableNetwork.ts';

export interface InteractionBatchOptions extends Pick<InteractionNetwork, 'recent' | 'targets'> {
  /** Moments of a batch; the last one of an epoch has what is left. */
  batchSize: number;
  /** Items drawn for each target, uniformly from those that the user does not train on; at least 1. */
  negatives: number;
}

/**
 * Batches of moments of the training part: every place of a user's items that `targets` of them follow from and, where the
 * network looks back, that at least one precedes. An epoch visits each once, in a new order. Users who train on every item are
 * left out. Throws DATA_ERROR where no moment is left.
 */
export function interactionBatches(
  training: TrainingPart,
  options: InteractionBatchOptions,
): BatchSource<InteractionBatch> {
  const { recent, targets, batchSize, negatives: each } = options;
  const sampler = negativeSampler(training);
  const { userCount, itemCount, items } = training.dataset;
  const users = new Uint32Array(items.length);
  const places = new Uint32Array(items.length);
  let count = 0;
  for (let user = 0; user < userCount; user++) {
    if (sampler.offsets[user + 1]! - sampler.offsets[user]! >= itemCount) continue;
    const length = trainingItems(training, user).length;
    for (let place = recent > 0 ? 1 : 0; place + targets <= length; place++) {
      users[count] = user;
      places[count++] = place;
    }
  }
  if (count === 0) {
    throw new WarrenError('DATA_ERROR', 'no user has enough training items to learn from', { path: 'dataset' });
  }
  return {
    batchesPerEpoch: Math.ceil(count / batchSize),
    sizeOf: (batch) => ({ positions: batch.positives.length, tokens: batch.recent.length + batch.positives.length }),
    *epoch({ order, negatives: generator }) {
      for (const chosen of shuffledSlices(count, batchSize, order)) {
        const batch = {
          users: Int32Array.from(chosen, (moment) => users[moment]!),
          recent: new Int32Array(chosen.length * recent),
          positives: new Int32Array(chosen.length * targets),
          negatives: new Int32Array(chosen.length * targets * each),
        };
        for (const [row, moment] of chosen.entries()) {
          const known = trainingItems(training, users[moment]!);
          const place = places[moment]!;
          lastItems(known, place, batch.recent.subarray(row * recent, (row + 1) * recent));
          batch.positives.set(known.subarray(place, place + targets), row * targets);
        }
        for (let at = 0; at < batch.negatives.length; at++) {
          batch.negatives[at] = drawNegative(sampler, batch.users[Math.floor(at / (targets * each))]!, generator);
        }
        yield batch;
      }
    },
  };
}
