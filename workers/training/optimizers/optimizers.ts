import type { OptimizerMethod } from '#src/catalog/optimizerMethods.ts';
import { adagrad } from './adagrad.ts';
import { adam } from './adam.ts';
import { adamW } from './adamW.ts';
import type { Optimizer, ParameterStep } from './optimizer.ts';
import { rmsProp } from './rmsProp.ts';
import { sgd } from './sgd.ts';

/** Every optimizer that there is, by its name in the catalog. */
const OPTIMIZERS = {
  adamw: adamW,
  adam,
  sgd,
  rmsprop: rmsProp,
  adagrad,
} satisfies Record<OptimizerMethod, Optimizer<never>>;

type SettingsOf<Method> = Method extends Optimizer<infer Settings> ? Settings : never;
type SettingsByName = { [Name in OptimizerMethod]: SettingsOf<(typeof OPTIMIZERS)[Name]> };

/** An optimizer and what it is told. */
export type OptimizerSettings<Name extends OptimizerMethod = OptimizerMethod> = {
  [Each in Name]: { readonly name: Each } & SettingsByName[Each];
}[Name];

// seen as a record by name, a name and its settings are known to belong together
const BY_NAME: { readonly [Name in OptimizerMethod]: Optimizer<SettingsByName[Name]> } = OPTIMIZERS;

/** Names of what the optimizer remembers of each parameter. */
export function slotNames<Name extends OptimizerMethod>(settings: OptimizerSettings<Name>): readonly string[] {
  return BY_NAME[settings.name].slots(settings);
}

/** One step of one parameter, in place. */
export function updateParameter<Name extends OptimizerMethod>(step: ParameterStep<OptimizerSettings<Name>>): void {
  BY_NAME[step.settings.name].update(step);
}
