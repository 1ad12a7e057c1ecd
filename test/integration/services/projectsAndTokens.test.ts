import { describe, expect, it } from 'vitest';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { authenticateToken, issueToken, listTokens, revokeToken } from '#src/people/apiTokens.ts';
import { createProject } from '#src/projects/createProject.ts';
import { exportRuns } from '#src/exports/exportRuns.ts';
import { createExternalRun } from '#src/external/externalRuns.ts';
import { listProjects } from '#src/projects/listProjects.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { logMedia } from '#src/media/logMedia.ts';
import { nextRuns, queueOverview } from '#src/queue/queueOverview.ts';
import { runColumns } from '#src/runs/runColumns.ts';
import { deleteView, listViews, saveView, setDefaultView } from '#src/views/savedViews.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aRun, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

describe('projects, columns and the queue', () => {
  it('lists projects by name, page by page', async () => {
    for (const name of ['zz c', 'zz a', 'zz b']) await createProject(context, { name });
    await expect(createProject(context, { name: 'zz a' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const all = await listProjects(context, { first: 500 });
    const names = all.edges.map((edge) => edge.node.name);
    const paged: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page = await listProjects(context, { first: 2, after });
      paged.push(...page.edges.map((edge) => edge.node.name));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(paged).toEqual(names);
    expect(names.filter((name) => name.startsWith('zz'))).toEqual(['zz a', 'zz b', 'zz c']);
    await expect(listProjects(context, { after: 'x' })).rejects.toMatchObject({ path: 'after' });
  });

  it('names metrics, configuration fields and tags of one project', async () => {
    const run = await createExternalRun(context, {
      project: 'columns',
      parameters: { optimizer: { lr: 1, 'odd.key': 2 }, list: [1] },
      tags: ['q', 'p'],
    });
    const series = ['b', 'a'].map((name) => ({ name, steps: [0], values: [0] }));
    await logExternalMetrics(context, { runId: run.id, series });
    const configuration = ['parameters.list', 'parameters.optimizer."odd.key"', 'parameters.optimizer.lr'];
    const names = { metrics: ['a', 'b'], configuration, kinds: ['external'], tags: ['p', 'q'], texts: [] };
    expect(await runColumns(context, { project: 'columns' })).toEqual({
      ...names,
      varying: [],
      datasets: [],
      valuesOf: expect.any(Function),
    });
    const other = { optimizer: { lr: 3, 'odd.key': 2 } };
    await createExternalRun(context, { project: 'columns', parameters: other, datasetName: 'shop' });
    expect(await runColumns(context, { project: 'columns' })).toEqual({
      ...names,
      configuration: ['dataset.name', ...configuration],
      varying: ['parameters.optimizer.lr'],
      datasets: ['shop'],
      valuesOf: expect.any(Function),
    });
    const filter = 'config.parameters.optimizer."odd.key" = 2';
    expect((await listRuns(context, { project: 'columns', filter })).edges).toHaveLength(2);
    await expect(runColumns(context, { project: 'colums' })).rejects.toMatchObject({
      message: expect.stringContaining('Did you mean "columns"'),
    });
  });

  it('keeps named views of a project, one of them its default, and refuses what no table could show', async () => {
    const settings = {
      filter: 'state = FAILED',
      orderBy: 'metric."a, b"',
      direction: 'ASC',
      columns: [
        { name: 'state', width: 99, pinned: true },
        { name: 'metric."a, b"', shaded: true },
      ],
      groupBy: ['config.lr'],
    };
    const view = await saveView(context, { project: 'views', name: ' failures ', settings });
    expect(view).toMatchObject({ name: 'failures', isDefault: false });
    const [stored] = await listViews(context, 'views');
    expect(await listViews(context, null, stored!.name)).toEqual([stored]);
    expect(await listViews(context, null, `#${stored!.number}`)).toEqual([stored]);
    expect(await listViews(context, null, 'none')).toEqual([]);
    expect(stored?.settings).toMatchObject({ filter: 'state = FAILED', values: null, direction: 'ASC' });
    expect(stored?.settings.columns?.[1]).toEqual({ name: 'metric."a, b"', width: null, pinned: false, shaded: true });

    await expect(saveView(context, { project: 'views', name: 'failures' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const second = await saveView(context, { project: 'views', name: 'second' });
    await expect(saveView(context, { id: second.id, name: 'failures' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const renamed = await saveView(context, { id: `#${view.number}`, name: 'broken' });
    expect(renamed.settings).toEqual(view.settings);
    for (const bad of [{ filter: 'kind =' }, { orderBy: 'nothing' }, { groupBy: ['metric.x'] }, { columns: [{}] }]) {
      await expect(saveView(context, { id: view.id, settings: bad })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    }

    await Promise.all([view, second].map(({ id }) => setDefaultView(context, id, true)));
    await setDefaultView(context, view.id, true);
    const defaults = async () => (await listViews(context, 'views')).filter((one) => one.isDefault);
    expect((await defaults()).map(({ name }) => name)).toEqual(['broken']);
    await setDefaultView(context, second.id, false);
    expect(await defaults()).toHaveLength(1);
    await deleteView(context, view.id);
    expect((await listViews(context, 'views')).map(({ name }) => name)).toEqual(['second']);
    await expect(deleteView(context, view.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows what workers take next', async () => {
    const before = await queueOverview(context);
    const [late, early] = [await aRun(context, { priority: 3 }), await aRun(context, { priority: 2 })];
    expect((await nextRuns(context, 2)).map((run) => run.id)).toEqual([early.id, late.id]);
    expect(await queueOverview(context)).toEqual({ ...before, queued: before.queued + 2 });
  });
});

describe('tokens', () => {
  it('are shown once, hold until revoked, and are kept as a hash', async () => {
    const { token, record } = await issueToken(context, { name: 'ci', role: 'WRITE' });
    expect(token).toMatch(/^warren_[\w-]{43}$/);
    expect(await authenticateToken(context, token)).toMatchObject({ id: record.id, role: 'WRITE' });
    expect(await authenticateToken(context, `${token}x`)).toBeNull();
    expect(JSON.stringify(await context.db.apiToken.findMany())).not.toContain(token.slice(7));
    await expect(issueToken(context, { name: 'ci', role: 'READ' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await revokeToken(context, 'ci');
    expect(await authenticateToken(context, token)).toBeNull();
    await expect(revokeToken(context, 'ci')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await issueToken(context, { name: 'ci', role: 'READ' })).toBeTruthy();
    expect(await listTokens(context)).toMatchObject([{ name: 'ci', role: 'READ', revokedAt: null }]);
  });

  it('expire', async () => {
    await expect(issueToken(context, { name: 'x', role: 'READ', expiresAt: new Date(0) })).rejects.toMatchObject({
      path: 'expiresAt',
    });
    const { token, record } = await issueToken(context, {
      name: 'x',
      role: 'READ',
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(await authenticateToken(context, token)).not.toBeNull();
    await context.db.apiToken.update({ where: { id: record.id }, data: { expiresAt: new Date(0) } });
    expect(await authenticateToken(context, token)).toBeNull();
  });
});

describe('exportRuns', () => {
  it('writes every point and every text as JSON lines and as CSV', async () => {
    const project = 'export, "all"';
    const run = await createExternalRun(context, { project, parameters: { lr: 1 } });
    const steps = Array.from({ length: 20_005 }, (_, step) => step);
    const long = { name: 'long', steps, values: steps.map((step) => step / 7) };
    const odd = { name: 'odd', steps: [0, 2 ** 53], values: [Number.NaN, Number.NEGATIVE_INFINITY], times: [0, 1] };
    await logExternalMetrics(context, { runId: run.id, series: [long, odd] });
    const said = Array.from({ length: 1_001 }, (_, step) => ({
      ...{ name: 'phase', step, kind: 'text' as const, time: 1 },
      metadata: { text: step === 1_000 ? 'a, "b"\nc' : `phase ${step}` },
    }));
    for (const items of [said.slice(0, 600), said.slice(600)]) await logMedia(context, { runId: run.id, items });
    const written = async (format: 'csv' | 'jsonl') => {
      let text = '';
      for await (const piece of exportRuns(context, { project, format })) text += piece;
      return text;
    };
    const lines = (await written('jsonl')).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      number: run.number,
      project,
      kind: 'external',
      parameters: { lr: 1 },
      metrics: {
        long: { steps, values: long.values },
        odd: { steps: odd.steps, values: ['NaN', '-Infinity'], times: [0, 1] },
      },
      texts: said.map(({ name, step, time, metadata }) => ({ name, step, text: metadata.text, time })),
    });
    const csv = (await written('csv')).trimEnd().split('\n');
    expect(csv).toHaveLength(1 + 20_005 + 2 + 1_001 + 1);
    const common = `${run.number},${run.id},"export, ""all""",external,,0,RUNNING`;
    expect(csv[20_007]).toBe(`${common},odd,9007199254740992,-Infinity,1970-01-01T00:00:00.001Z,`);
    expect(csv.slice(-2)).toEqual([`${common},phase,1000,,1970-01-01T00:00:00.001Z,"a, ""b""`, 'c"']);
    await expect(exportRuns(context, { format: 'csv', filter: 'x' }).next()).rejects.toMatchObject({ path: 'filter' });
  });
});

it('the database orders states as the code does', async () => {
  const rows = await context.db.$queryRaw<{ states: string[] }[]>`
    SELECT enum_range(NULL::run_state)::text[] AS states`;
  expect(rows[0]?.states).toEqual([...RUN_STATES]);
  await closeDatabase(openDatabase(postgres.url));
});
