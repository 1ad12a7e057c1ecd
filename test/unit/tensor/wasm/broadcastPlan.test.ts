import { describe, expect, test } from 'vitest';
import { broadcastPlan } from '#workers/tensor/wasm/broadcastPlan.ts';

describe('a plan for broadcasting', () => {
  test.each([
    ['one shape', [3, 4], [3, 4], [3, 4], [1, 1, 12], [0, 0, 1], [0, 0, 1]],
    ['a scalar', [3, 4], [], [3, 4], [1, 1, 12], [0, 0, 1], [0, 0, 0]],
    ['a bias', [2, 3, 4], [4], [2, 3, 4], [1, 6, 4], [0, 4, 1], [0, 0, 1]],
    ['a column', [3, 4], [3, 1], [3, 4], [1, 3, 4], [0, 4, 1], [0, 1, 0]],
    ['an outer product', [3, 1], [1, 4], [3, 4], [1, 3, 4], [0, 1, 0], [0, 0, 1]],
    ['a repeated middle', [2, 1, 4], [2, 3, 4], [2, 3, 4], [2, 3, 4], [4, 0, 1], [12, 4, 1]],
  ])('%s', (_name, a, b, out, extents, aSteps, bSteps) => {
    expect(broadcastPlan(a, b, out)).toEqual({ extents, aSteps, bSteps });
  });

  test('there is none where more than three groups of dimensions remain', () => {
    expect(broadcastPlan([2, 1, 2, 1], [1, 2, 1, 2], [2, 2, 2, 2])).toBeNull();
  });
});
