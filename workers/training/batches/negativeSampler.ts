import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/** Distinct training items of every user, in order. */
export interface NegativeSampler {
  itemCount: number;
  /** (users + 1) */
  offsets: Uint32Array;
  items: Uint32Array;
}

export function negativeSampler(split: TrainingPart): NegativeSampler {
  const { userCount, itemCount, items } = split.dataset;
  const offsets = new Uint32Array(userCount + 1);
  const distinct = new Uint32Array(items.length);
  let written = 0;
  for (let user = 0; user < userCount; user++) {
    const start = written;
    for (const item of trainingItems(split, user).slice().sort()) {
      if (written === start || distinct[written - 1] !== item) distinct[written++] = item;
    }
    offsets[user + 1] = written;
  }
  return { itemCount, offsets, items: distinct.slice(0, written) };
}

function trainsOn(sampler: NegativeSampler, user: number, item: number): boolean {
  let low = sampler.offsets[user]!;
  let high = sampler.offsets[user + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sampler.items[middle]! < item) low = middle + 1;
    else high = middle;
  }
  return low < sampler.offsets[user + 1]! && sampler.items[low] === item;
}

/**
 * An item drawn uniformly from those that the user does not train on (validation and test items may come), or -1 where
 * there is none.
 */
export function drawNegative(sampler: NegativeSampler, user: number, generator: RandomGenerator): number {
  if (sampler.offsets[user + 1]! - sampler.offsets[user]! >= sampler.itemCount) return -1;
  for (;;) {
    const item = generator.nextInt(sampler.itemCount);
    if (!trainsOn(sampler, user, item)) return item;
  }
}
