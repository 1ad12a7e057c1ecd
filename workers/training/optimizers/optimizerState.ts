import type { OptimizerParameters } from '#src/catalog/parameters/trainedParameters.ts';
import { type OptimizerSettings, slotNames } from '#src/catalog/optimizers/optimizers.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { tf } from '#workers/tensor/tf.ts';
import type { ParameterSettings } from '#src/catalog/optimizers/optimizer.ts';

/** An optimizer's memory of its parameters. Whoever makes it disposes it. */
export interface OptimizerState {
  readonly settings: OptimizerSettings;
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  readonly own: (name: string) => ParameterSettings;
  /** By `parameter/slot`. */
  readonly slots: ReadonlyMap<string, tf.Variable>;
  /** Steps done. */
  step: number;
}

/** What of the state a checkpoint holds. */
export interface SavedOptimizer {
  readonly step: number;
  /** By slot. */
  readonly arrays: ReadonlyMap<string, Float32Array>;
}

/** The state before the first step. `own` says what is different for which parameter: groups. */
export function initOptimizer(
  parameters: ReadonlyMap<string, tf.Variable>,
  settings: OptimizerSettings,
  own: (name: string) => ParameterSettings = () => ({}),
): OptimizerState {
  const slots = new Map<string, tf.Variable>();
  for (const [name, parameter] of parameters) {
    for (const slot of slotNames(settings)) {
      const zeros = tf.tidy(() => tf.zeros(parameter.shape));
      slots.set(`${name}/${slot}`, tf.variable(zeros, false));
      zeros.dispose();
    }
  }
  return { settings, parameters, own, slots, step: 0 };
}

/** Copies the state out, for a checkpoint. */
export async function saveOptimizer(state: OptimizerState): Promise<SavedOptimizer> {
  const arrays = new Map<string, Float32Array>();
  for (const [name, slot] of state.slots) arrays.set(name, Float32Array.from(await slot.data<'float32'>()));
  return { step: state.step, arrays };
}

/** Puts a saved state back. Throws BAD_INPUT where it belongs to other parameters or another optimizer. */
export function restoreOptimizer(state: OptimizerState, saved: SavedOptimizer): void {
  if (saved.arrays.size !== state.slots.size) {
    throw badInput(`the saved optimizer has ${saved.arrays.size} arrays; this one has ${state.slots.size}`);
  }
  for (const [name, slot] of state.slots) {
    const values = saved.arrays.get(name);
    if (values?.length !== slot.size) {
      throw badInput(`the saved optimizer has ${values?.length ?? 'no'} values for ${name}; expected ${slot.size}`);
    }
  }
  for (const [name, slot] of state.slots) {
    const values = tf.tensor(saved.arrays.get(name)!, slot.shape);
    slot.assign(values);
    values.dispose();
  }
  state.step = saved.step;
}

export function disposeOptimizer(state: OptimizerState): void {
  for (const slot of state.slots.values()) slot.dispose();
}

/** What the optimizer is told, of a kind's parameters. */
export function optimizerSettings(parameters: Omit<OptimizerParameters, 'smoothing'>): OptimizerSettings {
  const { method: name, ...settings } = parameters;
  return { ...settings, name };
}
