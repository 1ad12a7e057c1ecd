import { type OptimizerParameters, RMSPROP_DECAY } from '#src/catalog/parameters/trainedParameters.ts';
import type { OptimizerSettings } from './optimizers.ts';

/** What the optimizer is told, of a kind's parameters. */
export function optimizerSettings(parameters: Omit<OptimizerParameters, 'smoothing'>): OptimizerSettings {
  const { method, decay = RMSPROP_DECAY, learningRate, weightDecay, maximumGradientNorm, ...own } = parameters;
  const { beta1, beta2, epsilon, momentum } = own;
  const common = { name: method, learningRate, weightDecay, maximumGradientNorm };
  return { ...common, beta1, beta2, epsilon, momentum, decay };
}
