import { expect, test } from 'vitest';
import { parameterImportance } from '#src/sweeps/search/importance/parameterImportance.ts';
import { proposeTrial } from '#src/sweeps/search/proposeTrial.ts';
import { type Point, readSearchSpace } from '#src/sweeps/search/searchSpace.ts';

const atOnce = async () => {};

function trialsOf(parameters: unknown, count: number, objective: (point: Point) => number) {
  const space = readSearchSpace(parameters);
  const trials = Array.from({ length: count }, (_, number) => {
    const point = proposeTrial({ method: 'random', space, seed: 1, number, history: [] }) ?? {};
    return { point, objective: objective(point) };
  });
  return { space, trials };
}

test('a decade of a logarithmic parameter counts as much as another one', async () => {
  const rate = { distribution: 'log_uniform_values', min: 1e-6, max: 1 };
  const { space, trials } = trialsOf({ rate, other: { distribution: 'uniform', min: 0, max: 1 } }, 80, (point) =>
    Math.abs(Math.log10(Number(point.rate)) + 4),
  );
  const [first, second] = await parameterImportance(space, trials, atOnce);
  expect(first).toMatchObject({ path: 'rate', trials: 80 });
  expect(first?.importance).toBeGreaterThan(0.97);
  expect((first?.importance ?? 0) + (second?.importance ?? 0)).toBeCloseTo(1);
});

test('a parameter under a condition is estimated from the trials that have it; constants are left out', async () => {
  const parameters = {
    method: { values: ['sgd', 'adam'] },
    momentum: { distribution: 'uniform', min: 0, max: 1, when: { method: 'sgd' } },
    epochs: { value: 5 },
  };
  const { space, trials } = trialsOf(parameters, 80, ({ momentum }) =>
    momentum === undefined ? 0.4 : Number(momentum),
  );
  const found = await parameterImportance(space, trials, atOnce);
  const withMomentum = trials.filter(({ point }) => 'momentum' in point).length;
  expect(found.map(({ path }) => path).sort()).toEqual(['method', 'momentum']);
  expect(found.find(({ path }) => path === 'momentum')).toMatchObject({ trials: withMomentum });
  expect(found.find(({ path }) => path === 'momentum')?.importance).toBeGreaterThan(0.9);
});

test('few trials, or an objective that does not vary, say nothing', async () => {
  const x = { distribution: 'uniform', min: 0, max: 1 };
  const few = trialsOf({ x }, 7, ({ x: value }) => Number(value));
  expect(await parameterImportance(few.space, few.trials, atOnce)).toEqual([]);
  const flat = trialsOf({ x }, 20, () => 1);
  expect(await parameterImportance(flat.space, flat.trials, atOnce)).toEqual([]);
});
