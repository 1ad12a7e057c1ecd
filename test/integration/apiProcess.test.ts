import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import { apiForTests, clientOf } from './support/apiForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();
const startProcess = apiProcessesForTests();

/** A port that is taken for as long as the test file runs. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('migrates an empty database, says where it listens, and ends in order when asked', async () => {
  const databaseUrl = await postgres.freshDatabase({ empty: true });
  const started = startProcess({ DATABASE_URL: databaseUrl, WARREN_PORT: '0' });
  const url = await waitUntil(`the API listens ${started.stderr}`, () => started.url, 30_000);
  // A message and a line come by ways of their own.
  await waitUntil('it says so', () => started.stdout.endsWith('\n'));
  expect(started.stdout).toBe(`Warren's API and dashboard: ${url}\n`);
  const { ok, socket } = clientOf(url);
  expect((await ok('{ runs { totalCount } }')).runs.totalCount).toBe(0);
  const client = socket();
  const closed = new Promise((resolve) => client.on('closed', resolve));
  client.subscribe(
    { query: 'subscription { runChanged { id } }' },
    { next: () => {}, error: () => {}, complete: () => {} },
  );
  await new Promise((resolve) => client.on('connected', resolve));
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  expect(await closed).toMatchObject({ code: 1001 });
  expect(started.stderr).toBe('');
});

test('ends when the process that started it is gone', async () => {
  const started = startProcess({ DATABASE_URL: postgres.url, WARREN_PORT: '0' });
  await waitUntil('the API listens', () => started.url, 30_000);
  started.child.disconnect();
  expect(await exitOf(started.child)).toMatchObject({ code: 0 });
});

test.each([
  ['no database', () => ({ DATABASE_URL: '' }), 'DATABASE_URL', 2],
  ['a port that is taken', async () => ({ WARREN_PORT: String(await takenPort()) }), 'WARREN_PORT', 2],
  [
    'a database that is not there',
    () => ({ DATABASE_URL: 'postgresql://x@127.0.0.1:1/x', WARREN_START_SECONDS: '0' }),
    'nothing listens there',
    1,
  ],
])('%s ends it with a line that says what to do', async (_what, environment, message, code) => {
  // on a busy machine it would say that a statement was slow
  const started = startProcess({ DATABASE_URL: postgres.url, WARREN_SLOW_SECONDS: '3600', ...(await environment()) });
  expect(await started.ended).toBe(code);
  expect(started.stderr).toMatch(/^warren api: .+\n$/);
  expect(started.stderr).toContain(message);
});

test('takes the next free port where the wanted one is busy and nobody insisted on it', async () => {
  const port = await takenPort();
  const api = await apiForTests({ postgres, port, orNextPort: true });
  expect(api.server.port).toBeGreaterThan(port);
  await expect(apiForTests({ postgres, port, orNextPort: false })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is taken`,
  );
});

test('a request under way ends before the server does', async () => {
  const api = await apiForTests({ postgres });
  const { createRun } = await api.ok('mutation { createRun(input: {}) { id } }');
  const steps = Array.from({ length: 50_000 }, (_, step) => step);
  const logging = api.ok('mutation ($id: ID!, $s: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $s) }', {
    ...{ id: createRun.id, s: [{ name: 'a', steps, values: steps }] },
  });
  await new Promise((resolve) => setImmediate(resolve));
  await waitUntil('the request has arrived', async () => (await api.fetch('/health')).ok);
  const closing = api.server.close();
  expect((await logging).logMetrics).toBe(50_000);
  await closing;
  await expect(api.fetch('/health')).rejects.toThrow();
});
