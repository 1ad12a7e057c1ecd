import { expect, test } from 'vitest';
import { KINDS } from '#src/catalog/kinds.ts';
import { LIST_METRICS, RANKING_METRICS } from '#src/catalog/rankingMetrics.ts';
import { metricDirection } from '#src/catalog/metricDirection.ts';

test.each([
  ['test/ndcg@10', 'higher'],
  ['test/mrr@5', 'higher'],
  ['valid/hr@10', 'higher'],
  ['accuracy', 'higher'],
  ['macro-f1', 'higher'],
  ['Test/AUC', 'higher'],
  ['eval_accuracy', 'higher'],
  ['train/loss', 'lower'],
  ['loss', 'lower'],
  ['val_loss', 'lower'],
  ['test/rmse', 'lower'],
  ['time/epoch', 'lower'],
  ['latency/p95', 'lower'],
  ['friedman-rank', 'lower'],
  ['accuracy/loss', 'lower'],
  ['system/cpu-time', null],
  ['system/memory', null],
  ['learning-rate', null],
  ['temperature', null],
  ['flossing', null],
  ['warm-loss-scale', null],
  ['toast-error', null],
  ['plain/time/epoch', 'lower'],
  ['', null],
])('%s is better %s', (name, direction) => {
  expect(metricDirection(name)).toBe(direction);
});

test('metrics of rankings and lists have the direction that is declared', () => {
  for (const [name, { direction }] of Object.entries({ ...RANKING_METRICS, ...LIST_METRICS })) {
    expect(metricDirection(`test/tail/${name}@10`), name).toBe(direction);
  }
});

test('the primary metric of every kind has a direction', () => {
  for (const kind of KINDS) expect(metricDirection(kind.primaryMetric)).not.toBeNull();
});
