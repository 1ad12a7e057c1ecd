import type { Distribution } from './distribution.ts';
import { isConstant, type SearchSpace } from './searchSpace.ts';

/** How the values of a parameter are laid out along an axis. */
export interface ParameterLayout {
  path: string;
  scale: 'LINEAR' | 'LOGARITHMIC' | 'CATEGORY';
  constant: boolean;
  /** Ends of the values; null for categories, and where there is no end. */
  minimum: number | null;
  maximum: number | null;
  /** Of a category. */
  values: readonly unknown[] | null;
}

/** The layout of every parameter of a space, in its order. */
export function parameterLayouts(space: SearchSpace): ParameterLayout[] {
  return space.map((parameter) => ({
    path: parameter.path,
    constant: isConstant(parameter),
    ...layoutOf(parameter.distribution),
  }));
}

function layoutOf(distribution: Distribution): Omit<ParameterLayout, 'path' | 'constant'> {
  const none = { minimum: null, maximum: null };
  if (distribution.type === 'categorical') return { scale: 'CATEGORY', ...none, values: distribution.values };
  const { spread, step } = distribution;
  switch (spread.type) {
    case 'uniform':
      return { scale: 'LINEAR', ...rounded(spread, step), values: null };
    case 'logUniform':
      return {
        scale: 'LOGARITHMIC',
        ...rounded({ min: Math.exp(spread.min), max: Math.exp(spread.max) }, step),
        values: null,
      };
    case 'logNormal':
      return { scale: 'LOGARITHMIC', ...none, values: null };
    case 'normal':
      return { scale: 'LINEAR', ...none, values: null };
    case 'beta':
      return { scale: 'LINEAR', minimum: 0, maximum: 1, values: null };
  }
}

/** Ends as people gave them: whole numbers are drawn from half a step outside, logarithms add digits. */
function rounded(
  { min, max }: { min: number; max: number },
  step: number | null,
): { minimum: number; maximum: number } {
  const clean = (value: number) => Number(value.toPrecision(12));
  if (step === null) return { minimum: clean(min), maximum: clean(max) };
  const [first, last] = [Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9)];
  return { minimum: clean(first * step), maximum: clean(Math.max(first, last) * step) };
}
