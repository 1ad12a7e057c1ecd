import { expect, test } from 'vitest';
import { newerSummaries } from '#web/lib/newerSummaries.ts';

const summary = { name: 'train/loss', pointCount: 2, lastStep: 1, lastValue: 0.5, minimum: 0.5, maximum: 3 };
const series = (steps: number[], values: number[]) => ({
  ...{ runId: 'r', name: 'train/loss', steps, values, times: steps, minimum: null, maximum: null },
  ...{ pointCount: 2, cursor: 1 },
});

test('a table of a live run goes as far as the charts beside it', () => {
  const [newer] = newerSummaries([summary], [series([0, 1, 2, 3], [3, 0.5, Number.NaN, 0.25])]);
  expect(newer).toEqual({ ...summary, pointCount: 4, lastStep: 3, lastValue: 0.25, minimum: 0.25 });
});

test('what was read later than the charts stays, and other metrics are as they were', () => {
  const summaries = [summary, { ...summary, name: 'valid/mrr' }];
  expect(newerSummaries(summaries, [series([0, 1], [3, 0.5])])).toBe(summaries);
  expect(newerSummaries(summaries, [series([0, 1, 2], [3, 0.5, 1])])[1]).toBe(summaries[1]);
});
