import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { apiForTests } from './support/apiForTests.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();
const api = await apiForTests({ postgres });
const startProcess = apiProcessesForTests();
const promtool = spawnSync('promtool', ['--version']).error === undefined;

/** The lines of `/metrics` that have values. */
async function samples(): Promise<string[]> {
  const answer = await api.fetch('/metrics');
  expect(answer.headers.get('content-type')).toContain('text/plain');
  return (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('/metrics counts runs, jobs, workers, requests and operations', async () => {
  await api.ok('mutation { createRun(input: {}) { id } }');
  await api.graphql('{ nothing }');
  await api.fetch('/artifacts/0/none');
  const found = await samples();
  expect(found).toContain('warren_database_up 1');
  expect(found).toContain('warren_runs{state="RUNNING"} 1');
  expect(found).toContain('warren_queue_jobs{state="waiting"} 0');
  expect(found).toContain('warren_worker_slots 0');
  expect(found).toContain('warren_graphql_operation_duration_seconds_count{field="createRun"} 1');
  expect(found).toContain('warren_graphql_errors_total{code="BAD_INPUT"} 1');
  expect(found).toContain('warren_http_request_duration_seconds_count{method="GET",route="artifacts",status="4xx"} 1');
  expect(found.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

test.skipIf(!promtool)('promtool finds nothing wrong with /metrics', async () => {
  const input = await (await api.fetch('/metrics')).text();
  const checked = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  // names that the client library gives to measurements of Node itself
  const ours = checked.stderr.split('\n').filter((line) => line.startsWith('warren_'));
  expect(ours).toEqual([]);
});

test('an answer has the id of its request: its own, or the one that a proxy gave', async () => {
  const idOf = async (headers: Record<string, string>) =>
    (await api.fetch('/health', { headers })).headers.get('x-request-id');
  expect(await idOf({ 'x-request-id': 'proxy-17' })).toBe('proxy-17');
  expect(await idOf({ 'x-request-id': 'not an id\u00e9' })).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idOf({})).toMatch(/^[0-9a-f-]{36}$/);
});

test('a slow statement is told without the values in it', async () => {
  const slow: string[] = [];
  const report = (statement: string) => void slow.push(statement);
  const db = openDatabase(postgres.url, { poolSize: 1, slow: { fromMs: 100, report } });
  await db.$queryRaw`SELECT ${'quick'}::text`;
  await db.$queryRaw`SELECT pg_sleep(${0.15}::float8)::text`;
  await db.$disconnect();
  expect(slow).toEqual(['SELECT pg_sleep($1::float8)::text']);
});

test('an API that is to end says so on /ready, and serves until its time is over', async () => {
  const environment = { DATABASE_URL: postgres.url, WARREN_PORT: '0', WARREN_DRAIN_SECONDS: '2' };
  const started = startProcess(environment);
  const url = await waitUntil('the API listens', () => started.url, 30_000);
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  started.child.kill('SIGTERM');
  const ready = await waitUntil('it says so', async () => {
    const answer = await fetch(`${url}/ready`);
    return answer.status === 503 ? answer : null;
  });
  expect(await ready.json()).toMatchObject({ status: 'ending', database: 'ok' });
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(await started.ended).toBe(0);
});
