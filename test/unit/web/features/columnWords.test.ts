import { expect, it } from 'vitest';
import { namedColumns, RUN_COLUMNS } from '#src/cli/ls/runColumns.ts';
import { chooseColumns, firstOfKinds, RUN_FIELDS, TERMINAL_FIELDS } from '#web/features/runs/columnChoice.ts';

const UNKNOWN = { kinds: undefined, first: null };

it('the table and warren ls know the same words for columns', () => {
  expect([...RUN_COLUMNS].sort()).toEqual([...RUN_FIELDS, ...TERMINAL_FIELDS].sort());
  const others = ['config.lr', 'parameters.lr', 'config.dataset', 'metric.loss', 'metrics.loss', 'test/ndcg@10'];
  expect(namedColumns(others).map(({ header, metric }) => metric ?? header)).toEqual([
    ...['lr', 'lr', 'dataset', 'loss', 'loss', 'test/ndcg@10'],
  ]);
  expect(chooseColumns([...RUN_COLUMNS, ...others].join(','), undefined, UNKNOWN)).toEqual([
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
  const columns = chooseColumns(undefined, available, UNKNOWN);
  expect(columns.filter((column) => /^(config|metric)\./.test(column))).toEqual([
    ...['metric."val/loss"', 'metric."loss"'],
    ...['lr', 'width', 'command', 'environment'].map((name) => `config.parameters.${name}`),
  ]);
});

it('without a word a table has the columns that tell something of its first runs', () => {
  const kinds = [
    { kind: 'sasrec', primaryMetric: 'test/ndcg@10' },
    { kind: 'rntk', primaryMetric: 'test/accuracy' },
    { kind: 'embedding', primaryMetric: 'flatness' },
  ];
  const available = {
    metrics: ['flatness', 'test/accuracy', 'test/ndcg@10', 'train/loss'],
    varying: ['parameters.depth', 'parameters.width'],
    ...{ kinds: ['embedding', 'rntk', 'sasrec'], datasets: ['ml-1m'] },
  };
  const first = (change: object) => ({
    ...{ kinds: ['sasrec'], hasDataset: true, severalUsers: false, metrics: new Set(['test/ndcg@10', 'flatness']) },
    commonMetrics: new Set(['test/ndcg@10']),
    ...{ varying: new Set(['parameters.width']), ...change },
  });
  expect(chooseColumns(undefined, available, { kinds, first: first({}) })).toEqual([
    ...['name', 'state', 'dataset', 'metric."test/ndcg@10"', 'metric."flatness"'],
    ...['config.parameters.width', 'seed', 'duration', 'created'],
  ]);
  const queued = {
    kinds: ['rntk', 'sasrec'],
    hasDataset: false,
    severalUsers: true,
    metrics: new Set<string>(),
    commonMetrics: new Set<string>(),
    varying: new Set<string>(),
  };
  expect(chooseColumns(undefined, available, { kinds, first: queued })).toEqual([
    ...['name', 'state', 'kind', 'seed', 'duration', 'created', 'user'],
  ]);
  const mixed = first({ kinds: ['sasrec', 'rntk', 'embedding'], varying: new Set() });
  expect(chooseColumns(undefined, available, { kinds, first: mixed }), 'each its own main metric').toEqual([
    ...['name', 'state', 'kind', 'dataset', 'headline', 'metric."test/ndcg@10"', 'seed', 'duration', 'created'],
  ]);
  const grouped = firstOfKinds(['rntk'], available, kinds);
  expect(
    chooseColumns(undefined, available, { kinds, first: grouped }).filter((column) => column.startsWith('metric.')),
    'groups have the main metrics of the kinds that match',
  ).toEqual(['metric."test/accuracy"']);
  const unread = chooseColumns(undefined, available, { kinds, first: null });
  expect(unread.filter((column) => column.startsWith('metric.'))).toEqual([
    ...['metric."test/accuracy"', 'metric."test/ndcg@10"', 'metric."flatness"'],
  ]);
});
