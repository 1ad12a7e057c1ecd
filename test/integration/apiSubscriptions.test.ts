import type { Client } from 'graphql-ws';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { READ_INTERVAL_MS } from '#src/base/graphql/changeStream.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { apiForTests, type GraphqlAnswer, jsonOf } from './support/apiForTests.ts';
import { postgresServerForTests } from './support/postgresServerForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresServerForTests();
const api = await apiForTests({ postgres });
const { ok } = api;

interface Following {
  results: GraphqlAnswer['data'][];
  errors: unknown[];
  stop(): void;
}

const clients: Client[] = [];

/** Subscribes on a socket of its own and keeps all that comes. */
function follow(query: string, variables: Record<string, unknown> = {}, client = api.socket()): Following {
  clients.push(client);
  const following: Following = { results: [], errors: [], stop: () => {} };
  following.stop = client.subscribe(
    { query, variables },
    {
      next: (result) =>
        void (result.errors ? following.errors.push(result.errors) : following.results.push(result.data)),
      error: (error) => void following.errors.push(error),
      complete: () => {},
    },
  );
  return following;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
  await waitUntil('every subscription is released', () => api.server.subscriptionCount() === 0);
});

async function createRun(input: Record<string, unknown> = {}): Promise<string> {
  return (await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', { input })).createRun.id;
}

const log = (runId: string, series: Record<string, unknown>[]) =>
  ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
    id: runId,
    series,
  });

test('views that others save, rename and delete are sent to open pages', async () => {
  const saved = await ok('mutation { saveView(input: { project: "watched views", name: "a" }) { number } }');
  const { results } = follow('subscription { viewsChanged(project: "watched views") { name settings { filter } } }');
  await waitUntil('they are sent as they are', () => results.length === 1);
  const id = String(saved.saveView.number);
  await ok('mutation ($id: ID!) { saveView(input: { id: $id, name: "b" }) { name } }', { id });
  await ok('mutation ($id: ID!) { deleteView(id: $id) { name } }', { id });
  await waitUntil('the last change has come', () => results.at(-1)?.viewsChanged.length === 0);
  expect(results[0]?.viewsChanged).toEqual([{ name: 'a', settings: { filter: '' } }]);
});

describe('runChanged', () => {
  const QUERY = `subscription ($runIds: [ID!], $project: String) {
    runChanged(runIds: $runIds, project: $project) { id name state metrics { name lastValue } } }`;

  test('begins with the runs as they are, then sends each change, read anew', async () => {
    const id = await createRun({ name: 'watched' });
    await createRun({ name: 'other' });
    const { results, errors } = follow(QUERY, { runIds: [id] });
    await waitUntil('the first state', () => results.length === 1);
    await log(id, [{ name: 'a', steps: [1], values: [2] }]);
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id });
    await waitUntil('the end', () => results.at(-1).runChanged.state === 'SUCCEEDED');
    expect(results[0].runChanged).toEqual({ id, name: 'watched', state: 'RUNNING', metrics: [] });
    expect(results.at(-1).runChanged.metrics).toEqual([{ name: 'a', lastValue: 2 }]);
    expect(results.every((result) => result.runChanged.id === id)).toBe(true);
    expect(errors).toEqual([]);
  });

  test('follows a whole project, with runs that are created later', async () => {
    const before = await createRun({ project: 'followed' });
    const { results } = follow(QUERY, { project: 'followed' });
    await waitUntil('the run that goes on', () => results.some((result) => result.runChanged.id === before));
    const later = await createRun({ project: 'followed' });
    const elsewhere = await createRun({ project: 'elsewhere' });
    await waitUntil('the new run', () => results.some((result) => result.runChanged.id === later));
    expect(results.some((result) => result.runChanged.id === elsewhere)).toBe(false);
  });

  test('many changes of one run in a moment come as few', async () => {
    const id = await createRun();
    const { results } = follow(QUERY, { runIds: [id] });
    await waitUntil('the first state', () => results.length === 1);
    const startedMs = performance.now();
    for (let i = 0; i < 40; i++) {
      await ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
        input: { id, name: `name ${i}` },
      });
    }
    await waitUntil('the last name', () => results.at(-1).runChanged.name === 'name 39');
    const elapsedMs = performance.now() - startedMs;
    expect(results.length).toBeLessThanOrEqual(3 + elapsedMs / READ_INTERVAL_MS);
  });

  test.each([
    [{ runIds: ['999999'] }, 'NOT_FOUND'],
    [{ project: 'no such project' }, 'NOT_FOUND'],
  ])('%j is refused', async (variables, code) => {
    const { errors } = follow(QUERY, variables);
    await waitUntil('the refusal', () => errors.length > 0);
    expect(errors[0]).toMatchObject([{ extensions: { code } }]);
  });
});

describe('metricsLogged', () => {
  const QUERY = `subscription ($ids: [ID!]!, $names: [String!], $after: [Int!]) {
    metricsLogged(runIds: $ids, names: $names, after: $after) {
      series { runId name steps values times minimum pointCount cursor } } }`;

  test('goes on from a cursor: no point twice, none left out, non-finite ones included', async () => {
    const id = await createRun();
    await log(id, [{ name: 'loss', steps: [0], values: [1] }]);
    const { metricHistory } = await ok('query ($id: ID!) { metricHistory(runIds: [$id]) { cursor steps } }', { id });
    await log(id, [{ name: 'loss', steps: [1, 2 ** 53], values: ['NaN', '-Infinity'] }]);
    const { results } = follow(QUERY, { ids: [id], after: [metricHistory[0].cursor] });
    await waitUntil('what came between', () => results.length === 1);
    expect(results[0].metricsLogged.series).toMatchObject([
      { runId: id, name: 'loss', steps: [1, 2 ** 53], values: ['NaN', '-Infinity'], minimum: null, pointCount: 3 },
    ]);
    for (let step = 2; step < 30; step++) await log(id, [{ name: 'loss', steps: [step], values: [step] }]);
    const points = () =>
      results.flatMap((result) => result.metricsLogged.series.flatMap((one: { steps: number[] }) => one.steps));
    await waitUntil('the last point', () => points().includes(29));
    expect(points()).toEqual([1, 2 ** 53, ...Array.from({ length: 28 }, (_, index) => index + 2)]);
    const cursors = results.map((result) => result.metricsLogged.series[0].cursor);
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b));
  });

  test('sends only the names asked for, of several runs, from now on where no cursor is given', async () => {
    const [first, second] = [await createRun(), await createRun()];
    await log(first, [{ name: 'a', steps: [0], values: [0] }]);
    const { results } = follow(QUERY, { ids: [first, second], names: ['a'] });
    await waitUntil('it listens', () => api.server.subscriptionCount() === 1);
    await log(first, [{ name: 'b', steps: [1], values: [1] }]);
    await log(first, [{ name: 'a', steps: [1], values: [1] }]);
    await log(second, [{ name: 'a', steps: [5], values: [5] }]);
    const seen = () => results.flatMap((result) => result.metricsLogged.series);
    await waitUntil('both runs', () => seen().length === 2);
    // Between runs there is no order.
    expect(seen().sort((a, b) => a.steps[0] - b.steps[0])).toMatchObject([
      { runId: first, name: 'a', steps: [1] },
      { runId: second, name: 'a', steps: [5] },
    ]);
  });

  test('a hundred thousand points from the beginning come piece by piece', async () => {
    const id = await createRun();
    for (let part = 0; part < 4; part++) {
      const steps = Array.from({ length: 25_000 }, (_, index) => part * 25_000 + index);
      await log(id, [{ name: 'long', steps, values: steps }]);
    }
    const { results } = follow(QUERY, { ids: [id], after: [0] });
    const count = () => results.reduce((sum, result) => sum + result.metricsLogged.series[0].steps.length, 0);
    await waitUntil('all points', () => count() >= 100_000);
    expect(count()).toBe(100_000);
    expect(results.length).toBeGreaterThan(1);
  });

  test('a number of cursors that does not fit is refused', async () => {
    const { errors } = follow(QUERY, { ids: [await createRun()], after: [1, 2] });
    await waitUntil('the refusal', () => errors.length > 0);
    expect(errors[0]).toMatchObject([{ extensions: { code: 'BAD_INPUT', path: 'after' } }]);
  });
});

describe('logAppended', () => {
  const QUERY =
    'subscription ($id: ID!, $after: String) { logAppended(runId: $id, after: $after) { cursor hasMore lines { line text } } }';
  const write = (id: string, from: number, texts: string[]) =>
    ok(
      'mutation ($id: ID!, $from: Int!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: $from, lines: $lines) }',
      {
        ...{ id, from, lines: texts.map((text) => ({ text })) },
      },
    );

  test('sends what is there, then what comes, each line once', async () => {
    const id = await createRun();
    const all = Array.from({ length: 2_500 }, (_, index) => `line ${index}`);
    await write(id, 0, all);
    const { results } = follow(QUERY, { id });
    const texts = () =>
      results.flatMap((result) => result.logAppended.lines.map((line: { text: string }) => line.text));
    await waitUntil('the old lines', () => texts().length >= 2_500);
    await write(id, 2_500, ['new 1', 'new 2']);
    await waitUntil('the new lines', () => texts().length >= 2_502);
    expect(texts()).toEqual([...all, 'new 1', 'new 2']);
    const last = results.at(-1).logAppended;
    const rest = follow(QUERY, { id, after: last.cursor });
    await write(id, 2_502, ['after that']);
    await waitUntil('the newest line', () => rest.results.length === 1);
    expect(rest.results[0].logAppended.lines).toEqual([{ line: 2_502, text: 'after that' }]);
  });
});

describe('a socket', () => {
  const SUBSCRIPTION = 'subscription { runChanged { id } }';

  test('of a foreign page is refused', async () => {
    const failed = await new Promise<string>((resolve) => {
      const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        origin: 'https://evil.example.org',
      });
      socket.on('error', (error) => resolve(error.message));
      socket.on('open', () => resolve('opened'));
    });
    expect(failed).toContain('403');
    const { results } = follow(SUBSCRIPTION, {}, api.socket({ origin: api.url }));
    await createRun();
    await waitUntil('a page of our own may listen', () => results.length > 0);
  });

  test('holds so many subscriptions and no more; those of a closed one are released', async () => {
    const client = api.socket();
    const id = await createRun();
    const query = `subscription { logAppended(runId: "${id}") { hasMore } }`;
    const all = Array.from({ length: LIMITS.subscriptions + 1 }, () => follow(query, {}, client));
    await waitUntil('the refusal', () => all.at(-1)?.errors.length === 1);
    expect(all.at(-1)?.errors[0]).toMatchObject([{ extensions: { code: 'TOO_LARGE' } }]);
    await waitUntil('the others', () => api.server.subscriptionCount() === LIMITS.subscriptions);
    client.terminate();
    await waitUntil('they are released', () => api.server.subscriptionCount() === 0);
  });

  test.each([
    ['subscription { runChanged { nonsense } }', 'nonsense'],
    ['subscription {', 'Syntax Error'],
    [
      `subscription { runChanged { id ${'configuration { runs { edges { node { '.repeat(4)} id ${'} } } }'.repeat(4)} } }`,
      'deep',
    ],
    [
      '{ runs(first: 500) { edges { node { configuration { runs(first: 500) { edges { node { id } } } } } } } }',
      'costs',
    ],
  ])('checks documents as HTTP does: %s', async (query, message) => {
    const { errors } = follow(query);
    await waitUntil('the refusal', () => errors.length > 0);
    expect(errors[0]).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
    expect(JSON.stringify(errors[0])).toContain(message);
  });

  test('that sends too large a message is closed', async () => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.on('open', () => socket.send('x'.repeat(LIMITS.socketMessageBytes + 1)));
    expect(await closed).toBe(1009);
  });

  test('gets on with what it missed when the database was away', async () => {
    const id = await createRun();
    const { results, errors } = follow(
      'subscription ($ids: [ID!]!) { metricsLogged(runIds: $ids, after: [0]) { series { steps } } }',
      { ids: [id] },
    );
    await waitUntil('it listens', () => api.server.subscriptionCount() === 1);
    await postgres.kill();
    await waitUntil('the database is missed', async () => {
      const health = await api.fetch('/health');
      return health.status === 503 && (await jsonOf(health)).database === 'away';
    });
    await postgres.restart();
    await waitUntil('the database is back', async () => (await api.fetch('/health')).status === 200, 40_000);
    await log(id, [{ name: 'a', steps: [7], values: [7] }]);
    await waitUntil('the point', () => results.length > 0);
    expect(results[0].metricsLogged.series).toEqual([{ steps: [7] }]);
    expect(errors).toEqual([]);
  });
});
