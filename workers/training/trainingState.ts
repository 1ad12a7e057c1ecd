import { type RandomGenerator, randomGenerator } from '../math/random/randomGenerator.ts';
import { tf } from '../tensor/tf.ts';
import type { OptimizerState } from './optimizers/optimizerState.ts';

/** Parameters copied out of their tensors, by name. */
export type ParameterCopies = ReadonlyMap<string, Float32Array>;

/** All that changes while training: what a checkpoint holds. */
export interface TrainingState {
  /** Epochs done. */
  epoch: number;
  /** The parameters, changed in place. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  /** Its memory, and the steps done. */
  readonly optimizer: OptimizerState;
  order: RandomGenerator;
  negatives: RandomGenerator;
  /** The best validation so far, with the parameters of then where they are kept; null before the first. */
  best: { epoch: number; score: number; parameters: ParameterCopies | null } | null;
  /** Validations since the best. */
  waited: number;
}

/** The state before the first step. */
export function initTraining(
  parameters: ReadonlyMap<string, tf.Variable>,
  optimizer: OptimizerState,
  seed: number,
): TrainingState {
  return {
    epoch: 0,
    parameters,
    optimizer,
    order: randomGenerator(seed, 'training order'),
    negatives: randomGenerator(seed, 'training negatives'),
    best: null,
    waited: 0,
  };
}

/** Copies of tensors by name. */
export async function copyOut(tensors: ReadonlyMap<string, tf.Tensor>): Promise<Map<string, Float32Array>> {
  const copies = new Map<string, Float32Array>();
  for (const [name, tensor] of tensors) copies.set(name, Float32Array.from(await tensor.data<'float32'>()));
  return copies;
}

/** Puts copies back into the variables of the same names and sizes. */
export function copyIn(variables: ReadonlyMap<string, tf.Variable>, copies: ParameterCopies): void {
  for (const [name, variable] of variables) {
    const values = copies.get(name);
    if (values?.length !== variable.size) {
      throw new Error(`internal: ${values?.length ?? 'no'} values for ${name}, expected ${variable.size}`);
    }
    const tensor = tf.tensor(values, variable.shape);
    variable.assign(tensor);
    tensor.dispose();
  }
}

/**
 * Takes note of a validation (more is better; the first of equals stays). True means that `patience` validations went by
 * without a better one; patience 0 never stops.
 */
export async function noteScore(
  state: TrainingState,
  score: number,
  { patience, keepsBest }: { patience: number; keepsBest: boolean },
): Promise<boolean> {
  if (state.best === null || score > state.best.score) {
    state.best = { epoch: state.epoch, score, parameters: keepsBest ? await copyOut(state.parameters) : null };
    state.waited = 0;
  } else {
    state.waited++;
  }
  return isOutOfPatience(state, patience);
}

export function isOutOfPatience(state: TrainingState, patience: number): boolean {
  return patience > 0 && state.waited >= patience;
}
