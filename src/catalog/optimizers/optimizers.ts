import { OPTIMIZERS } from '../generated/optimizers.ts';
import type { CommonSettings, Optimizer, OwnSettings, ParameterStep, SettingDefaults } from './optimizer.ts';

export { OPTIMIZERS };

export type OptimizerMethod = keyof typeof OPTIMIZERS;

/** Names of all methods. */
export const OPTIMIZER_NAMES = Object.keys(OPTIMIZERS) as OptimizerMethod[];

type ShapeOf<Method> = Method extends Optimizer<infer Shape> ? Shape : never;
type ShapeByName = { [Name in OptimizerMethod]: ShapeOf<(typeof OPTIMIZERS)[Name]> };
type SettingsByName = { [Name in OptimizerMethod]: CommonSettings & OwnSettings<ShapeByName[Name]> };

/** An optimizer's name and what it is told. */
export type OptimizerSettings<Name extends OptimizerMethod = OptimizerMethod> = {
  [Each in Name]: { readonly name: Each } & SettingsByName[Each];
}[Name];

// seen as a record by name, a name and its settings are known to belong together
const BY_NAME: { readonly [Name in OptimizerMethod]: Optimizer<ShapeByName[Name]> } = OPTIMIZERS;

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Schemas of the settings that any method has beside the common ones, by name. */
export function ownSettings(defaults: SettingDefaults): Together<ShapeByName[OptimizerMethod]> {
  const shapes = OPTIMIZER_NAMES.map((name) => OPTIMIZERS[name].settings(defaults));
  return Object.assign({}, ...shapes) as Together<ShapeByName[OptimizerMethod]>;
}

/** What is wrong with settings that the method does not have: the setting and what is expected. */
export function refusedSettings(
  method: OptimizerMethod,
  given: Readonly<Record<string, unknown>>,
): { setting: string; message: string }[] {
  return OPTIMIZER_NAMES.flatMap((name) => Object.entries(OPTIMIZERS[name].refusedElsewhere))
    .filter(([setting, none]) => !(setting in OPTIMIZERS[method].refusedElsewhere) && given[setting] !== none)
    .map(([setting, none]) => {
      const expected = none === undefined ? 'leave it out' : `${none} is expected`;
      return { setting, message: `${method} has none: ${expected}` };
    });
}

/** Names of what the optimizer remembers of each parameter. */
export function slotNames<Name extends OptimizerMethod>(settings: OptimizerSettings<Name>): readonly string[] {
  return BY_NAME[settings.name].slots(settings);
}

/** One step of one parameter, in place. */
export function updateParameter<Name extends OptimizerMethod>(step: ParameterStep<OptimizerSettings<Name>>): void {
  BY_NAME[step.settings.name].update(step);
}
