import { adamUpdate } from '../../tensor/operations/adamUpdate.ts';
import { rmsPropUpdate } from '../../tensor/operations/rmsPropUpdate.ts';
import { sgdUpdate } from '../../tensor/operations/sgdUpdate.ts';
import { tf } from '../../tensor/tf.ts';
import type { OptimizerState } from './optimizerState.ts';

/**
 * One step of the optimiser: changes its parameters and its state in place. `gradients` by name, each of its parameter's
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
    updateParameter(state, { name, parameter, gradient: clipped, rateFactor });
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

function updateParameter(state: OptimizerState, { name, parameter, gradient, rateFactor }: Update): void {
  const { settings, step } = state;
  const own = state.own(name);
  const learningRate = (own.learningRate ?? settings.learningRate) * rateFactor;
  if (settings.name === 'rmsprop') {
    const { decay, epsilon } = settings;
    rmsPropUpdate(parameter, gradient, { learningRate, decay, epsilon, square: state.slots.get(`${name}/square`)! });
    return;
  }
  const common = {
    learningRate,
    weightDecay: own.weightDecay ?? settings.weightDecay,
    smoothing: own.smoothing,
    step,
  };
  if (settings.name === 'sgd') {
    const buffer = state.slots.get(`${name}/momentum`) ?? null;
    sgdUpdate(parameter, gradient, { ...common, momentum: settings.momentum, buffer });
    return;
  }
  const { beta1, beta2, epsilon } = settings;
  const slots = { first: state.slots.get(`${name}/first`)!, second: state.slots.get(`${name}/second`)! };
  const decoupled = settings.name === 'adamw';
  const momentCorrection = decoupled && own.momentCorrection === true;
  const adam = { beta1, beta2, epsilon, slots, decoupled, momentCorrection, epsilonInRoot: own.epsilonInRoot };
  adamUpdate(parameter, gradient, { ...common, ...adam });
}
