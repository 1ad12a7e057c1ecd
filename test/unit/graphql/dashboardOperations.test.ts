import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, specifiedRules, validate } from 'graphql';
import { expect, test } from 'vitest';
import { aliasRule } from '#src/graphql/aliasRule.ts';
import { coerceOperation } from '#src/base/graphql/coercedOperation.ts';
import { checkCost } from '#src/base/graphql/checkCost.ts';
import { depthRule } from '#src/graphql/depthRule.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

const folder = join(projectRoot(), 'web');
const found = readdirSync(folder, { encoding: 'utf8', recursive: true });
const files = found.filter((name) => name.endsWith('.graphql'));
const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
const document = parse(text);
const schema = buildWarrenSchema();

test('every operation of the dashboard is valid', () => {
  expect(validate(schema, document, [...specifiedRules, depthRule, aliasRule])).toEqual([]);
});

const operations = document.definitions.flatMap((definition) =>
  definition.kind === Kind.OPERATION_DEFINITION && definition.name !== undefined ? [definition.name.value] : [],
);

const INPUTS: Readonly<Record<string, object>> = {
  UpdateRun: { id: 'id 0' },
  UpdateRegistryEntry: { name: 'ranker' },
  ReproduceStudy: { name: 'rntk/table-2' },
  StudyPlan: { name: 'rntk/table-2' },
  EnqueueCommand: { command: ['train'] },
  CreateSweep: { text: 'method: grid' },
  ExtendSweep: { id: 'id 0' },
  ChangeRuns: { action: 'DELETE', expected: 100_000 },
  SaveView: { id: '1' },
  SaveAlertRule: { id: '1' },
  SaveReport: { id: '1', basedOn: 1 },
  CreateShareLink: { runs: ['1'], title: 't' },
  RegisterVersion: { name: 'ranker', runId: '1' },
  DecideComparison: { a: '1', b: '2', metric: 'test/ndcg@10' },
};

/** Operations that must name metrics, with as many as the dashboard names at once. */
const NAMED: Readonly<Record<string, string[]>> = {
  RunMetrics: Array.from({ length: 20 }, (_, index) => `metric ${index}`),
  RunCurves: ['train/loss'],
  FinerHistory: ['train/loss'],
};

test.each(operations)('%s is well within the limit, with pages of 200 entries and 100 runs', (operationName) => {
  const ids = Array.from({ length: 100 }, (_, index) => `id ${index}`);
  const variables = {
    ...{ id: ids[0], runId: ids[0], ids, runIds: ids, project: 'p', name: 'd', first: 200, next: 200, maxPoints: 500 },
    ...{
      inTrash: false,
      deleted: false,
      description: 'd',
      includeStopped: true,
      metrics: operationName === 'RunGroups' ? [{ name: 'a' }] : ['a'],
      groupBy: ['kind'],
      group: 'g_',
      format: 'CSV',
      input: INPUTS[operationName] ?? { kind: 'k' },
      seeds: 100,
      worker: 'w',
      filter: '',
      isDefault: true,
      ...(NAMED[operationName] === undefined ? {} : { names: NAMED[operationName] }),
      priority: 1,
      ...{ metric: 'train/loss', fromStep: 0, toStep: 100 },
      ...{
        since: '2026-11-23T00:00:00Z',
        failedFilter: 'state = FAILED',
        endedFilter: 'state = FAILED',
        projects: 200,
      },
      text: 'a',
      ...{ version: 'ranker:1', alias: 'production' },
      olderThanDays: 0,
      dryRun: false,
      ...{ user: 'ann@lab.example', grants: [], withdraw: ['p'], disabled: true, keepTokens: false },
      ...{ withPins: true, withNotes: true, withHeadline: true, today: true, field: 'kind' },
      ...{ withTexts: true, role: 'READ', expiresAt: '2026-11-23T00:00:00Z' },
    },
  };
  const coerced = coerceOperation({ schema, document, variables, operationName });
  expect(checkCost(coerced)).toBeLessThan(LIMITS.cost / 2);
});
