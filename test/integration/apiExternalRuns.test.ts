import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from './support/externalRunCalls.ts';

const api = await apiForTests({ seriesPerRun: 50 });
const { ok, graphql } = api;
const db = openDatabase(api.postgres.url);
afterAll(() => db.$disconnect());

describe('runs of other programs', () => {
  test('are created, logged to and finished; a repeated call changes nothing', async () => {
    const { createRun: run } = await ok(
      `mutation ($input: CreateRunInput!) { createRun(input: $input) { id state seed tags attempt
        configuration { kind datasetName parameters } } }`,
      {
        input: { name: 'mine', parameters: { lr: 0.1, layers: [1, 2] }, datasetName: 'my-data', seed: 4, tags: ['t'] },
      },
    );
    expect(run).toMatchObject({
      ...{ state: 'RUNNING', seed: 4, tags: ['t'], attempt: 1 },
      configuration: { kind: 'external', datasetName: 'my-data', parameters: { lr: 0.1, layers: [1, 2] } },
    });
    const series = [{ name: 'train/loss', steps: [1, 2], values: [0.5, 0.25] }];
    expect((await ok(LOG_METRICS, { runId: run.id, series })).logMetrics).toBe(2);
    expect((await ok(LOG_METRICS, { runId: run.id, series })).logMetrics).toBe(0);
    const lines = [{ text: 'one' }, { text: 'two', level: 'error', time: 1_000 }];
    const logLines =
      'mutation ($runId: ID!, $lines: [LogLineInput!]!) { logLines(runId: $runId, from: 0, lines: $lines) }';
    expect((await ok(logLines, { runId: run.id, lines })).logLines).toBe(2);
    expect((await ok(logLines, { runId: run.id, lines })).logLines).toBe(0);
    const { logs } = await ok(
      'query ($id: ID!) { logs(runId: $id) { hasMore cursor lines { attempt line level text time } } }',
      {
        id: run.id,
      },
    );
    expect(logs).toMatchObject({
      hasMore: false,
      lines: [
        { line: 0, level: 'info', text: 'one' },
        { line: 1, level: 'error', text: 'two', time: '1970-01-01T00:00:01.000Z' },
      ],
    });
    const { finishRun } = await ok('mutation ($id: ID!) { finishRun(runId: $id) { state endedAt } }', { id: run.id });
    expect(finishRun.state).toBe('SUCCEEDED');
    const late = await graphql(LOG_METRICS, { runId: run.id, series });
    expect(late.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', path: 'runId' });
  });

  test('may fail, with their own message', async () => {
    const id = await createExternalRun(api);
    const { finishRun } = await ok(
      'mutation ($id: ID!) { finishRun(runId: $id, state: FAILED, errorMessage: "out of luck") { state error { code message stack } } }',
      { id },
    );
    expect(finishRun).toEqual({ state: 'FAILED', error: { code: 'RUN_FAILED', message: 'out of luck', stack: null } });
  });

  test('a log is read on from where it was left', async () => {
    const id = await createExternalRun(api);
    const lines = Array.from({ length: 25 }, (_, index) => ({ text: `line ${index}` }));
    await ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
      id,
      lines,
    });
    const texts: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const { logs } = await ok(
        'query ($id: ID!, $after: String) { logs(runId: $id, after: $after, first: 10) { cursor hasMore lines { text } } }',
        { id, after },
      );
      texts.push(...logs.lines.map((line: { text: string }) => line.text));
      after = logs.cursor;
      more = logs.hasMore;
    }
    expect(texts).toEqual(lines.map((line) => line.text));
  });
});

describe('dates that nobody can read', () => {
  const LINES = 'mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }';
  const YEAR_10000 = Date.UTC(10_000, 0, 1);

  test('are refused from callers', async () => {
    const id = await createExternalRun(api);
    const line = await graphql(LINES, { id, lines: [{ text: 'x', time: YEAR_10000 }] });
    expect(line.errors[0]?.extensions.code).toBe('BAD_INPUT');
    const series = [{ name: 'm', steps: [0], values: [1], times: [YEAR_10000] }];
    expect((await graphql(LOG_METRICS, { runId: id, series })).errors[0]?.extensions.code).toBe('BAD_INPUT');
    const token = 'mutation ($t: DateTime) { issueToken(name: "late", role: READ, expiresAt: $t) { token } }';
    const expiry = await graphql(token, { t: '9999-12-31T23:59:59-10:00' });
    expect(expiry.errors[0]?.extensions.code).toBe('BAD_INPUT');
    await ok(LINES, { id, lines: [{ text: 'x', time: YEAR_10000 - 1 }] });
    const { logs } = await ok('query ($id: ID!) { logs(runId: $id) { lines { time } } }', { id });
    expect(logs.lines).toEqual([{ time: '9999-12-31T23:59:59.999Z' }]);
  });

  test('that are in the database cost nobody the page', async () => {
    const id = await createExternalRun(api);
    await ok(LINES, { id, lines: [{ text: 'before' }, { text: 'after' }] });
    await db.$executeRaw`UPDATE log_line SET time = '10000-01-01' WHERE run_id = ${id}::uuid AND line = 1`;
    const { logs } = await ok('query ($id: ID!) { logs(runId: $id) { lines { text time } } }', { id });
    expect(logs.lines).toMatchObject([{ text: 'before' }, { text: 'after', time: '9999-12-31T23:59:59.999Z' }]);
  });
});

test('a page of long lines ends early, and says that it has more', async () => {
  const id = await createExternalRun(api);
  const lines = Array.from({ length: 30 }, (_, index) => ({ text: `${index} `.padEnd(100_000, 'x') }));
  await ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
    id,
    lines,
  });
  const numbers: number[] = [];
  let pages = 0;
  let after: string | null = null;
  for (let more = true; more; pages++) {
    const { logs } = await ok(
      'query ($id: ID!, $after: String) { logs(runId: $id, after: $after) { cursor hasMore lines { line text } } }',
      { id, after },
    );
    expect(JSON.stringify(logs).length).toBeLessThan(1.1 * 1024 ** 2);
    numbers.push(...logs.lines.map(({ line }: { line: number }) => line));
    ({ cursor: after, hasMore: more } = logs);
  }
  expect(numbers).toEqual(lines.map((_, index) => index));
  expect(pages).toBe(3);
});

test('what a program says of its failure is kept, but not all of it when it is very long', async () => {
  const id = await createExternalRun(api);
  const errorMessage = `first words ${'x'.repeat(500_000)} last words`;
  const { finishRun } = await ok(
    `mutation ($id: ID!, $m: String) { finishRun(runId: $id, state: FAILED, errorMessage: $m) {
      error { message } attempts { errorMessage } events { message } } }`,
    { id, m: errorMessage },
  );
  expect(finishRun.error.message).toMatch(/^first words x+ … \d+ characters left out … x+ last words$/);
  expect(JSON.stringify(finishRun).length).toBeLessThan(20_000);
});

test('a run has no more metrics than may be kept, and says how many that are', async () => {
  const runId = await createExternalRun(api);
  const named = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `m${from + index}`, steps: [0], values: [1] }));
  await ok(LOG_METRICS, { runId, series: named(0, 40) });
  const { errors } = await graphql(LOG_METRICS, { runId, series: named(40, 11) });
  expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'series' } });
  expect(errors[0]?.message).toMatch(/would have 51 metrics; at most 50 are kept.*WARREN_MAX_SERIES/);
  expect((await ok(LOG_METRICS, { runId, series: named(40, 10) })).logMetrics).toBe(10);
});

test('the events of a run come in pages', async () => {
  const id = await createExternalRun(api);
  for (let index = 0; index < 5; index++) {
    await ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
      input: { id, name: `n${index}` },
    });
  }
  const query = 'query ($id: ID!, $after: ID) { run(id: $id) { events(first: 4, after: $after) { id type } } }';
  const first = (await ok(query, { id })).run.events;
  const rest = (await ok(query, { id, after: first[3].id })).run.events;
  expect([...first, ...rest].map(({ type }: { type: string }) => type)).toEqual([
    'started',
    ...Array(5).fill('edited'),
  ]);
});
