import { expect, test } from 'vitest';
import { groupMetrics, type MetricSummary } from '#web/features/run/metricGroups.ts';

function metric(name: string, pointCount = 3): MetricSummary {
  return {
    ...{ name, pointCount, direction: null, description: null, stepMetric: null },
    ...{ lastStep: 2, lastValue: 1, minimum: 0, maximum: 1 },
  } as MetricSummary;
}

test('the curves of a run stand as beside the table: the primary metric first, the machine last', () => {
  const names = ['system/cpu', 'train/loss', 'epoch', 'valid/loss', 'valid/ndcg@10', 'test/mrr'];
  const groups = groupMetrics(
    names.map((name) => metric(name)),
    'valid/ndcg@10',
  );
  expect(groups.map(({ prefix, curves }) => [prefix, curves.map(({ name }) => name)])).toEqual([
    ['', ['valid/ndcg@10', 'test/mrr', 'valid/loss', 'train/loss']],
    ['counters', ['epoch']],
    ['system', ['system/cpu']],
  ]);
  expect(groups.map(({ isOpen }) => isOpen)).toEqual([true, false, false]);
});

test('many curves stand in groups, those of the primary metric first; a metric of one point has none', () => {
  const many = Array.from({ length: 12 }, (_, at) => metric(`train/${at}`));
  const groups = groupMetrics([...many, metric('valid/accuracy'), metric('test/accuracy', 1)], null);
  expect(groups.map(({ prefix }) => prefix)).toEqual(['valid', 'train']);
});
