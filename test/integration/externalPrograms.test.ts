import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';

const { graphql, ok } = await apiForTests();

const CREATE = 'mutation ($input: CreateRunInput!) { createRun(input: $input) { id number state nextLogLine } }';
const ADD = `mutation ($id: ID!, $parameters: JSON!) {
  addParameters(runId: $id, parameters: $parameters) { configuration { hash parameters datasetName } }
}`;
const FINISH = 'mutation ($id: ID!, $state: RunState!) { finishRun(runId: $id, state: $state) { state } }';

async function createRun(input: Record<string, unknown> = {}): Promise<string> {
  return (await ok(CREATE, { input })).createRun.id;
}

it('makes one run of calls with the same id, whoever makes them first', async () => {
  const id = randomUUID();
  const made = await Promise.all([1, 2, 3, 4].map(() => ok(CREATE, { input: { id, parameters: { width: 8 } } })));
  expect(new Set(made.map(({ createRun: run }) => run.number)).size).toBe(1);
  expect(made[0].createRun.id).toBe(id);
});

it('refuses an id that is no UUID, and one that a run of a worker has', async () => {
  const wrong = await graphql(CREATE, { input: { id: 'mine' } });
  expect(wrong.errors[0]).toMatchObject({
    message: 'id: received "mine", expected a UUID',
    extensions: { code: 'BAD_INPUT', path: 'id' },
  });
  const { enqueueRuns } = await ok(
    'mutation { enqueueRuns(input: { kind: "popularity", dataset: { name: "generated/markov-small" } }) { id } }',
  );
  const taken = await graphql(CREATE, { input: { id: enqueueRuns[0].id } });
  expect(taken.errors[0]?.extensions.code).toBe('BAD_INPUT');
});

it('adds parameters while the program runs: replicates share the configuration that results', async () => {
  const whole = await createRun({ parameters: { width: 8, rate: 0.1 }, datasetName: 'toy' });
  const grown = await createRun({ parameters: { width: 4 }, datasetName: 'toy' });
  const added = await ok(ADD, { id: grown, parameters: { rate: 0.1, width: 8 } });
  const again = await ok(ADD, { id: grown, parameters: { rate: 0.1 } });
  expect(again).toEqual(added);
  const { run } = await ok('query ($id: ID!) { run(id: $id) { configuration { hash } } }', { id: whole });
  expect(added.addParameters.configuration).toEqual({
    hash: run.configuration.hash,
    parameters: { width: 8, rate: 0.1 },
    datasetName: 'toy',
  });
});

it('seals the configuration when the run ends', async () => {
  const id = await createRun({ parameters: { width: 4 } });
  await ok(FINISH, { id, state: 'SUCCEEDED' });
  const { errors } = await graphql(ADD, { id, parameters: { width: 5 } });
  expect(errors[0]?.extensions.code).toBe('CONFLICT');
  const list = await graphql(ADD, { id, parameters: [1] });
  expect(list.errors[0]?.message).toBe('parameters: received [1], expected an object');
});

it('says where the program ran, and which log line comes next', async () => {
  const id = await createRun({ environment: { host: 'gpu-7' }, notes: 'a try' });
  await ok('mutation ($id: ID!) { logLines(runId: $id, from: 0, lines: [{ text: "a" }, { text: "b" }]) }', { id });
  const { run } = await ok('query ($id: ID!) { run(id: $id) { environment notes nextLogLine } }', { id });
  expect(run).toEqual({ environment: { host: 'gpu-7' }, notes: 'a try', nextLogLine: 2 });
});

it('lets a program go on with a run however it ended', async () => {
  const resume = 'mutation ($id: ID!) { resumeRun(runId: $id) { state attempt nextLogLine error { message } } }';
  for (const state of ['FAILED', 'CANCELLED', 'SUCCEEDED']) {
    const id = await createRun();
    await ok(FINISH, { id, state });
    const { resumeRun } = await ok(resume, { id });
    expect(resumeRun, state).toEqual({ state: 'RUNNING', attempt: 2, nextLogLine: 0, error: null });
  }
});
