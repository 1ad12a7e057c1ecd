import { z } from 'zod';
import { RandomGenerator } from '../math/random/randomGenerator.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpointFile.ts';
import { restoreOptimizer, saveOptimizer } from './optimizers/optimizerState.ts';
import { copyIn, copyOut, type ParameterCopies, type TrainingState } from './trainingState.ts';

const word = z.int().min(0).max(0xffffffff);
const generatorSchema = z.tuple([word, word, word, word]);
const valuesSchema = z.object({
  trainer: z.literal('network-1'),
  epoch: z.int().min(0),
  order: generatorSchema,
  negatives: generatorSchema,
  waited: z.int().min(0),
  optimizerStep: z.int().min(0),
  best: z.object({ epoch: z.int().min(0), score: z.number() }).nullable(),
  /** Which array is what, in their order: `parameter/…`, `slot/…`, `best/…`. */
  arrays: z.array(z.string()),
});

const GROUPS = ['parameter', 'slot', 'best'] as const;

/** The state as bytes: parameters, the optimizer's memory, the random streams, and the best parameters so far. */
export async function encodeTraining(state: TrainingState): Promise<Uint8Array> {
  const { step, arrays: slots } = await saveOptimizer(state.optimizer);
  const groups = [await copyOut(state.parameters), slots, state.best?.parameters ?? new Map<string, Float32Array>()];
  const named = groups.flatMap((group, index) =>
    [...group].map(([name, array]) => ({ name: `${GROUPS[index]}/${name}`, array })),
  );
  const values: z.input<typeof valuesSchema> = {
    trainer: 'network-1',
    epoch: state.epoch,
    order: [...state.order.state()],
    negatives: [...state.negatives.state()],
    waited: state.waited,
    optimizerStep: step,
    best: state.best === null ? null : { epoch: state.best.epoch, score: state.best.score },
    arrays: named.map(({ name }) => name),
  };
  return encodeCheckpoint({ values, arrays: named.map(({ array }) => array) });
}

/** Puts the state in `bytes` into `state`. False, with nothing changed, where they are damaged or another network's. */
export function restoreTraining(state: TrainingState, bytes: Uint8Array): boolean {
  const checkpoint = decodeCheckpoint(bytes);
  const values = valuesSchema.safeParse(checkpoint?.values);
  if (checkpoint === null || !values.success || values.data.arrays.length !== checkpoint.arrays.length) return false;
  const groupOf = (group: (typeof GROUPS)[number]): ParameterCopies => {
    const found = new Map<string, Float32Array>();
    for (const [index, name] of values.data.arrays.entries()) {
      if (name.startsWith(`${group}/`)) found.set(name.slice(group.length + 1), checkpoint.arrays[index]!);
    }
    return found;
  };
  const [parameters, slots, best] = [groupOf('parameter'), groupOf('slot'), groupOf('best')];
  const isOwn = fits(state.parameters, parameters) && fits(state.optimizer.slots, slots);
  if (!isOwn || (best.size > 0 && !fits(state.parameters, best))) return false;
  copyIn(state.parameters, parameters);
  restoreOptimizer(state.optimizer, { step: values.data.optimizerStep, arrays: slots });
  state.epoch = values.data.epoch;
  state.order = new RandomGenerator(values.data.order);
  state.negatives = new RandomGenerator(values.data.negatives);
  state.waited = values.data.waited;
  state.best = values.data.best === null ? null : { ...values.data.best, parameters: best.size > 0 ? best : null };
  return true;
}

function fits(tensors: ReadonlyMap<string, { size: number }>, copies: ParameterCopies): boolean {
  return (
    tensors.size === copies.size && [...tensors].every(([name, tensor]) => copies.get(name)?.length === tensor.size)
  );
}
