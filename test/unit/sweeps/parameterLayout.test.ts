import { expect, test } from 'vitest';
import { parameterLayouts } from '#src/sweeps/search/parameterLayout.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';

test('parameters are laid out as people gave them: ends, logarithms, categories', () => {
  const layouts = parameterLayouts(
    readSearchSpace({
      a: { min: 2, max: 9 },
      b: { distribution: 'log_uniform_values', min: 1e-4, max: 0.1 },
      c: { values: ['x', null, 3] },
      d: { value: 5 },
      e: { distribution: 'normal', mu: 3, sigma: 1 },
      f: { distribution: 'q_uniform', min: 0.05, max: 1, q: 0.1 },
      g: { distribution: 'log_normal' },
    }),
  );
  const plain = { constant: false, minimum: null, maximum: null, values: null };
  expect(layouts).toEqual([
    { ...plain, path: 'a', scale: 'LINEAR', minimum: 2, maximum: 9 },
    { ...plain, path: 'b', scale: 'LOGARITHMIC', minimum: 1e-4, maximum: 0.1 },
    { ...plain, path: 'c', scale: 'CATEGORY', values: ['x', null, 3] },
    { ...plain, path: 'd', scale: 'CATEGORY', constant: true, values: [5] },
    { ...plain, path: 'e', scale: 'LINEAR' },
    { ...plain, path: 'f', scale: 'LINEAR', minimum: 0.1, maximum: 1 },
    { ...plain, path: 'g', scale: 'LOGARITHMIC' },
  ]);
});
