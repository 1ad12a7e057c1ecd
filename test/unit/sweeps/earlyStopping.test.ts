import { describe, expect, test } from 'vitest';
import { type EarlyStopping, judge, type RungValue, rungsUpTo } from '#src/sweeps/search/earlyStopping.ts';
import { readSweepFile } from '#src/sweeps/search/sweepDefinition.ts';
import { randomStream } from '#src/sweeps/search/randomStream.ts';

const read = (early_terminate: unknown) =>
  readSweepFile({
    ...{ method: 'random', kind: 'sasrec', metric: { name: 'valid/ndcg@10' }, run_cap: 9, early_terminate },
    parameters: { epochs: { value: 27 } },
  }).definition.earlyStopping;

const stopping = (early_terminate: unknown): EarlyStopping => read(early_terminate)!;

describe('early_terminate', () => {
  test('is W&B’s hyperband: rungs from the first iteration up, or from the last one down', () => {
    const upwards = stopping({ type: 'hyperband', min_iter: 3 });
    expect(upwards).toMatchObject({ rule: 'asha', metric: 'valid/ndcg@10', goal: 'maximize', eta: 3, strict: false });
    expect(rungsUpTo(upwards, 100)).toEqual([3, 9, 27, 81]);
    expect(rungsUpTo(stopping({ type: 'hyperband', max_iter: 27, s: 2 }), 100)).toEqual([3, 9]);
    expect(rungsUpTo(stopping({ type: 'hyperband', max_iter: 10, s: 9, eta: 10, strict: true }), 100)).toEqual([1]);
    expect(rungsUpTo(stopping({ type: 'asha', min_iter: 1, eta: 1.5 }), 8)).toEqual([1, 2, 3, 5, 7]);
  });

  test('is a median rule, over another metric where one is named', () => {
    const rule = stopping({ type: 'median', min_iter: 4, every: 3, metric: 'train/loss' });
    expect(rule).toMatchObject({ rule: 'median', metric: 'train/loss', goal: 'minimize', trials: 5 });
    expect(rungsUpTo(rule, 10)).toEqual([4, 7, 10]);
    expect(rungsUpTo(rule, 3)).toEqual([]);
  });

  test.each([
    [{ type: 'hyperband' }, /expected min_iter/],
    [{ type: 'hyperband', max_iter: 9 }, /early_terminate.s: max_iter needs it/],
    [{ type: 'hyperband', min_iter: 1, max_iter: 9, s: 1 }, /not both/],
    [{ type: 'hyperband', max_iter: 2, s: 3 }, /makes no rung/],
    [
      { type: 'successive' },
      /early_terminate.type: received "successive", expected one of "hyperband", "asha", "median"/,
    ],
    [{ type: 'asha', min_iter: 1, minIter: 2 }, /minIter/],
  ])('%o is refused in words', (given, words) => {
    expect(() => read(given)).toThrow(words);
  });
});

/** Trials that come one after the other to one rung, and whether each goes on. */
function verdicts(rule: EarlyStopping, values: readonly number[]): boolean[] {
  const known: RungValue[] = [];
  return values.map((value, trial) => {
    const { goesOn } = judge(rule, { trial, iteration: 1, value }, known);
    known.push({ trial, iteration: 1, value, finished: true });
    return goesOn;
  });
}

describe('successive halving', () => {
  const strict = stopping({ type: 'asha', min_iter: 1 });

  test('lets the best third of those that have come go on, and at least the best', () => {
    expect(verdicts(strict, [0.5, 0.4, 0.6, 0.55, 0.57, 0.58, 0.59])).toEqual([
      ...[true, false, true, false, false, true, true],
    ]);
    expect(verdicts(stopping({ type: 'hyperband', min_iter: 1 }), [0.5, 0.4, 0.45, 0.47])).toEqual([
      ...[true, false, true, true],
    ]);
  });

  test('stops what is no number, unless there is nothing better', () => {
    expect(verdicts(strict, [Number.NaN, Number.NaN, 0.1, Number.POSITIVE_INFINITY])).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('lets a third of many through, whatever their order', () => {
    const random = randomStream('random', 1, 1, 'values');
    const passed = verdicts(strict, Array.from({ length: 600 }, random)).filter((goesOn) => goesOn).length;
    expect(passed).toBeGreaterThan(190);
    expect(passed).toBeLessThan(225);
  });
});

test('the median rule waits for enough finished trials, and looks at the best value so far', () => {
  const rule = stopping({ type: 'median', min_trials: 3 });
  const finished = [1, 2, 3].flatMap((trial): RungValue[] => [
    { trial, iteration: 1, value: trial, finished: true },
    { trial, iteration: 2, value: 10 * trial, finished: true },
  ]);
  const at = (iteration: number, value: number, known: readonly RungValue[]) =>
    judge(rule, { trial: 9, iteration, value }, known).goesOn;
  expect(at(1, 0, finished.slice(0, 4))).toBe(true);
  expect([at(1, 1.9, finished), at(1, 2, finished)]).toEqual([false, true]);
  const earlier = { trial: 9, iteration: 1, value: 30, finished: false };
  expect([at(2, 5, finished), at(2, 5, [...finished, earlier])]).toEqual([false, true]);
});
