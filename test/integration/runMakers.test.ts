import { expect, test } from 'vitest';
import { codeOf, signInForTests } from './support/signInForTests.ts';

const { api, ask, bearer, signedIn, context } = await signInForTests();

const RUNS = '{ runs(filter: FILTER) { edges { node { name user } } } }';
const enqueue = (name: string) =>
  `mutation { enqueueRuns(input: { project: "papers", kind: "popularity", dataset: "generated/markov-small", name: "${name}" }) { id user } }`;
const told = (name: string) => ({ ...bearer, 'x-warren-user': encodeURIComponent(name) });

async function makersBy(filter: string): Promise<(string | null)[]> {
  const { data } = await api.graphql(RUNS.replace('FILTER', JSON.stringify(filter)), {}, bearer);
  return data.runs.edges.map(({ node }: { node: { user: string | null } }) => node.user).toSorted();
}

test('a run names who made it: the person signed in, else the user name that a program tells, else the token', async () => {
  const browser = await signedIn('ben');
  expect((await ask(browser, enqueue('by hand'))).data.enqueueRuns[0].user).toBe('ben@lab.example');
  expect((await api.graphql(enqueue('by a command'), {}, told('Zoë'))).data.enqueueRuns[0].user).toBe('Zoë');
  const byToken: string = (await api.graphql(enqueue('by a token'), {}, bearer)).data.enqueueRuns[0].user;
  expect(byToken).not.toBe('');
  const program = 'mutation { createRun(input: { project: "papers", name: "own", user: "  carla " }) { user } }';
  expect((await api.graphql(program, {}, told('Zoë'))).data.createRun.user).toBe('carla');
  const elsewhere =
    'mutation { importRun(input: { id: "4b825dc6-42cb-4eb9-a060-e54bf8d69288", project: "papers", name: "old", user: "dora" }) { user } }';
  expect((await api.graphql(elsewhere, {}, told('Zoë'))).data.importRun.user).toBe('dora');

  expect(await makersBy('user = "Zoë"')).toEqual(['Zoë']);
  expect(await makersBy('user like "%@lab.example" or user = carla')).toEqual(['ben@lab.example', 'carla']);
  const { data } = await api.graphql('{ runGroups(groupBy: ["user"]) { edges { node { values } } } }', {}, bearer);
  const groups: string[] = data.runGroups.edges.map(({ node }: { node: { values: string[] } }) => node.values[0]);
  expect(groups.toSorted()).toEqual(['Zoë', 'ben@lab.example', byToken, 'carla', 'dora'].toSorted());
});

test('trials of a sweep and pairs of a decision name who started them, whoever draws them', async () => {
  const sweep = `mutation { createSweep(input: { project: "papers", file: {
    kind: "item-knn", dataset: "generated/markov-small", method: "grid", parameters: { neighbours: { values: [5, 10] } } } }) { sweep { id } } }`;
  const made = await api.graphql(sweep, {}, told('erin'));
  expect(made.errors).toEqual([]);
  expect(await makersBy('sweep is not null')).toEqual(['erin', 'erin']);
  const [a, b] = (await api.graphql('{ runs(filter: "sweep is not null") { edges { node { id } } } }', {}, bearer)).data
    .runs.edges;
  const decide = `mutation { decideComparison(input: { a: "${a.node.id}", b: "${b.node.id}", metric: "test/ndcg@10", firstSeed: 50 }) { number } }`;
  const decision = await api.graphql(decide, {}, told('frank'));
  expect(decision.errors).toEqual([]);
  expect(await makersBy('seed >= 50')).toEqual(['frank', 'frank']);
});

test('a name that is too long is refused; a link does not tell who made what it shows', async () => {
  const long = `mutation { createRun(input: { project: "papers", user: "${'x'.repeat(201)}" }) { user } }`;
  expect(codeOf(await api.graphql(long, {}, bearer))).toBe('BAD_INPUT');
  const own = 'mutation { createRun(input: { project: "papers", name: "shown", user: "grace" }) { id } }';
  const { id } = (await api.graphql(own, {}, bearer)).data.createRun;
  const share = 'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret } }';
  const { secret } = (await api.graphql(share, { input: { runs: [id] } }, bearer)).data.createShareLink;
  const seen = await api.graphql(
    '{ runs { edges { node { name user } } } }',
    {},
    { authorization: `Bearer ${secret}` },
  );
  expect(seen.data.runs.edges).toEqual([{ node: { name: 'shown', user: null } }]);
  expect((await context.db.run.findUnique({ where: { id } }))?.userName).toBe('grace');
});
