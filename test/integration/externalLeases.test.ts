import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { apiForTests } from './support/apiForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const api = await apiForTests({ externalLeases: { withHeartbeats: 61, withoutHeartbeats: 901 } });
const { graphql, ok } = api;
const db = openDatabase(api.postgres.url);
const queue = await openRunQueue({ databaseUrl: api.postgres.url, redisUrl: null });
afterAll(async () => {
  await queue.close();
  await closeDatabase(db);
});

interface SeenRun {
  id: string;
  number: number;
  state: string;
  attempt: number;
  leaseSeconds: number | null;
  lastHeardAt: string | null;
  endedAt: string | null;
  progress: number;
  progressMessage: string;
  error: { code: string; message: string } | null;
  attempts: { number: number; state: string; resumedFromStep: number | null }[];
  events: { type: string; message: string }[];
}

const FIELDS = `id number state attempt leaseSeconds lastHeardAt endedAt progress progressMessage error { code message }
  attempts { number state resumedFromStep } events { type message }`;

async function create(input: Record<string, unknown> = {}): Promise<SeenRun> {
  const query = `mutation ($input: CreateRunInput!) { run: createRun(input: $input) { ${FIELDS} } }`;
  return (await ok(query, { input: { project: 'leases', ...input } })).run;
}

async function see(id: string): Promise<SeenRun> {
  return (await ok(`query ($id: ID!) { run(id: $id) { ${FIELDS} } }`, { id })).run;
}

const typesOf = (run: SeenRun) => run.events.map((event) => event.type);

/** Makes the lease of a run lapse, as if its program had been silent for so long. */
async function silence(id: string, seconds = 1_000): Promise<void> {
  await db.$executeRaw`UPDATE run SET last_heard_at = now() - ${seconds}::int * interval '1 second',
    lease_expires_at = now() - interval '1 second' WHERE id = ${id}::uuid`;
}

/** One look of a reconciler that has been awake for long. */
const tick = ({ hearsPrograms = true } = {}) =>
  reconcileRuns({ db, queue }, { lastTickMs: 0, quietUntilMs: 0, hearsPrograms }, () => 1_000);

async function crash(id: string): Promise<SeenRun> {
  await silence(id);
  await waitUntil('the run to crash', async () => {
    await tick();
    return (await see(id)).state === 'CRASHED';
  });
  return await see(id);
}

const report: Record<string, (id: string) => Promise<unknown>> = {
  metrics: (id) =>
    ok('mutation ($id: ID!) { logMetrics(runId: $id, series: [{ name: "loss", steps: [1], values: [0.5] }]) }', { id }),
  lines: (id) => ok('mutation ($id: ID!) { logLines(runId: $id, from: 0, lines: [{ text: "hello" }]) }', { id }),
  heartbeat: (id) => ok('mutation ($id: ID!) { heartbeat(runId: $id) { state } }', { id }),
  progress: (id) => ok('mutation ($id: ID!) { heartbeat(runId: $id, progress: 0.5) { state } }', { id }),
  artifact: async (id) => {
    const stored = await api.fetch(`/artifacts/${id}/model.bin`, { method: 'PUT', body: 'bytes' });
    expect(stored.status).toBe(201);
  },
};

const finish = (id: string, state: string) =>
  graphql('mutation ($id: ID!, $state: RunState!) { finishRun(runId: $id, state: $state) { state } }', { id, state });

const resume = (id: string, afterStep: number | null = null) =>
  graphql(`mutation ($id: ID!, $step: Step) { run: resumeRun(runId: $id, afterStep: $step) { ${FIELDS} } }`, {
    id,
    step: afterStep,
  });

// the reconciler of the server has looked a moment ago at the start of each test
beforeEach(async () => {
  await tick();
});

describe('the lease of an external run', () => {
  test('is the server’s for programs with and without heartbeats, or the one asked for', async () => {
    expect(await create()).toMatchObject({ state: 'RUNNING', leaseSeconds: 901, lastHeardAt: expect.any(String) });
    expect(await create({ heartbeats: true })).toMatchObject({ leaseSeconds: 61 });
    expect(await create({ heartbeats: true, leaseSeconds: 7200 })).toMatchObject({ leaseSeconds: 7200 });
    const query = 'mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }';
    for (const leaseSeconds of [4, 2_592_001]) {
      const { errors } = await graphql(query, { input: { leaseSeconds } });
      expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'leaseSeconds' } });
      expect(errors[0]?.message).toContain('5 to 2,592,000');
    }
  });

  test('lapses: the run has crashed, and says when its program was last heard of', async () => {
    const { id } = await create();
    const run = await crash(id);
    const heard = new Date(run.lastHeardAt!).toISOString();
    expect(run).toMatchObject({
      state: 'CRASHED',
      endedAt: expect.any(String),
      error: { code: 'PROGRAM_LOST', message: expect.stringContaining(`for 901 s: last heard at ${heard}`) },
      attempts: [{ number: 1, state: 'LOST' }],
    });
    expect(run.events.at(-1)).toMatchObject({ type: 'crashed', message: expect.stringContaining(heard) });
    const { runs } = await ok('{ runs(project: "leases", filter: "state = crashed") { edges { node { id } } } }');
    expect(runs.edges).toContainEqual({ node: { id } });
  });

  test.each(Object.keys(report))('is renewed by %s', async (kind) => {
    const { id } = await create();
    await silence(id);
    await report[kind]!(id);
    expect(await tick()).toMatchObject({ crashed: 0 });
    const run = await see(id);
    expect(run.state).toBe('RUNNING');
    expect(Date.now() - Date.parse(run.lastHeardAt!)).toBeLessThan(60_000);
  });

  test.each(Object.keys(report))('of a crashed run begins anew with %s: its program was only asleep', async (kind) => {
    const { id } = await create();
    await crash(id);
    await report[kind]!(id);
    const run = await see(id);
    expect(run).toMatchObject({ state: 'RUNNING', attempt: 1, endedAt: null, error: null });
    expect(run.attempts).toMatchObject([{ number: 1, state: 'RUNNING' }]);
    expect(typesOf(run)).toEqual(['started', 'crashed', 'resumed']);
    const { data } = await finish(id, 'SUCCEEDED');
    expect(data.finishRun.state).toBe('SUCCEEDED');
    expect((await see(id)).attempts).toMatchObject([{ state: 'SUCCEEDED' }]);
  });

  test('counts only the time in which somebody listened', async () => {
    const { id } = await create();
    await silence(id, 1_900);
    expect(await tick({ hearsPrograms: false }), 'a worker hears no programs').toMatchObject({ crashed: 0 });
    await db.$executeRaw`UPDATE program_listener SET last_listened_at = now() - interval '30 minutes'`;
    await tick();
    await tick();
    expect(await see(id)).toMatchObject({ state: 'RUNNING' });
    await crash(id);
  });
});

describe('a heartbeat', () => {
  test('tells progress, and is told that the run was cancelled', async () => {
    const { id } = await create({ heartbeats: true });
    const beat = (progress: number, message: string | null = null) =>
      graphql(
        `mutation ($id: ID!, $progress: Float, $message: String) {
          heartbeat(runId: $id, progress: $progress, progressMessage: $message) { state } }`,
        { id, progress, message },
      );
    await beat(0.25, 'epoch 5 of 20');
    await beat(0.3);
    expect(await see(id)).toMatchObject({ progress: 0.3, progressMessage: 'epoch 5 of 20' });
    expect((await beat(1.5)).errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'progress' } });
    await ok('mutation ($ids: [ID!]!) { cancelRuns(ids: $ids) { done } }', { ids: [id] });
    const { errors } = await beat(0.5);
    expect(errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(errors[0]?.message).toContain('has ended (CANCELLED)');
  });
});

describe('a program started anew', () => {
  test('goes on with a crashed run as the next attempt, from its checkpoint', async () => {
    const { id } = await create();
    const points = (steps: number[], values: number[]) =>
      ok(
        `mutation ($id: ID!, $steps: [Step!]!, $values: [MetricValue!]!) {
          logMetrics(runId: $id, series: [{ name: "loss", steps: $steps, values: $values }]) }`,
        { id, steps, values },
      );
    await points([1, 2, 3], [1, 2, 3]);
    await report.lines!(id);
    await crash(id);
    const { data } = await resume(id, 2);
    expect(data.run).toMatchObject({
      state: 'RUNNING',
      attempt: 2,
      attempts: [{ state: 'LOST' }, { number: 2, state: 'RUNNING', resumedFromStep: 2 }],
    });
    await points([3, 4], [30, 40]);
    await report.lines!(id);
    const { metricHistory, logs } = await ok(
      `query ($id: ID!) { metricHistory(runIds: [$id], names: ["loss"]) { steps values }
        logs(runId: $id) { lines { text attempt } } }`,
      { id },
    );
    expect(metricHistory).toEqual([{ steps: [1, 2, 3, 4], values: [1, 2, 30, 40] }]);
    expect(logs.lines).toMatchObject([
      { text: 'hello', attempt: 1 },
      { text: 'hello', attempt: 2 },
    ]);
  });

  test('takes over before anybody noticed that the first had died', async () => {
    const { id } = await create();
    const { data } = await resume(id);
    expect(data.run.attempts).toMatchObject([{ state: 'LOST' }, { state: 'RUNNING', resumedFromStep: null }]);
    expect((await resume(id, -2)).errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
  });
});

describe('what has ended', () => {
  test.each(['SUCCEEDED', 'FAILED', 'CANCELLED'])('as %s takes no report, also when it had crashed', async (state) => {
    const { id } = await create();
    await crash(id);
    expect((await finish(id, state)).data.finishRun.state).toBe(state);
    expect((await finish(id, state)).data.finishRun.state).toBe(state);
    const { errors } = await graphql('mutation ($id: ID!) { heartbeat(runId: $id) { id } }', { id });
    expect(errors[0]?.extensions.code).toBe('CONFLICT');
    expect((await api.fetch(`/artifacts/${id}/late`, { method: 'PUT', body: 'x' })).status).toBe(409);
    expect(await see(id)).toMatchObject({ state, leaseSeconds: 901 });
    const { data } = await resume(id);
    expect(data.run, 'a program started anew may take it up').toMatchObject({ state: 'RUNNING', attempt: 2 });
  });

  test('a crashed run can be cancelled, and deleted: its program may then not go on', async () => {
    const [first, second] = [await create(), await create()];
    await crash(first.id);
    await crash(second.id);
    const act = (action: string, id: string) =>
      ok(`mutation ($ids: [ID!]!) { outcomes: ${action}(ids: $ids) { done message run { state } } }`, { ids: [id] });
    expect((await act('retryRuns', first.id)).outcomes).toMatchObject([{ done: false }]);
    expect((await act('cancelRuns', first.id)).outcomes).toMatchObject([{ done: true, run: { state: 'CANCELLED' } }]);
    expect((await act('deleteRuns', second.id)).outcomes).toMatchObject([{ done: true, run: { state: 'CRASHED' } }]);
    const { errors } = await graphql('mutation ($id: ID!) { heartbeat(runId: $id) { id } }', { id: second.id });
    expect(errors[0]).toMatchObject({
      extensions: { code: 'CONFLICT' },
      message: expect.stringContaining('in the trash'),
    });
  });

  test('a run that waits for a crashed one goes on waiting, and starts when that has succeeded after all', async () => {
    const { id } = await create();
    await report.artifact!(id);
    const input = {
      ...{ project: 'leases', kind: 'popularity', dataset: { name: 'generated/markov-small' } },
      inputs: [{ name: 'model', runId: id, artifactName: 'model.bin' }],
    };
    const { enqueueRuns } = await ok(
      'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id state } }',
      { input },
    );
    const [waiting] = enqueueRuns;
    expect(waiting.state).toBe('WAITING');
    await crash(id);
    expect((await see(waiting.id)).state).toBe('WAITING');
    await finish(id, 'SUCCEEDED');
    expect((await see(waiting.id)).state).toBe('QUEUED');
  });
});

describe('at the same moment', () => {
  test('two reconcilers and a report leave one outcome, and the report is there', async () => {
    const runs = await Promise.all(Array.from({ length: 12 }, () => create()));
    for (const run of runs) await silence(run.id);
    await Promise.all([tick(), ...runs.map((run) => report.metrics!(run.id)), tick()]);
    await tick();
    for (const { id } of runs) {
      const run = await see(id);
      expect(run).toMatchObject({ state: 'RUNNING', error: null, attempts: [{ state: 'RUNNING' }] });
      // heard before it lapsed, or taken back after it: never half of it
      expect([['started'], ['started', 'crashed', 'resumed']]).toContainEqual(typesOf(run));
    }
    const ids = runs.map((run) => run.id);
    const { metricHistory } = await ok('query ($ids: [ID!]!) { metricHistory(runIds: $ids) { steps } }', { ids });
    expect(metricHistory).toEqual(ids.map(() => ({ steps: [1] })));
  });

  test('two reconcilers and an end: it ends as its program says', async () => {
    const runs = await Promise.all(Array.from({ length: 12 }, () => create()));
    for (const run of runs) await silence(run.id);
    await Promise.all([tick(), ...runs.map((run) => finish(run.id, 'SUCCEEDED')), tick()]);
    await tick();
    for (const { id } of runs) {
      const run = await see(id);
      expect(run).toMatchObject({ state: 'SUCCEEDED', error: null, attempts: [{ state: 'SUCCEEDED' }] });
      expect(typesOf(run).filter((type) => type === 'ended')).toHaveLength(1);
    }
  });
});
