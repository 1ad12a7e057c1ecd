import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { registerWorker } from '#src/fleet/workers.ts';
import { insertRunInputs } from '#src/runs/store/runInput.ts';
import { claim } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';

const api = await apiForTests({ requireToken: true });
const db = openDatabase(api.postgres.url, { poolSize: 2 });
const queue = await openRunQueue({ databaseUrl: api.postgres.url, redisUrl: null });
const services = { db, queue };
const worker = {
  id: randomUUID(),
  name: 'test-worker',
  host: 'here',
  pid: 1,
  version: '0',
  backend: 'cpu',
  device: 'cpu',
};

beforeAll(() => registerWorker(services, { ...worker, gpu: false, slots: 1, details: {} }));
afterAll(async () => {
  await queue.close();
  await closeDatabase(db);
});

/** A run that is under way, with the token of its attempt. */
async function claimedRun(seed: number) {
  const [run] = await enqueueRuns(services, { kind: 'popularity', dataset: 'generated/markov-small', seeds: [seed] });
  const claimed = await claim(services, run!, { worker });
  const holder = { runId: run!.id, attempt: 1, workerId: worker.id };
  const end = () => endAttempt(services, { ...holder, outcome: { state: 'SUCCEEDED' } });
  return { id: run!.id, token: claimed!.token, end };
}

const statusOf = async (token: string, path: string, method = 'GET') => {
  const init = { method, headers: { authorization: `Bearer ${token}` }, ...(method === 'PUT' ? { body: 'x' } : {}) };
  const response = await api.fetch(path, init);
  await response.arrayBuffer();
  return response.status;
};

test('the token of a run stores its artifacts, and nobody else its', async () => {
  const [own, other] = [await claimedRun(1), await claimedRun(2)];
  expect(await statusOf(own.token, `/artifacts/${own.id}/a.txt?attempt=1`, 'PUT')).toBe(201);
  expect(await statusOf(own.token, `/artifacts/${other.id}/a.txt?attempt=1`, 'PUT')).toBe(403);
  expect(await statusOf(`${own.token.slice(0, -3)}xyz`, `/artifacts/${own.id}/a.txt?attempt=1`, 'PUT')).toBe(401);
});

test('it reads the inputs of its run, not the artifacts of others', async () => {
  const source = await api.graphql('mutation { createRun(input: {}) { id } }', {}, await writer());
  const { id } = source.data.createRun;
  for (const name of ['wanted.txt', 'other.txt']) {
    const { authorization } = await writer();
    expect(await statusOf(authorization.slice('Bearer '.length), `/artifacts/${id}/${name}`, 'PUT')).toBe(201);
  }
  const run = await claimedRun(3);
  await insertRunInputs(db, [run.id], [{ name: 'embeddings', sourceRunId: id, artifactName: 'wanted.txt' }]);
  expect(await statusOf(run.token, `/artifacts/${id}/wanted.txt`)).toBe(200);
  expect(await statusOf(run.token, `/artifacts/${id}/other.txt`)).toBe(403);
});

test('it opens nothing but its own run, and nothing at all once its attempt has ended', async () => {
  const run = await claimedRun(4);
  const bearer = { authorization: `Bearer ${run.token}` };
  const other = await claimedRun(5);
  for (const operation of [
    '{ workers { name } }',
    '{ run(id: "OTHER") { state } }',
    '{ run(id: "OWN") { project { name } } }',
    '{ ...all } fragment all on Query { workers { name } }',
    'mutation { createRun(input: {}) { id } }',
    'mutation { cancelRuns(ids: ["OWN"]) { done } }',
    'mutation { logMetrics(runId: "OTHER", series: []) }',
    'mutation { a: heartbeat(runId: "OWN") { id } heartbeat(runId: "OTHER") { id } }',
  ]) {
    const text = operation.replaceAll('OWN', run.id).replaceAll('OTHER', other.id);
    const { errors } = await api.graphql(text, {}, bearer);
    expect([text, errors.map(({ extensions }) => extensions.code)]).toEqual([text, ['FORBIDDEN']]);
  }
  const own = await api.graphql(
    `{ run(id: "${run.id}") { state metrics { name } mediaSeries { steps } texts { name } } }`,
    {},
    bearer,
  );
  expect(own.data.run).toEqual({ state: 'RUNNING', metrics: [], mediaSeries: [], texts: [] });
  expect(await statusOf(run.token, '/export?format=csv')).toBe(401);
  await run.end();
  expect((await api.graphql(`{ run(id: "${run.id}") { state } }`, {}, bearer)).status).toBe(409);
  expect(await statusOf(run.token, `/artifacts/${run.id}/late.txt?attempt=1`, 'PUT')).toBe(409);
});

let writing: Promise<{ token: string }> | null = null;
async function writer(): Promise<{ authorization: string }> {
  writing ??= issueToken(services, { name: 'writer', role: 'WRITE' });
  return { authorization: `Bearer ${(await writing).token}` };
}

test('it registers no version under a name that other projects use', async () => {
  const register =
    'mutation ($name: String!, $runId: ID!) { registerVersion(input: { name: $name, runId: $runId, artifactName: "m.bin", aliases: ["production"] }) { number } }';
  const { data } = await api.graphql('mutation { createRun(input: { project: "other" }) { id } }', {}, await writer());
  const { id } = data.createRun;
  const { authorization } = await writer();
  expect(await statusOf(authorization.slice('Bearer '.length), `/artifacts/${id}/m.bin`, 'PUT')).toBe(201);
  await api.graphql(register, { name: 'theirs', runId: id }, await writer());
  const run = await claimedRun(20);
  await db.$executeRaw`
    INSERT INTO artifact (id, run_id, name, attempt, role, sha256, size_bytes, media_type)
    SELECT gen_random_uuid(), ${run.id}::uuid, name, 1, role, sha256, size_bytes, media_type FROM artifact WHERE run_id = ${id}::uuid`;
  const as = (name: string) => api.graphql(register, { name, runId: run.id }, { authorization: `Bearer ${run.token}` });
  expect((await as('theirs')).errors[0]?.extensions.code).toBe('CONFLICT');
  expect((await as('own')).data.registerVersion.number).toBe(1);
});
