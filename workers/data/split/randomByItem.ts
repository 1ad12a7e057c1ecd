import type { Shares } from '#src/catalog/datasetSelection.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/** Items of each part, in increasing order. */
export interface ItemSplit {
  train: Uint32Array;
  validation: Uint32Array;
  test: Uint32Array;
}

/**
 * Items drawn into parts (Featurizing Pretrained Representations, Appendix F: movies 80 % to 20 %): of n items
 * round(train · n) train, round((train + validation) · n) train or validate.
 */
export function randomByItem(itemCount: number, { train, validation }: Shares, generator: RandomGenerator): ItemSplit {
  const order = Uint32Array.from({ length: itemCount }, (_, item) => item);
  generator.shuffle(order);
  const trainEnd = Math.round(train * itemCount);
  const validationEnd = Math.round((train + validation) * itemCount);
  return {
    train: order.slice(0, trainEnd).sort(),
    validation: order.slice(trainEnd, validationEnd).sort(),
    test: order.slice(validationEnd).sort(),
  };
}
