import { expect, it } from 'vitest';
import { namedColumns, RUN_COLUMNS } from '#src/cli/ls/runColumns.ts';
import { chooseColumns, RUN_FIELDS, TERMINAL_FIELDS } from '#web/features/runs/columnChoice.ts';

it('the table and warren ls know the same words for columns', () => {
  expect([...RUN_COLUMNS].sort()).toEqual([...RUN_FIELDS, ...TERMINAL_FIELDS].sort());
  const others = ['config.lr', 'parameters.lr', 'config.dataset', 'metric.loss', 'metrics.loss', 'test/ndcg@10'];
  expect(namedColumns(others).map(({ header, metric }) => metric ?? header)).toEqual([
    ...['lr', 'lr', 'dataset', 'loss', 'loss', 'test/ndcg@10'],
  ]);
  expect(chooseColumns([...RUN_COLUMNS, ...others].join(','), undefined, undefined)).toEqual([
    ...RUN_COLUMNS.filter((name) => !TERMINAL_FIELDS.has(name)),
    ...['config.parameters.lr', 'config.dataset.name', 'metric."loss"', 'metric."test/ndcg@10"'],
  ]);
});

it("runs of programs of one's own are shown with their parameters and what tells most of them", () => {
  const available = {
    metrics: ['loss', 'system/memory_mb', 'train/loss', 'val/loss'],
    varying: ['code', 'command', 'environment', 'lr', 'width'].map((name) => `parameters.${name}`),
    kinds: ['command'],
    datasets: [],
  };
  const columns = chooseColumns(undefined, available, []);
  expect(columns.filter((column) => /^(config|metric)\./.test(column))).toEqual([
    ...['lr', 'width', 'command', 'environment'].map((name) => `config.parameters.${name}`),
    ...['metric."val/loss"', 'metric."loss"'],
  ]);
});
