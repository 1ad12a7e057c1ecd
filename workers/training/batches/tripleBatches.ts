import { WarrenError } from '#src/base/contracts/errors.ts';
import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import type { TripleBatch } from '#workers/models/factorNetwork.ts';
import { drawNegative, negativeSampler } from './negativeSampler.ts';
import type { BatchSource } from '../trainableNetwork.ts';

export interface TripleBatchOptions {
  /** Triples of a batch; the last one of an epoch has what is left. */
  batchSize: number;
  /** `users`: as many users as there are training interactions, drawn uniformly, each with one of its items; `interactions`: each once. */
  triples: 'users' | 'interactions';
}

/**
 * Triples of a user, an item that it trains on and one, drawn uniformly, that it does not. Users without training items, or
 * with all items, are left out. Throws DATA_ERROR where none is left.
 */
export function tripleBatches(
  training: TrainingPart,
  { batchSize, triples }: TripleBatchOptions,
): BatchSource<TripleBatch> {
  const sampler = negativeSampler(training);
  const users = Uint32Array.from({ length: training.dataset.userCount }, (_, user) => user).filter((user) => {
    const met = sampler.offsets[user + 1]! - sampler.offsets[user]!;
    return met > 0 && met < sampler.itemCount;
  });
  const owners: number[] = [];
  const places: number[] = [];
  for (const user of users) {
    for (let place = 0; place < trainingItems(training, user).length; place++) {
      owners.push(user);
      places.push(place);
    }
  }
  const count = owners.length;
  if (count === 0) {
    throw new WarrenError('DATA_ERROR', 'no user has a training item and another to tell it from', { path: 'dataset' });
  }
  return {
    batchesPerEpoch: Math.ceil(count / batchSize),
    sizeOf: ({ users: { length } }) => ({ positions: length, tokens: length }),
    *epoch({ order, negatives }) {
      const shuffled = Uint32Array.from({ length: triples === 'interactions' ? count : 0 }, (_, place) => place);
      order.shuffle(shuffled);
      for (let from = 0; from < count; from += batchSize) {
        const size = Math.min(batchSize, count - from);
        const batch = { users: new Int32Array(size), items: new Int32Array(size), others: new Int32Array(size) };
        for (let at = 0; at < size; at++) {
          const place = shuffled[from + at];
          const user = place === undefined ? users[order.nextInt(users.length)]! : owners[place]!;
          const known = trainingItems(training, user);
          batch.users[at] = user;
          batch.items[at] = known[place === undefined ? order.nextInt(known.length) : places[place]!]!;
          batch.others[at] = drawNegative(sampler, user, negatives);
        }
        yield batch;
      }
    },
  };
}
