/** Settings that only some optimizers have. */
export type OwnSetting = 'momentum' | 'decay';

interface OptimizerInfo {
  /** What it does, for descriptions. */
  words: string;
  /** Settings of its own. */
  own: readonly OwnSetting[];
}

/** The optimizers by name; `workers/training/optimizers` computes them. PyTorch's formulas. */
export const OPTIMIZER_METHODS = {
  adamw: { words: 'Adam that shrinks parameters apart from the gradient', own: [] },
  adam: { words: 'Adam, with the decay added to the gradient', own: [] },
  sgd: { words: 'gradient descent, with the decay added to the gradient', own: ['momentum'] },
  rmsprop: { words: 'steps divided by the root of a running mean of squared gradients', own: ['decay'] },
  adagrad: { words: 'steps divided by the root of the sum of all squared gradients', own: [] },
} as const satisfies Record<string, OptimizerInfo>;

export type OptimizerMethod = keyof typeof OPTIMIZER_METHODS;

/** Names of all methods. */
export const OPTIMIZER_NAMES = Object.keys(OPTIMIZER_METHODS) as OptimizerMethod[];

/** Whether a method has a setting that only some have. */
export function hasSetting(method: OptimizerMethod, setting: OwnSetting): boolean {
  const own: readonly OwnSetting[] = OPTIMIZER_METHODS[method].own;
  return own.includes(setting);
}
