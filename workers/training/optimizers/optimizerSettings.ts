import type { OptimizerSettings } from '#src/catalog/optimizers/optimizers.ts';
import type { OptimizerParameters } from '#src/catalog/parameters/trainedParameters.ts';

/** What the optimizer is told, of a kind's parameters. */
export function optimizerSettings(parameters: Omit<OptimizerParameters, 'smoothing'>): OptimizerSettings {
  const { method: name, ...settings } = parameters;
  return { ...settings, name };
}
