import { adamUpdate } from '../../tensor/operations/adamUpdate.ts';
import { rmsPropUpdate } from '../../tensor/operations/rmsPropUpdate.ts';
import { sgdUpdate } from '../../tensor/operations/sgdUpdate.ts';
import type { tf } from '../../tensor/tf.ts';
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
  state.step++;
  for (const [name, parameter] of state.parameters) {
    const gradient = gradientOf.get(name);
    if (gradient) updateParameter(state, { name, parameter, gradient, rateFactor });
  }
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
