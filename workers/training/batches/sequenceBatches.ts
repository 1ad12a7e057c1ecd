import { WarrenError } from '#src/base/contracts/errors.ts';
import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import { packHistories, type SequenceBatch } from '#workers/models/sequenceNetwork.ts';
import { drawNegative, negativeSampler } from './negativeSampler.ts';
import { shuffledSlices } from './shuffledSlices.ts';
import type { BatchSource } from '../trainableNetwork.ts';

export interface SequenceBatchOptions {
  /** Samples of a logical batch; the last one of an epoch has what is left. */
  batchSize: number;
  /** Inputs are cut to their last items, this many. */
  maximumLength: number;
  /**
   * `positions`: a sample is a user, who predicts the next item after each of its training items. `prefixes`: a sample is a
   * prefix of a user's training items, which predicts the next one.
   */
  samples: 'positions' | 'prefixes';
  /** Items drawn for each position, uniformly from those that the user does not train on; 0 for none. */
  negatives: number;
}

/** Training samples as parallel columns: the inputs of sample i are the user's items before its `ends[i]`-th. */
interface Samples {
  users: Uint32Array;
  ends: Uint32Array;
}

/**
 * Next-item batches over the training part of every user with at least two items: an epoch visits each sample once, in a
 * new order. Inputs are packed, without pads. Users who train on every item are left out where negatives are drawn.
 * Throws DATA_ERROR where no sample is left.
 */
export function sequenceBatches(split: TrainingPart, options: SequenceBatchOptions): BatchSource<SequenceBatch> {
  const sampler = negativeSampler(split);
  const canSample = (user: number): boolean =>
    options.negatives === 0 || sampler.offsets[user + 1]! - sampler.offsets[user]! < sampler.itemCount;
  const samples = samplesOf(split, options, canSample);
  const count = samples.users.length;
  if (count === 0) {
    throw new WarrenError('DATA_ERROR', 'no user has two training items that could be learnt from', {
      path: 'dataset',
    });
  }
  const pack = (chosen: Uint32Array, negatives: RandomGenerator): SequenceBatch => {
    const inputs = Array.from(chosen, (sample) =>
      trainingItems(split, samples.users[sample]!).subarray(0, samples.ends[sample]!),
    );
    const { items, layout, rows: last } = packHistories(inputs, options.maximumLength);
    const rows = options.samples === 'prefixes' ? last : null;
    const positions = rows?.length ?? layout.tokens;
    const targets = new Int32Array(positions);
    const drawn = new Int32Array(positions * options.negatives);
    let position = 0;
    for (let s = 0; s < layout.sequences; s++) {
      const user = samples.users[chosen[s]!]!;
      const known = trainingItems(split, user);
      const end = samples.ends[chosen[s]!]!;
      const first = rows === null ? end - (layout.offsets[s + 1]! - layout.offsets[s]!) + 1 : end;
      for (let place = first; place <= end; place++, position++) {
        targets[position] = known[place]!;
        for (let k = 0; k < options.negatives; k++) {
          drawn[position * options.negatives + k] = drawNegative(sampler, user, negatives);
        }
      }
    }
    return { items, layout, rows, targets, negatives: drawn };
  };
  return {
    batchesPerEpoch: Math.ceil(count / options.batchSize),
    sizeOf: ({ targets, layout }) => ({ positions: targets.length, tokens: layout.tokens }),
    *epoch({ order, negatives }) {
      for (const chosen of shuffledSlices(count, options.batchSize, order)) yield pack(chosen, negatives);
    },
  };
}

function samplesOf(split: TrainingPart, options: SequenceBatchOptions, isKept: (user: number) => boolean): Samples {
  const { userCount, offsets, items } = split.dataset;
  const users = new Uint32Array(items.length);
  const ends = new Uint32Array(items.length);
  let written = 0;
  for (let user = 0; user < userCount; user++) {
    const last = split.trainEnd[user]! - offsets[user]! - 1;
    if (last < 1 || !isKept(user)) continue;
    for (let end = options.samples === 'prefixes' ? 1 : last; end <= last; end++) {
      users[written] = user;
      ends[written++] = end;
    }
  }
  return { users: users.slice(0, written), ends: ends.slice(0, written) };
}
