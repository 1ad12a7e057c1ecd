import { WarrenError } from '#src/base/contracts/errors.ts';
import { tf } from '../tensor/tf.ts';
import type { TrainingState } from './trainingState.ts';

interface Divergence {
  loss: number;
  gradients: ReadonlyMap<string, tf.Tensor>;
  /** From 1, in the epoch. */
  batch: number;
  batches: number;
}

/** Parameters whose norms an error names; of more, those with the largest. */
const MOST_NAMED = 6;
const PATH = 'parameters.optimizer.learningRate';

/** RUN_FAILED for a loss that is not finite: at which step and batch, and the norms of parameters and their gradients. */
export async function divergence(
  state: TrainingState,
  { loss, gradients, batch, batches }: Divergence,
): Promise<WarrenError> {
  return new WarrenError(
    'RUN_FAILED',
    `training diverged at step ${state.optimizer.step + 1}, epoch ${state.epoch + 1}, batch ${batch} of ${batches}: the loss is ${loss}. ` +
      `${adviceOf(state)}. Norms before the step: ${await normsOf(state, gradients)}`,
    { path: PATH },
  );
}

/**
 * Throws RUN_FAILED where a parameter has values that are not finite, as a step can leave them whose loss was finite: what has
 * them is neither validated nor kept.
 */
export async function requireFinite(state: TrainingState): Promise<void> {
  const names = [...state.parameters.keys()];
  // 0 where all values are finite, else NaN
  const sums = tf.tidy(() => tf.stack([...state.parameters.values()].map((parameter) => tf.sum(tf.mul(parameter, 0)))));
  const values = await sums.data<'float32'>();
  sums.dispose();
  const broken = names.filter((_, index) => !Number.isFinite(values[index]));
  if (broken.length === 0) return;
  throw new WarrenError(
    'RUN_FAILED',
    `training diverged in epoch ${state.epoch}, by step ${state.optimizer.step}: its losses are finite, but there are values in ${broken.slice(0, MOST_NAMED).join(', ')} that are not. ` +
      `${adviceOf(state)}. Norms: ${await normsOf(state, null)}`,
    { path: PATH },
  );
}

function adviceOf({ optimizer: { settings } }: TrainingState): string {
  return `Choose a smaller learningRate than ${settings.learningRate}`;
}

/** Of all parameters and of the largest, each with that of its gradient where there are any. */
async function normsOf(state: TrainingState, gradients: ReadonlyMap<string, tf.Tensor> | null): Promise<string> {
  const norms: { name: string; norm: number; slope: number | null }[] = [];
  for (const [name, parameter] of state.parameters) {
    const gradient = gradients?.get(name);
    norms.push({ name, norm: await normOf(parameter), slope: gradient === undefined ? null : await normOf(gradient) });
  }
  const slopes = norms.flatMap(({ slope }) => (slope === null ? [] : [slope]));
  const all = {
    name: 'all',
    norm: Math.hypot(...norms.map(({ norm }) => norm)),
    slope: slopes.length === 0 ? null : Math.hypot(...slopes),
  };
  const size = (norm: number): number => (Number.isNaN(norm) ? Number.POSITIVE_INFINITY : norm);
  // infinite ones are equal: their difference is no number
  const largest = norms.toSorted((a, b) => (size(a.norm) === size(b.norm) ? 0 : size(b.norm) - size(a.norm)));
  const words = [...(norms.length > MOST_NAMED ? [all] : []), ...largest.slice(0, MOST_NAMED)].map(
    ({ name, norm, slope }) => {
      const ofGradient = gradients === null ? '' : ` (gradient ${slope === null ? 'none' : slope.toPrecision(4)})`;
      return `${name} ${norm.toPrecision(4)}${ofGradient}`;
    },
  );
  const others = norms.length - MOST_NAMED;
  return `${words.join(', ')}${others > 0 ? `, and ${others} smaller ones` : ''}`;
}

async function normOf(tensor: tf.Tensor): Promise<number> {
  let sum = 0;
  for (const value of await tensor.data<'float32'>()) sum += value * value;
  return Math.sqrt(sum);
}
