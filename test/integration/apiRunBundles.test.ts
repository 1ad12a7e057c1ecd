import { expect, test } from 'vitest';
import { agentSweep } from './support/agentSweep.ts';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun } from './support/externalRunCalls.ts';

const api = await apiForTests();

const BUNDLES = `query ($filter: String, $project: String, $first: Int, $after: String) {
  runBundles(filter: $filter, project: $project, first: $first, after: $after) {
    totalCount runCount pageInfo { hasNextPage endCursor }
    edges { node { study runCount failedCount sweep { number } newest { name state } } } } }`;
const ENDED = 'state in (SUCCEEDED, FAILED, CANCELLED)';

interface Page {
  edges: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

async function finishedRun(name: string): Promise<void> {
  const id = await createExternalRun(api, { name, project: 'mixed' });
  await api.ok(`mutation { finishRun(runId: "${id}") { id } }`);
}

test('the runs of a sweep and of a study are one entry each, and pages have as many entries as they are asked for', async () => {
  await finishedRun('before');
  const sweep = await agentSweep(api, { name: 'rates', trials: 30, project: 'mixed' });
  for (let trial = 0; trial < 12; trial++) await sweep.end(1 / (trial + 1), trial === 11 ? 'no memory' : undefined);
  await sweep.begin(0.5);
  await finishedRun('after');
  const { reproduceStudy } = await api.ok(
    'mutation { reproduceStudy(input: { name: "rntk/table-2", project: "mixed" }) { queued { id } } }',
  );
  const queued: string[] = reproduceStudy.queued.map(({ id }: { id: string }) => id);
  expect(queued.length).toBeGreaterThan(1);
  await api.ok('mutation ($ids: [ID!]!) { cancelRuns(ids: $ids) { done } }', { ids: queued });

  const all = (await api.ok(BUNDLES, { filter: ENDED, project: 'mixed' })).runBundles;
  expect(all).toMatchObject({ totalCount: 4, runCount: 14 + queued.length, pageInfo: { hasNextPage: false } });
  expect(all.edges.map(({ node }: { node: unknown }) => node)).toMatchObject([
    { study: 'rntk/table-2', runCount: queued.length, failedCount: 0, sweep: null, newest: { state: 'CANCELLED' } },
    { study: null, runCount: 1, sweep: null, newest: { name: 'after' } },
    { study: null, runCount: 12, failedCount: 1, sweep: { number: sweep.number }, newest: { state: 'FAILED' } },
    { study: null, runCount: 1, sweep: null, newest: { name: 'before' } },
  ]);

  const seen: unknown[] = [];
  let after: string | null = null;
  do {
    const { edges, pageInfo }: Page = (await api.ok(BUNDLES, { filter: ENDED, first: 1, after })).runBundles;
    expect(edges).toHaveLength(1);
    seen.push(...edges);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(seen).toEqual(all.edges);
  const none = (await api.ok(BUNDLES, { filter: 'state = PRUNED' })).runBundles;
  expect(none).toMatchObject({ edges: [], totalCount: 0, runCount: 0 });
});

test('a cursor of another list and a page that is too large are refused', async () => {
  const { runs } = await api.ok('{ runs(first: 1) { pageInfo { endCursor } } }');
  const other = await api.graphql(BUNDLES, { after: runs.pageInfo.endCursor });
  expect(other.errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'after' } });
  const many = await api.graphql(BUNDLES, { first: 501 });
  expect(many.errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
});
