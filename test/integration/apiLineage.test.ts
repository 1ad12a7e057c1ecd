import { expect, test } from 'vitest';
import { issueToken } from '#src/people/apiTokens.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const api = await apiForTests({ postgres, requireToken: true });
const { token: admin } = await issueToken(context, { name: 'admin', role: 'ADMIN' });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function ok(query: string, variables: Record<string, unknown>, token = admin) {
  const { data, errors } = await api.graphql(query, variables, bearer(token));
  expect(errors).toEqual([]);
  return data;
}

interface Made {
  id: string;
  number: number;
}

/** A run of another program with a file. */
async function program(project: string, name: string, more: Record<string, unknown> = {}): Promise<Made> {
  const input = { project, name, ...more };
  const { createRun: run } = await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id number } }', {
    input,
  });
  const put = { method: 'PUT', body: name, headers: bearer(admin) };
  expect((await api.fetch(`/artifacts/${run.id}/item-embeddings.npy`, put)).status).toBe(201);
  return run;
}

/** A queued run that takes the embeddings of others. */
async function taker(project: string, name: string, sources: readonly Record<string, unknown>[]): Promise<Made> {
  const inputs = sources.map((source, at) => ({ name: `from${at}`, ...source }));
  const input = { project, name, kind: 'embedding-map', dataset: { name: 'generated/clusters-600x300' }, inputs };
  const query = 'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id number } }';
  return (await ok(query, { input })).enqueueRuns[0];
}

const embeddingsOf = ({ id }: Made) => ({ runId: id, artifactName: 'item-embeddings.npy' });

interface Answered {
  nodes: { id: string; type: string; reference: string; label: string; detail: string; distance: number }[];
  edges: { from: string; to: string; label: string }[];
  rest: { node: string; side: string; count: number }[];
}

async function lineageOf(run: Made, token = admin) {
  const query = `query ($id: ID!) { lineage(runId: $id) {
    nodes { id type reference label detail state distance } edges { from to label } rest { node side count } } }`;
  const lineage: Answered = (await ok(query, { id: run.id }, token)).lineage;
  const labels = new Map(lineage.nodes.map(({ id, label }) => [id, label]));
  return {
    ...lineage,
    placed: Object.fromEntries(lineage.nodes.map(({ label, distance }) => [label, distance])),
    lines: lineage.edges.map(({ from, to, label }) => `${labels.get(from)} > ${labels.get(to)}: ${label}`).sort(),
  };
}

test('a lineage has inputs, versions, forks, data and what was made of them, two steps both ways', async () => {
  const first = await program('chain', 'first');
  const second = await program('chain', 'second', { forkFrom: { runId: first.id, step: 0 } });
  const version = { name: 'ranker', runId: second.id, artifactName: 'item-embeddings.npy' };
  await ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', {
    input: version,
  });
  const middle = await taker('chain', 'middle', [embeddingsOf(first), { version: 'ranker:1' }]);
  const put = { method: 'PUT', body: 'x', headers: bearer(admin) };
  await api.fetch(`/artifacts/${middle.id}/item-embeddings.npy`, put);
  const third = await taker('chain', 'third', [embeddingsOf(middle)]);
  await taker('chain', 'fourth', [embeddingsOf(third)]);
  const { placed, lines, rest } = await lineageOf(middle);
  expect(placed).toEqual({
    ...{ middle: 0, first: -1, 'ranker:1': -1, 'generated/clusters-600x300': -1, second: -2, third: 1, fourth: 2 },
  });
  expect(lines).toEqual([
    'first > middle: item-embeddings.npy',
    'generated/clusters-600x300 > middle: ',
    'middle > third: item-embeddings.npy',
    'ranker:1 > middle: ',
    'second > ranker:1: registered',
    'third > fourth: item-embeddings.npy',
  ]);
  expect(rest).toEqual([]);
  const ofSecond = await lineageOf(second);
  expect(ofSecond.placed).toEqual({ second: 0, first: -1, 'ranker:1': 1, middle: 2 });
  expect(ofSecond.lines).toContain('first > second: fork after step 0');
});

test('a run of a sweep leads to it, one of a study to that', async () => {
  const file = {
    ...{ method: 'sobol', kind: 'item-knn', dataset: 'generated/markov-small', run_cap: 1 },
    ...{ metric: { name: 'valid/ndcg@10' }, parameters: { shrinkage: { distribution: 'uniform', min: 0, max: 9 } } },
  };
  const create = `mutation ($file: JSON!) { createSweep(input: { file: $file, project: "swept", name: "shrinkage" }) {
    sweep { number trials { runs { id number } } } } }`;
  const { sweep } = (await ok(create, { file })).createSweep;
  const { nodes } = await lineageOf(sweep.trials[0].runs[0]);
  expect(nodes).toContainEqual(
    expect.objectContaining({ type: 'SWEEP', reference: String(sweep.number), label: 'shrinkage', detail: 'trial 0' }),
  );
  const reproduced = await program('swept', 'reproduced', { tags: ['study:overrec/table-2', 'study:none'] });
  const found = await lineageOf(reproduced);
  expect(found.nodes.slice(1)).toEqual([
    expect.objectContaining({ type: 'STUDY', reference: 'overrec/table-2', distance: -1 }),
  ]);
});

test('of many neighbors the newest are answered, and how many there are beside', async () => {
  const source = await program('many', 'source');
  for (let index = 0; index < 11; index++) await taker('many', `taker ${index}`, [embeddingsOf(source)]);
  const { nodes, rest } = await lineageOf(source);
  const takers = nodes.filter(({ distance }) => distance === 1).map(({ label }) => label);
  expect(takers).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map((index) => `taker ${index}`));
  expect(rest).toEqual([{ node: `RUN:${source.id}`, side: 'AFTER', count: 3 }]);
});

test('who may read one project sees nothing of others, not even how much there is', async () => {
  const secret = await program('theirs', 'zqxsecret source');
  const version = { name: 'zqxsecret', runId: secret.id, artifactName: 'item-embeddings.npy' };
  await ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', {
    input: version,
  });
  const mine = await taker('mine', 'mine', [embeddingsOf(secret), { version: 'zqxsecret:1' }]);
  for (let index = 0; index < 10; index++) await taker('theirs', 'zqxsecret taker', [embeddingsOf(mine)]);
  expect((await lineageOf(mine)).rest).toHaveLength(1);
  const grants = [{ project: 'mine', role: 'READ' as const }];
  const { token } = await issueToken(context, { name: 'reader of mine', role: 'READ', grants });
  const seen = await lineageOf(mine, token);
  expect(seen.placed).toEqual({ mine: 0, 'generated/clusters-600x300': -1 });
  expect(seen.rest).toEqual([]);
  expect(JSON.stringify(seen)).not.toContain('zqxsecret');
  const query = 'query ($id: ID!) { lineage(runId: $id) { nodes { id } } }';
  const { errors } = await api.graphql(query, { id: secret.id }, bearer(token));
  expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
});
