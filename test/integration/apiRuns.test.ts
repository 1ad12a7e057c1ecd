import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { registerWorker } from '#src/fleet/workers.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { claim } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';

const api = await apiForTests();
const { ok, graphql } = api;

const WORKER = '00000000-0000-4000-8000-000000000001';
const db = openDatabase(api.postgres.url);
const queue = await openRunQueue({ databaseUrl: api.postgres.url, redisUrl: null });
const services: ServiceContext = { db, queue };
afterAll(async () => {
  await queue.close();
  await db.$disconnect();
});

const RUN = `id number name tags notes seed state priority attempt maxAttempts progress cancelRequested
  project { name } configuration { hash kind datasetName parameters dataset }`;

async function enqueue(input: Record<string, unknown>) {
  const query = `mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { ${RUN} } }`;
  return (await ok(query, { input })).enqueueRuns;
}

async function beWorker(details: Record<string, unknown>): Promise<void> {
  await registerWorker(services, {
    ...{ id: WORKER, name: 'test-worker', host: 'here', pid: 1, version: '0.1.0', backend: 'cpu', device: 'cpu' },
    ...{ gpu: false, slots: 1, details },
  });
}

/** Runs a queued run to its end in the name of a worker, as the supervisor does. */
async function claimAndReport(runId: string, reports: Parameters<typeof recordReports>[1]['reports'] = []) {
  await beWorker({ node: 'v20' });
  const claimed = await claim(services, { id: runId }, { worker: { id: WORKER, name: 'test-worker' }, backend: 'cpu' });
  expect(claimed).not.toBeNull();
  const holder = { runId, attempt: 1, workerId: WORKER };
  if (reports.length > 0) await recordReports(services, { ...holder, reports });
  return { end: () => endAttempt(services, { ...holder, outcome: { state: 'SUCCEEDED' } }) };
}

describe('queueing', () => {
  test('refuses parameters whose numbers would be changed, by name', async () => {
    const query = 'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }';
    for (const number of ['1e400', '-9007199254740993']) {
      const body = `{"query":${JSON.stringify(query)},"variables":{"input":{"kind":"mf-bpr","parameters":{"epochs":[${number}]}}}}`;
      const answer = await api.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const { errors } = JSON.parse(await answer.text());
      expect(errors[0].message).toMatch(new RegExp(`^variables.input.parameters.epochs.0: ${number} is`));
    }
    const literal = 'mutation { enqueueRuns(input: { kind: "mf-bpr", parameters: { epochs: 1e400 } }) { id } }';
    expect((await api.graphql(literal)).errors[0]?.message).toContain('1e400 is larger than any number');
  });

  test('one run per seed, of one configuration with all defaults filled in', async () => {
    const runs = await enqueue({
      ...{ project: 'queueing', kind: 'popularity', dataset: { name: 'generated/markov-small' } },
      ...{ seeds: [3, 1], tags: ['a', 'b'], priority: 7, name: 'first try' },
    });
    expect(runs.map((run: { seed: number }) => run.seed)).toEqual([3, 1]);
    expect(new Set(runs.map((run: { configuration: { hash: string } }) => run.configuration.hash)).size).toBe(1);
    expect(runs[0]).toMatchObject({
      ...{ name: 'first try', tags: ['a', 'b'], state: 'QUEUED', priority: 7, attempt: 0, cancelRequested: false },
      project: { name: 'queueing' },
      configuration: { kind: 'popularity', datasetName: 'generated/markov-small', dataset: { split: 'leave-one-out' } },
    });
    const { queue: shown } = await ok('{ queue { backend waiting queued running next(first: 5) { number } } }');
    expect(shown).toMatchObject({ backend: 'postgres', queued: 2, running: 0 });
    expect(shown.next.map((run: { number: number }) => run.number)).toEqual(
      runs.map((run: { number: number }) => run.number),
    );
    const hash = runs[0].configuration.hash;
    const { configuration } = await ok(
      `query ($hash: ID!) { configuration(hash: $hash) { kind kindVersion createdAt
        runs(first: 1) { totalCount pageInfo { hasNextPage endCursor } edges { node { number } } } } }`,
      { hash },
    );
    expect(configuration.runs).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
  });

  test('a dataset that neither the catalog nor any worker has is warned of, as long as its run waits', async () => {
    const warningsFor = async (name: string): Promise<string[]> => {
      const { enqueueRuns } = await ok(
        'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id state warnings } }',
        { input: { project: 'warned', kind: 'popularity', dataset: { name } } },
      );
      const [{ id, state, warnings }] = enqueueRuns;
      expect(state).toBe('QUEUED');
      await ok('mutation ($id: ID!) { cancelRuns(ids: [$id]) { done } }', { id });
      expect((await ok('query ($id: ID!) { run(id: $id) { warnings } }', { id })).run.warnings).toEqual([]);
      return warnings;
    };
    const missing = [
      expect.stringContaining('"my-shop" is neither in the catalog nor in the data folders of a worker'),
    ];
    expect(await warningsFor('my-shop')).toEqual(missing);
    expect(await warningsFor('amazon-toys-and-games')).toEqual([]);
    expect(await warningsFor('generated/markov-small')).toEqual([]);
    await beWorker({ datasets: ['your-shop'] });
    expect(await warningsFor('my-shop')).toEqual(missing);
    await beWorker({ datasets: ['my-shop'] });
    expect(await warningsFor('my-shop')).toEqual([]);
    expect(await warningsFor('my-shop.csv')).toEqual([]);
    await beWorker({ node: 'a worker that does not say what it has' });
    expect(await warningsFor('my-shop')).toEqual([]);
  });

  test.each([
    [{ kind: 'popularty', dataset: { name: 'x' } }, 'NOT_FOUND', 'popularity', 'kind'],
    [{ kind: 'popularity' }, 'BAD_INPUT', 'needs one', 'dataset'],
    [{ kind: 'popularity', dataset: { name: 'x' }, parameters: { nonsense: 1 } }, 'BAD_INPUT', 'nonsense', undefined],
    [{ kind: 'popularity', dataset: { name: 'x' }, seeds: [1, 1] }, 'BAD_INPUT', 'twice', 'seeds'],
    [{ kind: 'popularity', dataset: { name: 'x' }, seeds: [-1] }, 'BAD_INPUT', 'whole number', 'seeds'],
    [{ kind: 'popularity', dataset: { name: 'x' }, priority: 0 }, 'BAD_INPUT', '2,097,151', 'priority'],
    [{ kind: 'external' }, 'BAD_INPUT', 'createRun', 'kind'],
  ])('%j is refused with %s', async (input, code, message, path) => {
    const { errors, data } = await graphql(
      'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }',
      { input },
    );
    expect(data).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions.code).toBe(code);
    expect(errors[0]?.message).toContain(message);
    if (path !== undefined) expect(errors[0]?.extensions.path).toBe(path);
  });
});

describe('the life of a run', () => {
  test('what a worker reports is all there afterwards', async () => {
    const [{ id, number }] = await enqueue({
      ...{ project: 'life', kind: 'popularity', dataset: { name: 'generated/markov-small' }, seeds: [5] },
    });
    const timeMs = Date.UTC(2026, 10, 21);
    const { end } = await claimAndReport(id, [
      { type: 'metric', name: 'test/ndcg@10', step: 0, value: 0.25, timeMs },
      { type: 'metric', name: 'train/loss', step: 2 ** 53, value: Number.NaN, timeMs },
      { type: 'metric', name: 'train/loss', step: 1, value: Number.POSITIVE_INFINITY, timeMs },
      { type: 'log', line: 0, level: 'warn', text: 'hello', timeMs },
      { type: 'progress', fraction: 0.5, message: 'half' },
      { type: 'environment', values: { backend: 'cpu', fingerprint: 'f'.repeat(64), datasetStatistics: { users: 3 } } },
      {
        ...{ type: 'artifact', name: 'figures/loss 1.svg', role: 'output', mediaType: 'image/svg+xml' },
        ...{ sha256: 'a'.repeat(64), sizeBytes: 12 },
      },
    ]);
    const { workers, queue: shown } = await ok(`{ queue { running }
      workers { name alive backend device slots details lastSeenAt runs { number progress progressMessage } } }`);
    expect(shown.running).toBe(1);
    expect(workers).toMatchObject([
      { name: 'test-worker', alive: true, details: { node: 'v20' }, runs: [{ number, progress: 0.5 }] },
    ]);
    await end();
    const { run } = await ok(
      `query ($id: ID!) { run(id: $id) { state progress environment startedAt endedAt deletedAt error { code }
        worker { name } attempts { number state workerName backend device resumedFromStep }
        inputs { name } metrics { name direction pointCount lastStep lastValue minimum maximum }
        only: metrics(names: ["test/ndcg@10", "absent"]) { name }
        events { id time type message data } artifacts { name role mediaType sha256 sizeBytes step url } } }`,
      { id: String(number) },
    );
    expect(run).toMatchObject({
      ...{ state: 'SUCCEEDED', error: null, deletedAt: null, inputs: [], only: [{ name: 'test/ndcg@10' }] },
      environment: { backend: 'cpu' },
      attempts: [{ number: 1, state: 'SUCCEEDED', workerName: 'test-worker', resumedFromStep: null }],
      metrics: [
        { name: 'test/ndcg@10', direction: 'higher', pointCount: 1, lastStep: 0, lastValue: 0.25, maximum: 0.25 },
        { name: 'train/loss', direction: 'lower', pointCount: 2, lastStep: 2 ** 53, lastValue: 'NaN', minimum: null },
      ],
    });
    expect(run.events.map((event: { type: string }) => event.type)).toEqual(['queued', 'claimed', 'ended']);
    expect(run.artifacts).toEqual([
      {
        ...{ name: 'figures/loss 1.svg', role: 'output', mediaType: 'image/svg+xml', sha256: 'a'.repeat(64) },
        ...{ sizeBytes: 12, step: null, url: `/artifacts/${id}/figures/loss%201.svg` },
      },
    ]);
    const { artifacts, datasets } = await ok(
      'query ($id: ID!) { artifacts(runId: $id) { name } datasets { name known versions { fingerprint statistics } } }',
      { id },
    );
    expect(artifacts).toEqual([{ name: 'figures/loss 1.svg' }]);
    expect(datasets).toContainEqual({
      ...{ name: 'generated/markov-small', known: false },
      versions: [{ fingerprint: 'f'.repeat(64), statistics: { users: 3 } }],
    });
  });

  test('cancel, retry, edit, trash and back; each run has an outcome of its own', async () => {
    const runs = await enqueue({
      ...{ project: 'actions', kind: 'popularity', dataset: { name: 'generated/markov-small' }, seeds: [1, 2] },
    });
    const [first, second] = runs.map((run: { id: string }) => run.id);
    const act = async (action: string, ids: string[]) =>
      (
        await ok(
          `mutation ($ids: [ID!]!) { outcomes: ${action}(ids: $ids) { id done message run { id state deletedAt } } }`,
          {
            ids,
          },
        )
      ).outcomes;
    expect(await act('cancelRuns', [first, 'nonsense', first])).toMatchObject([
      { id: first, done: true, message: null, run: { state: 'CANCELLED' } },
      { id: 'nonsense', done: false, message: expect.stringContaining("run's number"), run: null },
      { id: first, done: true },
    ]);
    expect(await act('retryRuns', [first, second])).toMatchObject([
      { done: true, run: { state: 'QUEUED' } },
      { done: false, message: expect.stringContaining('only failed, cancelled and pruned') },
    ]);
    const { updateRun } = await ok(
      'mutation ($input: UpdateRunInput!) { updateRun(input: $input) { name notes tags } }',
      { input: { id: first, name: 'renamed', notes: '# why', tags: ['x', 'x'] } },
    );
    expect(updateRun).toEqual({ name: 'renamed', notes: '# why', tags: ['x'] });
    expect(await act('deleteRuns', [second])).toMatchObject([{ done: true, run: { state: 'CANCELLED' } }]);
    const inTrash = async (trash: boolean) =>
      (await ok('query ($trash: Boolean) { runs(project: "actions", inTrash: $trash) { totalCount } }', { trash })).runs
        .totalCount;
    expect([await inTrash(false), await inTrash(true)]).toEqual([1, 1]);
    expect(await act('restoreRuns', [second])).toMatchObject([{ done: true, run: { deletedAt: null } }]);
    expect([await inTrash(false), await inTrash(true)]).toEqual([2, 0]);
  });
});

describe('lists', () => {
  test('pages by cursor give every run once, in the order asked for', async () => {
    await enqueue({
      ...{ project: 'pages', kind: 'popularity', dataset: { name: 'generated/markov-small' } },
      seeds: [5, 3, 9, 1, 7],
    });
    const seeds: number[] = [];
    let after: string | null = null;
    do {
      const { runs } = await ok(
        `query ($after: String) { runs(project: "pages", first: 2, after: $after, orderBy: { by: "seed", direction: ASC }) {
          totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { seed } } } }`,
        { after },
      );
      expect(runs.totalCount).toBe(5);
      expect(runs.pageInfo.hasPreviousPage).toBe(after !== null);
      seeds.push(...runs.edges.map((edge: { node: { seed: number } }) => edge.node.seed));
      after = runs.pageInfo.hasNextPage ? runs.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seeds).toEqual([1, 3, 5, 7, 9]);
  });

  test('the filter language is that of the command line; an error points at the column', async () => {
    const list = async (filter: string) =>
      await graphql('query ($filter: String) { runs(project: "pages", filter: $filter) { totalCount } }', { filter });
    expect((await list('seed > 3 and seed in (5, 9) or tag = none')).data.runs.totalCount).toBe(2);
    const { errors } = await list('seed >> 3');
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'filter' } });
    expect(errors[0]?.message).toMatch(/column \d+/);
  });

  test('projects come by name, with the runs that are not in the trash', async () => {
    await ok('mutation { createProject(name: "empty", description: "nothing yet") { id } }');
    const { projects, project } = await ok(`{ project(name: "empty") { name description runCount }
      projects(first: 2) { pageInfo { hasNextPage endCursor } edges { node { name runCount } } } }`);
    expect(project).toEqual({ name: 'empty', description: 'nothing yet', runCount: 0 });
    expect(projects.edges.map((edge: { node: { name: string } }) => edge.node.name)).toEqual(['actions', 'empty']);
    const again = await graphql('mutation { createProject(name: "empty") { id } }');
    expect(again.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', path: 'name' });
  });

  test('columns to choose from', async () => {
    const { runColumns } = await ok('{ runColumns(project: "life") { metrics configuration tags } }');
    expect(runColumns.metrics).toEqual(['test/ndcg@10', 'train/loss']);
    expect(runColumns.configuration).toContain('dataset.name');
  });

  test('what is not there is null, or said to be missing', async () => {
    const { run, configuration, project } = await ok(
      '{ run(id: "999999") { id } configuration(hash: "no hash\\u0000") { hash } project(name: "none") { id } }',
    );
    expect([run, configuration, project]).toEqual([null, null, null]);
    const { errors } = await graphql('{ runs(project: "lif") { totalCount } }');
    expect(errors[0]).toMatchObject({ extensions: { code: 'NOT_FOUND', path: 'project' } });
    expect(errors[0]?.message).toContain('life');
  });
});

describe('the first page', () => {
  test('finds runs by number, tag and words, tells of each by its headline, and counts what goes on', async () => {
    const dataset = { name: 'generated/markov-small' };
    const input = { project: 'Found here', kind: 'popularity', dataset, name: '100% wanted_run', tags: ['odd-tag'] };
    const [run] = await enqueue({ ...input, parameters: {} });
    const { end } = await claimAndReport(run.id, [
      ...['valid/loss', 'test/ndcg@10', 'train/loss'].map((name) => {
        return { type: 'metric' as const, name, step: 0, value: 0.5, timeMs: 1 };
      }),
      ...[0, 1, 2].map((line) => ({
        type: 'log' as const,
        line,
        level: 'info' as const,
        text: `line ${line}`,
        timeMs: 1,
      })),
    ]);
    await end();
    const search = async (text: string) =>
      (
        await ok(
          'query ($t: String!) { search(text: $t) { runs { number } projects { name } sweeps { number } studies { name } } }',
          { t: text },
        )
      ).search;
    expect(await search('WANTED_ 100%')).toMatchObject({ runs: [{ number: run.number }], projects: [] });
    expect((await search('odd-tag')).runs).toEqual([{ number: run.number }]);
    expect((await search(`#${run.number}`)).runs[0]).toEqual({ number: run.number });
    expect((await search('found')).projects).toEqual([{ name: 'Found here' }]);
    expect((await search('overrec table-2')).studies.length).toBeGreaterThan(0);
    expect(await search('  ')).toEqual({ runs: [], projects: [], sweeps: [], studies: [] });
    const told = await ok(
      `query ($id: ID!) { run(id: $id) { preset presetDifferences { path } headline { name lastValue } logTail(first: 2) { text } endedAt }
        all: projects(first: 100) { edges { node { name activity(since: "2020-01-01T00:00:00Z") { running queued ended failed lastActiveAt } } } } }`,
      { id: run.id },
    );
    expect(told.run).toEqual({
      ...{ preset: null, presetDifferences: [], headline: { name: 'test/ndcg@10', lastValue: 0.5 } },
      ...{ logTail: [{ text: 'line 1' }, { text: 'line 2' }], endedAt: expect.any(String) },
    });
    const found = told.all.edges.find(({ node }: { node: { name: string } }) => node.name === 'Found here');
    expect(found.node.activity).toEqual({
      ...{ running: 0, queued: 0, ended: 1, failed: 0 },
      lastActiveAt: told.run.endedAt,
    });
  });
});
