import { WarrenError } from '../../src/contracts/errors.ts';
import type { tf } from '../tensor/tf.ts';
import type { TrainingState } from './trainingState.ts';

interface Divergence {
  loss: number;
  gradients: ReadonlyMap<string, tf.Tensor>;
  /** From 1, in the epoch. */
  batch: number;
  batches: number;
}

/** RUN_FAILED for a loss that is not finite: at which step and batch, and the norms of every parameter and its gradient. */
export async function divergence(
  state: TrainingState,
  { loss, gradients, batch, batches }: Divergence,
): Promise<WarrenError> {
  const norms: string[] = [];
  for (const [name, parameter] of state.parameters) {
    const gradient = gradients.get(name);
    const slope = gradient === undefined ? 'none' : await normOf(gradient);
    norms.push(`${name} ${await normOf(parameter)} (gradient ${slope})`);
  }
  const { settings, step } = state.optimizer;
  return new WarrenError(
    'RUN_FAILED',
    `training diverged at step ${step + 1}, epoch ${state.epoch + 1}, batch ${batch} of ${batches}: the loss is ${loss}. ` +
      `Choose a smaller learningRate than ${settings.learningRate}. Norms before the step: ${norms.join(', ')}`,
    { path: 'parameters.optimizer.learningRate' },
  );
}

async function normOf(tensor: tf.Tensor): Promise<string> {
  let sum = 0;
  for (const value of await tensor.data<'float32'>()) sum += value * value;
  return Math.sqrt(sum).toPrecision(4);
}
