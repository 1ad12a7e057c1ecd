import { describe, expect, it } from 'vitest';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { cellConditions, groupFieldOf, withCondition } from '#web/features/runs/cellConditions.ts';
import type { MetricSummary, RunRow } from '#web/features/runs/useRuns.ts';

const metric = (name: string, summaryRule: MetricSummary['summaryRule']): MetricSummary => ({
  ...{
    name,
    direction: null,
    pointCount: 4,
    lastStep: 3,
    lastValue: 0.25,
    minimum: 0.125,
    maximum: 0.5,
  },
  ...{
    summary: summaryRule === null ? 0.25 : 0.5,
    summaryRule,
    stepMetric: null,
    description: '',
  },
});

const run: RunRow = {
  ...{
    id: 'id',
    number: 7,
    name: 'seventh',
    tags: ['first "try"'],
    seed: 3,
    state: 'SUCCEEDED',
    priority: 0,
  },
  ...{
    attempt: 1,
    maxAttempts: 5,
    cancelRequested: false,
    progress: 1,
    progressMessage: '',
    error: null,
  },
  ...{
    createdAt: '2026-01-02T00:00:00.000Z',
    startedAt: null,
    endedAt: null,
    deletedAt: null,
  },
  ...{
    user: null,
    lastHeardAt: null,
    leaseSeconds: null,
    project: { name: 'mine' },
  },
  texts: [{ name: 'phase', texts: ['warm-up'] }],
  metrics: [metric('loss', null), metric('acc', 'max'), metric('mean', 'mean')],
  configuration: {
    ...{
      kind: 'sasrec',
      datasetName: 'amazon-beauty',
      hash: 'abc',
      dataset: { name: 'amazon-beauty' },
    },
    parameters: { learningRate: 0.001, optimizer: { name: 'adam' }, list: [1] },
  },
};

const conditions = (column: string) => cellConditions(run, column, undefined).map(({ condition }) => condition);

describe('a cell of the table', () => {
  it('gives runs with its value, and all others', () => {
    expect(conditions('kind')).toEqual(['kind = "sasrec"', 'not (kind = "sasrec")']);
    expect(conditions('config.dataset.name')[0]).toBe('dataset = "amazon-beauty"');
    expect(conditions('config.parameters.optimizer.name')[0]).toBe('config.parameters.optimizer.name = "adam"');
    expect(conditions('text."phase"')[0]).toBe('text."phase" = "warm-up"');
    expect(conditions('tags')).toEqual(['tag = "first \\"try\\""', 'not tag = "first \\"try\\""']);
  });

  it('gives numbers from its own up, or down', () => {
    expect(conditions('config.parameters.learningRate')).toEqual([
      'config.parameters.learningRate = 0.001',
      'not (config.parameters.learningRate = 0.001)',
      'config.parameters.learningRate >= 0.001',
      'config.parameters.learningRate <= 0.001',
    ]);
  });

  it('writes small and negative numbers as the filter language reads them', () => {
    const small = { ...run.configuration, parameters: { learningRate: 1e-7, shift: -0.5 } };
    for (const column of ['config.parameters.learningRate', 'config.parameters.shift'])
      for (const { condition } of cellConditions({ ...run, configuration: small }, column, undefined))
        expect(() => parseRunFilter(condition, () => null)).not.toThrow();
  });

  it('compares the value of a metric that it shows: the last one, or the one of its rule', () => {
    expect(conditions('metric."loss"').slice(0, 2)).toEqual(['metric."loss" >= 0.25', 'metric."loss" <= 0.25']);
    expect(conditions('metric."acc"').slice(0, 2)).toEqual(['max."acc" >= 0.5', 'max."acc" <= 0.5']);
    expect(conditions('metric."mean"')).toEqual(['not (metric."mean" is null)']);
  });

  it('that is empty gives runs without a value', () => {
    expect(conditions('user')).toEqual(['user is null', 'not (user is null)']);
    expect(conditions('config.parameters.dropout')[0]).toBe('config.parameters.dropout is null');
  });

  it('whose value is the run’s own gives nothing', () => {
    for (const column of ['name', 'created', 'duration', 'notes', 'curve."loss"', 'config.parameters.list'])
      expect(conditions(column)).toEqual([]);
  });

  it('says nothing that the filter language does not take', () => {
    const columns = [
      'kind',
      'dataset',
      'project',
      'user',
      'seed',
      'state',
      'configuration',
      'attempt',
      'priority',
      'tags',
    ];
    const others = ['config.parameters.learningRate', 'config.parameters.dropout', 'text."phase"', 'text."none"'];
    const metrics = ['metric."loss"', 'metric."acc"', 'metric."mean"', 'metric."none"'];
    for (const column of [...columns, ...others, ...metrics])
      for (const condition of conditions(column)) expect(() => parseRunFilter(condition, () => null)).not.toThrow();
  });
});

it('a condition is joined to the filter that is there, once', () => {
  expect(withCondition('', 'a = 1')).toBe('a = 1');
  expect(withCondition('tag = x', 'seed = 1')).toBe('tag = x and seed = 1');
  expect(withCondition('tag = x and seed = 1', 'seed = 1')).toBe('tag = x and seed = 1');
  expect(withCondition('tag = x or tag = y', 'seed = 1')).toBe('(tag = x or tag = y) and seed = 1');
});

it('columns of values that runs share group them', () => {
  expect(['kind', 'tags', 'config.parameters.lr', 'name', 'metric."loss"'].map(groupFieldOf)).toEqual([
    ...['kind', 'tag', 'config.parameters.lr', null, null],
  ]);
});
