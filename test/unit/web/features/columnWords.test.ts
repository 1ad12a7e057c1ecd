import { expect, it } from 'vitest';
import { namedColumns, RUN_COLUMNS } from '#src/runs/command/runColumns.ts';
import {
  candidateMetrics,
  chooseColumns,
  type FirstRuns,
  firstOfKinds,
  RUN_FIELDS,
  TERMINAL_FIELDS,
} from '#web/features/runs/columnChoice.ts';
import { ownMetricsOf } from '#web/features/runs/firstRuns.ts';

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
    ...{ commonMetrics: new Set(['test/ndcg@10']), ownMetrics: new Set<string>() },
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
    ownMetrics: new Set<string>(),
    varying: new Set<string>(),
  };
  expect(chooseColumns(undefined, available, { kinds, first: queued })).toEqual([
    ...['name', 'state', 'kind', 'seed', 'duration', 'created', 'user'],
  ]);
  const mixed = first({ kinds: ['sasrec', 'rntk', 'embedding'], varying: new Set() });
  expect(chooseColumns(undefined, available, { kinds, first: mixed }), 'each its own main metric').toEqual([
    ...['name', 'state', 'kind', 'dataset', 'headline', 'metric."test/ndcg@10"', 'seed', 'duration', 'created'],
  ]);
  expect(chooseColumns(undefined, available, { kinds, first: mixed, narrow: true }), 'on a phone').toEqual([
    ...['name', 'state', 'headline', 'metric."test/ndcg@10"', 'kind', 'dataset', 'seed', 'duration', 'created'],
  ]);
  const alike = ['sasrec', 'gru4rec', 'mf-bpr'].map((kind) => ({ kind, primaryMetric: 'test/ndcg@10' }));
  const recommenders = first({ kinds: alike.map(({ kind }) => kind), varying: new Set() });
  expect(chooseColumns(undefined, available, { kinds: alike, first: recommenders }), 'all one main metric').toEqual([
    ...['name', 'state', 'kind', 'dataset', 'metric."test/ndcg@10"', 'seed', 'duration', 'created'],
  ]);
  const grouped = firstOfKinds(['rntk'], available, { kinds, own: new Set() });
  expect(
    chooseColumns(undefined, available, { kinds, first: grouped }).filter((column) => column.startsWith('metric.')),
    'groups have the main metrics of the kinds that match',
  ).toEqual(['metric."test/accuracy"']);
  const unread = chooseColumns(undefined, available, { kinds, first: null });
  expect(unread.filter((column) => column.startsWith('metric.'))).toEqual([
    ...['metric."test/accuracy"', 'metric."test/ndcg@10"', 'metric."flatness"'],
  ]);
});

it("metrics of other kinds take no place of those that programs of one's own logged", () => {
  const kinds = [{ kind: 'mf-bpr', primaryMetric: 'test/ndcg@10' }];
  const ofKind = ['test/coverage@10', 'test/f1@10', 'test/hr@10', 'test/ndcg@10'];
  const ofProgram = ['test/ndcg@10', 'test/recall@20', 'train/loss', 'valid/loss'];
  const available = {
    ...{ metrics: [...new Set([...ofKind, ...ofProgram])], varying: [] },
    ...{ kinds: ['external', 'mf-bpr'], datasets: ['ml-1m'] },
  };
  const shownBeside = (first: FirstRuns) =>
    chooseColumns(undefined, available, { kinds, first }).filter((column) => column.startsWith('metric.'));
  const logged = ['metric."test/ndcg@10"', 'metric."test/recall@20"', 'metric."valid/loss"'];
  expect(candidateMetrics(available, kinds), 'all that may make columns are read').toEqual(
    expect.arrayContaining(available.metrics),
  );
  const run = (kind: string, metrics: string[]) => ({
    configuration: { kind },
    metrics: metrics.map((name) => ({ name })),
  });
  const own = ownMetricsOf([run('mf-bpr', ofKind), run('external', ofProgram)]);
  expect(shownBeside(firstOfKinds(['external', 'mf-bpr'], available, { kinds, own }))).toEqual(logged);
  expect(shownBeside(firstOfKinds(['external'], available, { kinds, own })), 'of the program alone').toEqual(logged);
});
