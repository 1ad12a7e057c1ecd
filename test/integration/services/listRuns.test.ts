import { describe, expect, it } from 'vitest';
import { createExternalRun, finishExternalRun } from '#src/external/externalRuns.ts';
import { changeMatchingRuns } from '#src/runs/changeMatchingRuns.ts';
import { type ListRunsInput, listRuns } from '#src/runs/listRuns.ts';
import { runColumns } from '#src/runs/runColumns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { insertManyRuns } from '../support/manyRuns.ts';
import { defineMetrics } from '#src/metrics/metricDefinitions.ts';
import { selectRunGroups } from '#src/runs/store/runGroups.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

/** Parameters, tags and last metric of each run; several have equal values or none. */
const RUNS = [
  { parameters: { lr: 0.1, mode: 'x' }, mrr: 0.3, tags: ['baseline'] },
  { parameters: { lr: 0.2 }, mrr: Number.NaN, tags: [] },
  { parameters: { lr: 0.1, mode: 'y' }, mrr: 0.1, tags: ['baseline', 'new'] },
  { parameters: { lr: 'auto' }, mrr: null, tags: [] },
  { parameters: {}, mrr: 0.3, tags: [] },
  { parameters: { lr: null }, mrr: Number.POSITIVE_INFINITY, tags: [] },
  { parameters: { lr: -1 }, mrr: Number.NEGATIVE_INFINITY, tags: [] },
];
const numbers: number[] = [];
for (const [index, { parameters, mrr, tags }] of RUNS.entries()) {
  const run = await createExternalRun(context, {
    project: 'p',
    name: `run ${index % 3}`,
    parameters,
    tags,
    seed: index,
  });
  numbers.push(run.number);
  const series = [{ name: 'test/mrr', steps: [1], values: [mrr ?? 0] }];
  if (mrr !== null) await logExternalMetrics(context, { runId: run.id, series });
  if (index < 2) await finishExternalRun(context, { runId: run.id });
}
await createExternalRun(context, { project: 'q' });

async function indexes(input: ListRunsInput): Promise<number[]> {
  const page = await listRuns(context, { project: 'p', ...input });
  return page.edges.map((edge) => numbers.indexOf(edge.node.number));
}

/** The same, collected through pages of two. */
async function paged(input: ListRunsInput): Promise<number[]> {
  const found: number[] = [];
  for (let after: string | null = null; ; ) {
    const page = await listRuns(context, { project: 'p', ...input, first: 2, after });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor ?? null);
    found.push(...page.edges.map((edge) => numbers.indexOf(edge.node.number)));
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

describe('a metric of which its program said which value stands for it', () => {
  it.each([
    // name, rule: patterns give way to names, and short ones to long ones
    [[{ name: 'v/*', summary: 'max' }], 9],
    [
      [
        { name: 'v/*', summary: 'max' },
        { name: 'v/s*', summary: 'min' },
      ],
      1,
    ],
    [
      [
        { name: 'v/*', summary: 'max' },
        { name: 'v/score', summary: 'mean' },
      ],
      5,
    ],
    [
      [
        { name: 'v/*', summary: 'min' },
        { name: 'v/score', goal: 'maximize', summary: 'best' },
      ],
      9,
    ],
    [[{ name: 'v_*', summary: 'max' }], 5.5],
    [[], 5.5],
  ] as const)('%j: runs are filtered, ordered and grouped by %d', async (definitions, value) => {
    const project = `summary ${JSON.stringify(definitions)}`.slice(0, 190);
    const run = await createExternalRun(context, { project });
    await logExternalMetrics(context, {
      runId: run.id,
      series: [{ name: 'v/score', steps: [1, 2, 3, 4], values: [1, 9, 4.5, 5.5] }],
    });
    if (definitions.length > 0) await defineMetrics(context, { runId: run.id, definitions });
    const filter = `metric."v/score" = ${value}`;
    expect((await listRuns(context, { project, filter })).edges).toHaveLength(1);
    const ordered = await listRuns(context, { project, orderBy: { by: 'metric."v/score"' }, first: 1 });
    const [, key] = /"k":\[([^\]]*)\]/.exec(Buffer.from(ordered.edges[0]!.cursor, 'base64url').toString()) ?? [];
    expect(Number(key)).toBe(value);
    const selection = { projectId: run.projectId, configurationHash: null, filter: null, inTrash: false };
    const grouping = {
      fields: [{ type: 'text', name: 'kind' }],
      values: [{ name: 'v/score', at: { type: 'last' } }],
    } as const;
    const order = { by: 'runs', value: 0, descending: true } as const;
    const range = { order, after: null, first: 1, quantiles: [] };
    const { groups } = await selectRunGroups(context.db, selection, { grouping, range });
    expect(groups[0]?.values[0]).toMatchObject({ n: 1, mean: value });
  });
});

describe('listRuns', () => {
  it('shows the newest first and counts all', async () => {
    expect(await indexes({})).toEqual([6, 5, 4, 3, 2, 1, 0]);
    const page = await listRuns(context, { project: 'p', first: 0 });
    expect(page).toMatchObject({ edges: [], pageInfo: { hasNextPage: true, endCursor: null } });
    expect(await page.totalCount()).toBe(7);
    expect(await (await listRuns(context, { filter: 'tag = baseline' })).totalCount()).toBe(2);
  });

  it('orders by any field, runs without a value last, ties by number', async () => {
    const orders: [string, number[], number[]][] = [
      // 6 is -Infinity, 2 is 0.1, 0 and 4 are 0.3, 5 is Infinity; 1 is NaN and 3 has none.
      ['metric."test/mrr"', [6, 2, 0, 4, 5, 1, 3], [5, 4, 0, 2, 6, 3, 1]],
      // Numbers before texts before none: -1, 0.1 twice, 0.2, auto.
      ['config.lr', [6, 0, 2, 1, 3, 4, 5], [1, 2, 0, 6, 3, 5, 4]],
      ['config.mode', [0, 2, 1, 3, 4, 5, 6], [2, 0, 6, 5, 4, 3, 1]],
      ['name', [0, 3, 6, 1, 4, 2, 5], [5, 2, 4, 1, 6, 3, 0]],
      ['seed', [0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]],
      // States in the order of a run's life: RUNNING before SUCCEEDED.
      ['state', [2, 3, 4, 5, 6, 0, 1], [1, 0, 6, 5, 4, 3, 2]],
      ['kind', [0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]],
      ['dataset', [0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]],
      ['created', [0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]],
      ['ended', [0, 1, 2, 3, 4, 5, 6], [1, 0, 6, 5, 4, 3, 2]],
      ['progress', [2, 3, 4, 5, 6, 0, 1], [1, 0, 6, 5, 4, 3, 2]],
    ];
    for (const [by, ascending, descending] of orders) {
      for (const [direction, expected] of [['ASC', ascending] as const, ['DESC', descending] as const]) {
        expect(await indexes({ orderBy: { by, direction } }), `${by} ${direction}`).toEqual(expected);
        expect(await paged({ orderBy: { by, direction } }), `${by} ${direction}, by pages`).toEqual(expected);
      }
    }
  });

  it('orders the runs of a project by a metric of which thousands of other runs have greater values', async () => {
    const other = await createExternalRun(context, { project: 'crowd' });
    await context.db.$executeRaw`
      WITH crowd AS (
        INSERT INTO run (id, project_id, configuration_hash, seed, name, state)
        SELECT gen_random_uuid(), project_id, configuration_hash, seed, '', 'SUCCEEDED' FROM run, generate_series(1, 5500)
        WHERE id = ${other.id}::uuid RETURNING id
      )
      INSERT INTO metric_series (run_id, name, point_count, last_step, last_value) SELECT id, 'test/mrr', 1, 0, 9 + random() FROM crowd`;
    const orderBy = { by: 'metric."test/mrr"', direction: 'DESC' } as const;
    expect(await indexes({ orderBy })).toEqual([5, 4, 0, 2, 6, 3, 1]);
    expect(await paged({ orderBy })).toEqual([5, 4, 0, 2, 6, 3, 1]);
    await context.db.run.deleteMany({ where: { project: { name: 'crowd' } } });
  });

  it('filters', async () => {
    expect(await indexes({ filter: 'tag = baseline and not config.mode = y' })).toEqual([0]);
    expect(await paged({ filter: 'metric.test/mrr >= 0.1' })).toEqual([5, 4, 2, 0]);
    expect(await indexes({ filter: 'state = succeeded or created < -1d' })).toEqual([1, 0]);
    expect(await indexes({ filter: "name like 'run _' and project = p and seed in (1, 2)" })).toEqual([2, 1]);
  });

  it('keeps its place while runs come', async () => {
    const first = await listRuns(context, { project: 'p', first: 2 });
    const late = await createExternalRun(context, { project: 'p' });
    const next = await listRuns(context, { project: 'p', first: 2, after: first.pageInfo.endCursor });
    expect(next.edges.map((edge) => numbers.indexOf(edge.node.number))).toEqual([4, 3]);
    await context.db.run.delete({ where: { id: late.id } });
  });

  it('refuses what cannot be', async () => {
    const refused = (input: ListRunsInput) => listRuns(context, input).catch((error: unknown) => error);
    expect(await refused({ first: 501 })).toMatchObject({ code: 'BAD_INPUT', path: 'first' });
    expect(await refused({ first: -1 })).toMatchObject({ path: 'first' });
    expect(await refused({ project: 'pp' })).toMatchObject({ code: 'NOT_FOUND', path: 'project' });
    expect(await refused({ filter: 'knd = 1' })).toMatchObject({ path: 'filter' });
    expect(await refused({ orderBy: { by: 'knd' } })).toMatchObject({ path: 'orderBy.by' });
    for (const after of ['', 'x', Buffer.from('{}').toString('base64url'), Buffer.from('null').toString('base64url')]) {
      expect(await refused({ after })).toMatchObject({ code: 'BAD_INPUT', path: 'after' });
    }
    const page = await listRuns(context, { first: 1 });
    const after = page.pageInfo.endCursor;
    const other = { by: 'seed' };
    expect(await refused({ after, orderBy: other })).toMatchObject({ path: 'after' });
    const forged = (k: unknown[]) => Buffer.from(JSON.stringify({ o: 'seed DESC', n: 1, k })).toString('base64url');
    for (const k of [['x'], [[]], [1, 2], []]) {
      expect(await refused({ after: forged(k), orderBy: other }), JSON.stringify(k)).toMatchObject({ path: 'after' });
    }
  });
});

describe('what is done with all runs that match', () => {
  /** 30 runs, of which the oldest alone has a metric. */
  const project = 'r';
  const matching = { project, filter: 'tag = try' };
  const total = async (filter: string) => await (await listRuns(context, { project, filter })).totalCount();

  it('changes nothing when another number matches than was seen', async () => {
    await insertManyRuns(
      context.db,
      Array.from({ length: 30 }, (_, seed) => ({
        ...{ kind: 'external', datasetName: null, parameters: { depth: { layers: 2 } }, seed },
        ...{ tags: seed < 25 ? ['try'] : ['keep'], metrics: seed === 0 ? { 'old/metric': 1 } : { 'test/mrr': 1 } },
      })),
      project,
    );
    const change = changeMatchingRuns(context, { ...matching, action: 'DELETE', expected: 24 });
    await expect(change).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('25 runs match') });
    expect(await total('tag = try')).toBe(25);
  });

  it('finds names that only old runs have beside those of the newest', async () => {
    const { metrics, configuration, tags } = await runColumns(context, { project });
    expect(metrics).toEqual(['old/metric', 'test/mrr']);
    expect(configuration).toContain('parameters.depth.layers');
    expect(tags).toEqual(['keep', 'try']);
  });

  it('names what runs have that another process has just made, deleted or taken back', async () => {
    const other = await servicesForTests(postgres.url);
    const columns = async () => {
      const { configuration, varying, kinds } = await runColumns(context, { project: 's' });
      return { configuration, varying, kinds };
    };
    const make = (parameters: Record<string, unknown>, seed: number) =>
      insertManyRuns(other.db, [{ kind: 'external', datasetName: null, parameters, seed, tags: [], metrics: {} }], 's');
    await make({ rate: 0.1 }, 1);
    const first = await columns();
    expect(first).toEqual({ configuration: ['parameters.rate'], varying: [], kinds: ['external'] });
    expect(await columns()).toEqual(first);
    await make({ rate: 0.2, width: 64 }, 2);
    const both = await columns();
    expect(both).toEqual({
      ...first,
      configuration: ['parameters.rate', 'parameters.width'],
      varying: ['parameters.rate'],
    });
    const newest = { project: 's', filter: 'seed = 2', expected: 1 };
    await changeMatchingRuns(other, { ...newest, action: 'DELETE' });
    expect(await columns()).toEqual(first);
    await changeMatchingRuns(other, { ...newest, inTrash: true, action: 'RESTORE' });
    expect(await columns()).toEqual(both);
  });

  it('deletes them, and takes back exactly those', async () => {
    const { changedIds } = await changeMatchingRuns(context, { ...matching, action: 'DELETE', expected: 25 });
    expect([changedIds.length, await total('')]).toEqual([25, 5]);
    const [kept] = changedIds;
    const rest = { project, inTrash: true, filter: `id != "${kept}"`, expected: 24 };
    expect((await changeMatchingRuns(context, { ...rest, action: 'RESTORE' })).refusedCount).toBe(0);
    expect(await total('tag = try')).toBe(24);
  });

  it('tags and moves them, and names runs that would have too many tags', async () => {
    const tag = { ...matching, action: 'TAG' as const, expected: 24 };
    await changeMatchingRuns(context, { ...tag, addTags: ['new', 'try'], removeTags: ['keep'] });
    const [first] = (await listRuns(context, { project, filter: 'tag = new' })).edges;
    expect(first?.node.tags).toEqual(['try', 'new']);
    const many = Array.from({ length: 49 }, (_, index) => `t${index}`);
    const refused = await changeMatchingRuns(context, { ...tag, addTags: many });
    expect([refused.changedIds.length, refused.refusedCount, refused.refused.length]).toEqual([0, 24, 20]);
    expect(refused.refused[0]?.message).toContain('more than 50 tags');
    const edit = { ...matching, action: 'EDIT' as const, expected: 24 };
    await expect(changeMatchingRuns(context, edit)).rejects.toThrow('expected a new name, or a note to add');
    await expect(changeMatchingRuns(context, { ...edit, addNote: ' ' })).rejects.toThrow('addNote: expected a text');
    await changeMatchingRuns(context, { ...edit, addNote: 'Before the fix.' });
    await changeMatchingRuns(context, { ...edit, name: 'tried', addNote: ' Not for the paper. ' });
    const noted = `name = tried and notes = "Before the fix.\n\nNot for the paper."`;
    expect(await total(noted)).toBe(24);
    const long = 'x'.repeat(99_970);
    const full = await changeMatchingRuns(context, { ...edit, addNote: long });
    expect([full.refusedCount, full.refused[0]?.message]).toEqual([
      24,
      expect.stringContaining('they would have more than 100000 characters'),
    ]);
    expect(await total(noted)).toBe(24);
    await changeMatchingRuns(context, { ...matching, action: 'MOVE', expected: 24, toProject: 'paper' });
    expect(await (await listRuns(context, { project: 'paper' })).totalCount()).toBe(24);
  });
});
