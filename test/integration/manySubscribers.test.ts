import { type Client, createClient } from 'graphql-ws';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { apiForTests, clientOf } from './support/apiForTests.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { waitUntil } from './support/waitUntil.ts';
import { watchHealth } from './support/watchHealth.ts';

const postgres = await postgresForTests();
const api = await apiForTests({ postgres });
const startProcess = apiProcessesForTests();

const CREATE = 'mutation { createRun(input: { project: "shared" }) { id } }';
const LOG = 'mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }';
const METRICS =
  'subscription ($ids: [ID!]!, $after: [Int!]) { metricsLogged(runIds: $ids, after: $after) { series { steps } } }';
const ROW =
  'subscription { runChanged(project: "shared") { id name configuration { kind } metrics { name lastValue } } }';

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
});

/** Subscribes on a socket of its own. */
function follow<Data>(url: string, query: string, variables: Record<string, unknown>, onData: (data: Data) => void) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  clients.push(client);
  const next = ({ data }: { data?: Data | null }) => void (data != null && onData(data));
  client.subscribe<Data>({ query, variables }, { next, error: () => {}, complete: () => {} });
}

test('subscriptions of one socket that cost too much together are refused', async () => {
  const { createRun } = await api.ok(CREATE);
  const client = api.socket();
  clients.push(client);
  const errors: unknown[] = [];
  const variables = { ids: Array.from({ length: 200 }, () => createRun.id) };
  const query = 'subscription ($ids: [ID!]!) { runChanged(runIds: $ids) { id metrics { name } attempts { number } } }';
  for (let i = 0; i < LIMITS.subscriptions; i++) {
    const error = (refusal: unknown) => void errors.push(refusal);
    client.subscribe({ query, variables }, { next: () => {}, error, complete: () => {} });
  }
  await waitUntil('a refusal', () => errors.length > 0);
  expect(errors[0]).toMatchObject([{ extensions: { code: 'TOO_LARGE' } }]);
  expect(JSON.stringify(errors[0])).toMatch(/would cost \d+ together; at most 10000 is allowed: follow fewer runs/);
  await waitUntil('the others', () => api.server.subscriptionCount() + errors.length === LIMITS.subscriptions);
  expect(api.server.subscriptionCount()).toBeGreaterThan(5);
});

describe('many dashboards on the same runs', () => {
  const DASHBOARDS = 60;
  const ROUNDS = 10;

  test('cost the database hardly more than one', async () => {
    const { createRun } = await api.ok(CREATE);
    const { id } = createRun;
    const steps = Array.from({ length: DASHBOARDS }, () => [] as number[]);
    const names = Array.from({ length: DASHBOARDS }, () => '');
    for (let i = 0; i < DASHBOARDS; i++) {
      follow<{ metricsLogged: { series: { steps: number[] }[] } }>(api.url, METRICS, { ids: [id] }, (data) => {
        for (const series of data.metricsLogged.series) steps[i]?.push(...series.steps);
      });
      follow<{ runChanged: { id: string; name: string } }>(api.url, ROW, {}, ({ runChanged }) => {
        if (runChanged.id === id) names[i] = runChanged.name;
      });
    }
    await waitUntil('all subscriptions', () => api.server.subscriptionCount() === 2 * DASHBOARDS);
    const statements = await statementCounter(postgres.url);
    const before = await statements();
    for (let step = 0; step < ROUNDS; step++) {
      await api.ok(LOG, { id, series: [{ name: 'loss', steps: [step], values: [step] }] });
      await api.ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
        input: { id, name: `round ${step}` },
      });
      await waitUntil(
        'the point and the name everywhere',
        () => steps.every((own) => own.includes(step)) && names.every((name) => name === `round ${step}`),
      );
    }
    for (const own of steps) expect(own).toEqual(Array.from({ length: ROUNDS }, (_, step) => step));
    // each dashboard on its own would need six a round
    expect((await statements()) - before).toBeLessThan(2 * DASHBOARDS * ROUNDS);
  });
});

test('clients that do not read hold little of the API’s memory, and nobody else up', async () => {
  const { createRun } = await api.ok(CREATE);
  const { id } = createRun;
  for (let part = 0; part < 4; part++) {
    const steps = Array.from({ length: 25_000 }, (_, index) => part * 25_000 + index);
    await api.ok(LOG, { id, series: [{ name: 'long', steps, values: steps }] });
  }
  const started = startProcess({ DATABASE_URL: postgres.url, WARREN_PORT: '0' });
  const url = await waitUntil('the API listens', () => started.url, 60_000);
  const { peakMiB } = await watchHealth({ url, pid: started.child.pid! }, async () => {
    for (let socket = 0; socket < 10; socket++)
      await subscribeUnread(url, { query: METRICS, variables: { ids: [id], after: [0] } });
    let read = 0;
    follow<{ metricsLogged: { series: { steps: number[] }[] } }>(url, METRICS, { ids: [id], after: [0] }, (data) => {
      for (const series of data.metricsLogged.series) read += series.steps.length;
    });
    await waitUntil('one that reads has all', () => read === 100_000, 60_000);
    expect((await clientOf(url).graphql('{ server { role } }')).errors).toEqual([]);
  });
  expect(peakMiB).toBeLessThan(512);
});

/** Fills a socket with subscriptions, and reads nothing of what they send. */
async function subscribeUnread(url: string, payload: unknown): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  clients.push({ dispose: () => socket.terminate() } as unknown as Client);
  await new Promise((resolve) => socket.once('open', resolve));
  const acknowledged = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await acknowledged;
  socket.pause();
  for (let i = 0; i < LIMITS.subscriptions; i++) {
    socket.send(JSON.stringify({ type: 'subscribe', id: String(i), payload }));
  }
}

/** How many transactions, of a statement or several, the database has seen. */
async function statementCounter(databaseUrl: string): Promise<() => Promise<number>> {
  const client = await connectPostgres(databaseUrl, { applicationName: 'test' });
  return async () => {
    await client.query('SELECT pg_stat_force_next_flush()');
    // sessions report what they did within a second of becoming idle
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      'SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0].count;
  };
}
