import { describe, expect, test } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';

const api = await apiForTests();
const { ok, graphql } = api;

async function loggedRun(project: string, losses: number[]): Promise<string> {
  const { createRun } = await ok(
    'mutation ($project: String!) { createRun(input: { project: $project, name: "logged" }) { id } }',
    { project },
  );
  const series = ['train/loss', 'valid/loss'].map((name) => ({
    name,
    steps: losses.map((_, step) => step),
    values: losses,
  }));
  await ok(
    `mutation ($id: ID!, $series: [MetricPointsInput!]!, $lines: [LogLineInput!]!) {
      logMetrics(runId: $id, series: $series) logLines(runId: $id, from: 0, lines: $lines) finishRun(runId: $id) { id } }`,
    { id: createRun.id, series, lines: losses.map((loss) => ({ text: `loss ${loss}` })) },
  );
  return createRun.id;
}

const first = await loggedRun('nested', [3, 2, 1]);
const second = await loggedRun('nested', [5, 4]);
await loggedRun('elsewhere', [9]);

describe('the points of a run', () => {
  test('are those of metricHistory, for every run of a page', async () => {
    const { runs, metricHistory } = await ok(
      `query ($ids: [ID!]!) {
        runs(project: "nested", orderBy: { by: "number", direction: ASC }) {
          edges { node { history(names: ["train/loss"]) { runId name steps values pointCount } } } }
        metricHistory(runIds: $ids, names: ["train/loss"]) { runId name steps values pointCount } }`,
      { ids: [first, second] },
    );
    const nested = runs.edges.flatMap(({ node }: { node: { history: unknown[] } }) => node.history);
    expect(nested).toEqual(metricHistory);
    expect(nested).toMatchObject([{ values: [3, 2, 1] }, { values: [5, 4] }]);
  });

  test('are of all metrics, by name, where none is named, and are cut into buckets', async () => {
    const { run } = await ok('query ($id: ID!) { run(id: $id) { history(maxPoints: 1) { name steps maximum } } }', {
      id: first,
    });
    expect(run.history).toEqual(['train/loss', 'valid/loss'].map((name) => ({ name, steps: [2], maximum: [3] })));
  });

  test('are asked for with a number of points that can be', async () => {
    const { errors } = await graphql('query ($id: ID!) { run(id: $id) { history(maxPoints: 0) { name } } }', {
      id: first,
    });
    expect(errors[0]).toMatchObject({
      message: 'maxPoints: received 0, expected 1 to 20000',
      extensions: { code: 'BAD_INPUT', path: 'maxPoints' },
    });
  });

  test('cost what they cost for one run, times the runs of the page', async () => {
    const query = 'query ($n: Int) { runs(first: $n) { edges { node { history { name } } } } }';
    expect((await graphql(query, { n: 100 })).status).toBe(200);
    expect((await graphql(query, { n: 500 })).errors[0]?.message).toContain('ask for smaller pages');
  });
});

test('the log of a run comes page by page', async () => {
  const query = `query ($id: ID!, $after: String) {
    run(id: $id) { logs(first: 2, after: $after) { lines { text } cursor hasMore } } }`;
  const { logs } = (await ok(query, { id: first })).run;
  expect(logs).toMatchObject({ lines: [{ text: 'loss 3' }, { text: 'loss 2' }], hasMore: true });
  const rest = (await ok(query, { id: first, after: logs.cursor })).run.logs;
  expect(rest).toMatchObject({ lines: [{ text: 'loss 1' }], hasMore: false });
});

test('logs of more runs than one answer can hold are refused before they are read', async () => {
  const query = 'query ($n: Int) { runs(first: $n) { edges { node { logs { lines { text } } } } } }';
  expect((await graphql(query, { n: 20 })).status).toBe(200);
  expect((await graphql(query, { n: 50 })).errors[0]?.extensions.code).toBe('BAD_INPUT');
});

test('the runs of a project are its own, filtered, ordered and in pages', async () => {
  const { project } = await ok(
    `{ project(name: "nested") { runs(filter: "metric.\\"train/loss\\" > 0", first: 1,
      orderBy: { by: "metric.\\"train/loss\\"", direction: DESC }) {
        totalCount pageInfo { hasNextPage } edges { node { id } } } } }`,
  );
  expect(project.runs).toEqual({ totalCount: 2, pageInfo: { hasNextPage: true }, edges: [{ node: { id: second } }] });
});
