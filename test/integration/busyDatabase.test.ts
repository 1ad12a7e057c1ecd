import { afterAll, expect, test } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { apiForTests, type GraphqlAnswer } from './support/apiForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const answerLimits = { statementMs: 8_000, silenceMs: 20_000 };
const api = await apiForTests({ answerLimits });
const HISTORY = 'query ($id: ID!) { metricHistory(runIds: [$id]) { steps } }';

test('queries that fill the connections of callers hold up neither /health nor the reconciler, and end in time', async () => {
  const { createRun } = await api.ok('mutation { createRun(input: {}) { id } }');
  const logged = 'mutation ($id: ID!) { logMetrics(runId: $id, series: [{ name: "a", steps: [1], values: [1] }]) }';
  await api.ok(logged, { id: createRun.id });
  const { enqueueRuns } = await api.ok(
    'mutation { enqueueRuns(input: { kind: "popularity", dataset: { name: "generated/markov-small" } }) { id } }',
  );
  const other = await connectPostgres(api.postgres.url, { applicationName: 'test' });
  afterAll(() => other.end());
  // a queue that was emptied, and points that cannot be read
  await other.query('DELETE FROM bullmq.job');
  await other.query('BEGIN; LOCK TABLE metric_point IN ACCESS EXCLUSIVE MODE');
  const ended: GraphqlAnswer['errors'] = [];
  const queries = Array.from({ length: 15 }, async () => {
    ended.push(...(await api.graphql(HISTORY, { id: createRun.id })).errors);
  });
  // a caller's requests over HTTP take turns before they fill the pool
  const socket = api.socket();
  afterAll(() => socket.dispose());
  const onSocket = { query: HISTORY, variables: { id: createRun.id } };
  for (let count = 0; count < 5; count++) void socket.iterate(onSocket).next();
  await waitUntil('queries that wait', async () => {
    const waiting = await other.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    return waiting.rowCount === 10;
  });

  expect((await api.fetch('/health', { signal: AbortSignal.timeout(3_000) })).status).toBe(200);
  await waitUntil('the job of the queued run', async () => {
    const jobs = await other.query('SELECT 1 FROM bullmq.job WHERE id LIKE $1', [`${enqueueRuns[0].id}%`]);
    return jobs.rowCount === 1;
  });
  await waitUntil('the limit', () => ended.length >= 5);
  expect(new Set(ended.map(({ extensions }) => extensions.code))).toEqual(new Set(['TIMED_OUT']));
  expect(ended[0]?.message).toMatch(/^the database ended this after its time limit: ask for fewer/);
  await other.query('ROLLBACK');
  await Promise.all(queries);
  expect((await api.ok(HISTORY, { id: createRun.id })).metricHistory).toEqual([{ steps: [1] }]);
});
