import { expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { initMf, type MfModel, mfScores, stepBpr } from '#workers/models/mfBpr.ts';

/** -ln σ(x_ui - x_uj) + λ/2 (|w_u|² + |h_i|² + |h_j|²), from the paper's formula. */
function objective(
  model: MfModel,
  [user, item, other]: readonly [number, number, number],
  regularization: number,
): number {
  const d = model.dimension;
  const row = (table: Float32Array, index: number): number[] => [...table.slice(index * d, (index + 1) * d)];
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);
  const [w, hi, hj] = [row(model.users, user), row(model.items, item), row(model.items, other)];
  const penalty = (regularization / 2) * (dot(w, w) + dot(hi, hi) + dot(hj, hj));
  return -Math.log(1 / (1 + Math.exp(-(dot(w, hi) - dot(w, hj))))) + penalty;
}

const shape = { userCount: 2, itemCount: 3, dimension: 4 };

test('one step by hand: w = 2, h_i = 1, h_j = 1, slope one half', () => {
  const model: MfModel = { dimension: 1, users: Float32Array.of(2), items: Float32Array.of(1, 1) };
  const loss = stepBpr(model, { user: 0, item: 0, other: 1 }, { learningRate: 0.5, regularization: 0 });
  expect(loss).toBeCloseTo(Math.LN2, 12);
  expect([...model.users, ...model.items]).toEqual([2, 1.5, 0.5]);
});

test('a step goes along the negative gradient, found by differences', () => {
  const generator = randomGenerator(9, 'gradient');
  for (let round = 0; round < 10; round++) {
    const regularization = round % 2 === 0 ? 0 : 0.3;
    const model = initMf(shape, 1, generator);
    const before = { users: model.users.slice(), items: model.items.slice() };
    const triple = [round % 2, 0, 1 + (round % 2)] as const;
    const learningRate = 1e-2;
    const gradient = (table: 'users' | 'items', index: number): number => {
      const at = (shift: number): number => {
        const copy: MfModel = { dimension: 4, users: before.users.slice(), items: before.items.slice() };
        copy[table][index] = before[table][index]! + shift;
        return objective(copy, triple, regularization);
      };
      const width = 2 ** -9;
      return (at(width) - at(-width)) / (2 * width);
    };
    const loss = stepBpr(
      model,
      { user: triple[0], item: triple[1], other: triple[2] },
      { learningRate, regularization },
    );
    expect(loss).toBeCloseTo(objective({ dimension: 4, ...before }, triple, 0), 6);
    for (const table of ['users', 'items'] as const) {
      for (let index = 0; index < before[table].length; index++) {
        const moved = (before[table][index]! - model[table][index]!) / learningRate;
        expect(moved).toBeCloseTo(gradient(table, index), 2);
      }
    }
  }
});

test('losses of far apart scores neither overflow nor vanish', () => {
  const far = (difference: number): number => {
    const model: MfModel = { dimension: 1, users: Float32Array.of(difference), items: Float32Array.of(1, 0) };
    return stepBpr(model, { user: 0, item: 0, other: 1 }, { learningRate: 0, regularization: 0 });
  };
  expect(far(1000)).toBe(0);
  expect(far(-1000)).toBe(1000);
  expect(far(20)).toBeCloseTo(Math.exp(-20), 12);
});

test('scores are dot products', () => {
  const model: MfModel = { dimension: 2, users: Float32Array.of(1, 2, 3, 4), items: Float32Array.of(1, 0, 0, 1, 1, 1) };
  const scores = new Float64Array(3);
  mfScores(model, 1, scores);
  expect([...scores]).toEqual([3, 4, 7]);
});

test('initial embeddings have the deviation that is asked for', () => {
  const { users } = initMf({ userCount: 1000, itemCount: 1, dimension: 50 }, 0.2, randomGenerator(1, 'init'));
  const variance = users.reduce((sum, value) => sum + value * value, 0) / users.length;
  expect(Math.sqrt(variance)).toBeCloseTo(0.2, 2);
});
