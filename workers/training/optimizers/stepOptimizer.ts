import { updateParameter } from '#src/catalog/optimizers/optimizers.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { tf } from '#workers/tensor/tf.ts';
import { tensorMath } from './tensorMath.ts';
import type { OptimizerState } from './optimizerState.ts';

/**
 * One step of the optimizer: changes its parameters and its state in place. `gradients` by name, each of its parameter's
 * shape, not disposed; a parameter without one stays as it is, as in PyTorch, but for the count of steps, which all share.
 * `rateFactor` multiplies every learning rate: a schedule.
 */
export function stepOptimizer(
  state: OptimizerState,
  gradients: ReadonlyMap<string, tf.Tensor> | Readonly<Record<string, tf.Tensor>>,
  rateFactor = 1,
): void {
  const gradientOf = gradients instanceof Map ? gradients : new Map(Object.entries(gradients));
  const { maximumGradientNorm } = state.settings;
  state.step++;
  const factor = maximumGradientNorm === undefined ? null : clipFactor([...gradientOf.values()], maximumGradientNorm);
  for (const [name, parameter] of state.parameters) {
    const gradient = gradientOf.get(name);
    if (!gradient) continue;
    const clipped = factor === null ? gradient : tf.mul(gradient, factor);
    update(state, { name, parameter, gradient: clipped, rateFactor });
    if (clipped !== gradient) clipped.dispose();
  }
  factor?.dispose();
}

/** Added to a norm before it divides, as in PyTorch. */
const NORM_EPSILON = 1e-6;

/** What PyTorch's `clip_grad_norm_` multiplies all gradients by: min(1, most / norm), the norm over all of them. */
function clipFactor(gradients: readonly tf.Tensor[], most: number): tf.Scalar {
  return tf.tidy(() => {
    const norm = tf.sqrt(tf.addN(gradients.map((gradient) => tf.sum(tf.square(gradient)))));
    return tf.minimum(1, tf.div(most, tf.add(norm, NORM_EPSILON)));
  });
}

interface Update {
  name: string;
  parameter: tf.Variable;
  gradient: tf.Tensor;
  rateFactor: number;
}

function update(state: OptimizerState, { name, parameter, gradient, rateFactor }: Update): void {
  const own = state.own(name);
  const learningRate = (own.learningRate ?? state.settings.learningRate) * rateFactor;
  const weightDecay = own.weightDecay ?? state.settings.weightDecay;
  const slot = (slotName: string): tf.Variable => {
    const found = state.slots.get(`${name}/${slotName}`);
    invariant(found !== undefined, `the optimizer has no slot ${slotName} of ${name}`);
    return found;
  };
  const settings = { ...state.settings, learningRate, weightDecay };
  tf.tidy(() => updateParameter({ parameter, gradient, settings, own, slot, step: state.step, math: tensorMath }));
}
