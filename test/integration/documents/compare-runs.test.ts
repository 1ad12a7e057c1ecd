import { expect, it } from 'vitest';
import { openDatabase, closeDatabase } from '#src/base/platform/postgres/database.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { insertManyRuns } from '../support/manyRuns.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('compare-runs.md');
const api = await apiForTests();
const list = document.take('list');
const groups = document.take('groups');
const save = document.take('save');
const view = document.take('view');
const edit = document.take('edit');
const decide = document.take('decide');
const decision = document.take('decision');
const values = { 0.1: [0.3, 0.31, 0.32], 0.01: [0.35, 0.362, 0.369] };
const db = openDatabase(api.postgres.url, { poolSize: 1 });
await insertManyRuns(
  db,
  Object.entries(values).flatMap(([rate, seeds]) =>
    seeds.map((value, index) => ({
      kind: 'external',
      datasetName: 'mine',
      parameters: { learningRate: Number(rate) },
      seed: index + 1,
      metrics: { 'test/ndcg@10': value },
    })),
  ),
);
await closeDatabase(db);

it('lists groups with a verdict, and as LaTeX', async () => {
  const printed = await runShell(list, { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() });
  expect(printed).toMatch(/0\.01 +mine +3 +0\.3603 ± 0\.0096 \(3\) \* +better \(0\.00\d\d\)/);
  expect(printed).toContain('learningRate & runs & test/ndcg@10');
  expect(printed).toContain('0.01 & 3 & \\textbf{0.3603 $\\pm$ 0.0096}');
});

it('answers GraphQL', async () => {
  const { runGroups } = await api.ok(groups);
  expect(runGroups).toMatchObject({ totalCount: 2, runCount: 6 });
  expect(runGroups.edges.map(({ node }: { node: { values: unknown[] } }) => node.values)).toEqual([[0.01], [0.1]]);
  expect(runGroups.edges[0].node.metrics).toMatchObject([
    { n: 3, isBest: true, test: { verdict: 'better' } },
    { n: 0 },
  ]);
});

it('keeps a view, which the command line shows and goes beyond', async () => {
  await api.ok(save);
  const printed = await runShell(view, { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() });
  expect(printed).toMatch(/#1 +learning rates +default +kind = external +learningRate/);
  expect(printed).toMatch(/^0\.01,3,3,0\.3603/m);
  expect(printed).toMatch(/^mine +6 +/m);
});

it('adds to the notes of all runs that match, and lists them by what they say', async () => {
  const printed = await runShell(edit, { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() });
  expect(printed).toContain('3 runs changed');
  expect(printed.match(/Before the loader was mended\.$/gm)).toHaveLength(3);
});

it('starts an adaptive comparison of two runs, which is followed and cancelled', async () => {
  const enqueue = `mutation Enqueue($parameters: JSON!) { enqueueRuns(input: { kind: "item-knn", parameters: $parameters,
    dataset: "generated/markov-small" }) { number } }`;
  for (const neighbours of [10, 20]) await api.ok(enqueue, { parameters: { neighbours } });
  const printed = await runShell(decide, { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() });
  expect(printed).toMatch(/Decision #1: test\/ndcg@10 running/);
  expect(printed).toMatch(/power 0\.8 for a difference of 0\.7\d standard deviations of a pair, at most 20 pairs/);
  expect(printed).toMatch(/Decision #1: test\/ndcg@10 cancelled/);
  const { decision: found } = await api.ok(decision);
  expect(found).toMatchObject({ state: 'CANCELLED', better: null, pairsSaved: null, fixedPairs: 17, looks: [] });
  expect(found.plannedLooks.at(-1)).toMatchObject({ pairs: 20 });
  expect(found.pairs).toMatchObject([{ seed: 1, runA: { number: 7 }, runB: { number: 8 }, problem: null }]);
});
