import { z } from 'zod';
import { RandomGenerator } from '../math/random/randomGenerator.ts';
import type { MfModel, MfShape } from '../models/mfBpr.ts';
import type { BprState } from './bprTraining.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpointFile.ts';

const word = z.int().min(0).max(0xffffffff);
const valuesSchema = z.object({
  trainer: z.literal('bpr-1'),
  epoch: z.int().min(0),
  generator: z.tuple([word, word, word, word]),
  waited: z.int().min(0),
  best: z.object({ epoch: z.int().min(0), score: z.number() }).nullable(),
});

export function encodeBprState(state: BprState): Uint8Array {
  const { epoch, model, generator, waited, best } = state;
  const values: z.input<typeof valuesSchema> = {
    trainer: 'bpr-1',
    epoch,
    generator: [...generator.state()],
    waited,
    best: best === null ? null : { epoch: best.epoch, score: best.score },
  };
  const arrays = [model.users, model.items, ...(best === null ? [] : [best.model.users, best.model.items])];
  return encodeCheckpoint({ values, arrays });
}

/** The state in `bytes`, or null where they are damaged or belong to embeddings of another shape. */
export function decodeBprState(bytes: Uint8Array, shape: MfShape): BprState | null {
  const checkpoint = decodeCheckpoint(bytes);
  const values = valuesSchema.safeParse(checkpoint?.values);
  if (checkpoint === null || !values.success) return null;
  const { epoch, generator, waited, best } = values.data;
  const modelAt = (index: number): MfModel | null => {
    const users = checkpoint.arrays[index];
    const items = checkpoint.arrays[index + 1];
    if (users?.length !== shape.userCount * shape.dimension) return null;
    if (items?.length !== shape.itemCount * shape.dimension) return null;
    return { dimension: shape.dimension, users, items };
  };
  const model = modelAt(0);
  const bestModel = best === null ? null : modelAt(2);
  if (model === null || (best !== null && bestModel === null)) return null;
  return {
    epoch,
    model,
    generator: new RandomGenerator(generator),
    best: best === null || bestModel === null ? null : { ...best, model: bestModel },
    waited,
  };
}
