import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RUN_STATES } from '../../../src/contracts/runState.ts';
import { closeDatabase, openDatabase } from '../../../src/platform/database.ts';
import { openRunQueue } from '../../../src/queue/runQueue.ts';
import { authenticateToken } from '../../../src/services/authenticateToken.ts';
import { cancelRuns } from '../../../src/services/cancelRuns.ts';
import { createProject } from '../../../src/services/createProject.ts';
import { deleteRuns, restoreRuns } from '../../../src/services/deleteRuns.ts';
import { endAttempt } from '../../../src/services/endAttempt.ts';
import { enqueueRuns } from '../../../src/services/enqueueRuns.ts';
import { exportRuns } from '../../../src/services/exportRuns.ts';
import { createExternalRun, finishExternalRun } from '../../../src/services/externalRuns.ts';
import { requireRun } from '../../../src/services/findRun.ts';
import { issueToken, listTokens, revokeToken } from '../../../src/services/issueToken.ts';
import { listProjects } from '../../../src/services/listProjects.ts';
import { listRuns } from '../../../src/services/listRuns.ts';
import { logExternalLines, logExternalMetrics, registerArtifact } from '../../../src/services/logExternal.ts';
import { metricHistory } from '../../../src/services/metricHistory.ts';
import { nextRuns, queueOverview } from '../../../src/services/queueOverview.ts';
import { readLogs } from '../../../src/services/readLogs.ts';
import { retryRuns } from '../../../src/services/retryRuns.ts';
import { runColumns } from '../../../src/services/runColumns.ts';
import { updateRun } from '../../../src/services/updateRun.ts';
import { listRunEvents } from '../../../src/store/runEvent.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aRun, aWorker, claim, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);
const basic = { kind: 'popularity', dataset: 'generated/markov-small' };
const SHA = 'b'.repeat(64);

async function aFailedRun() {
  const run = await aRun(context);
  await claim(context, run, { worker });
  const outcome = { state: 'FAILED', error: { code: 'RUN_FAILED', message: 'no' } } as const;
  await endAttempt(context, { runId: run.id, attempt: 1, workerId: worker.id, outcome });
  return run;
}

describe('enqueueRuns', () => {
  it('queues one run a seed, in their order, all of one configuration, with a job each', async () => {
    const before = await context.queue.counts();
    const seeds = Array.from({ length: 1000 }, (_, index) => 1000 - index);
    const runs = await enqueueRuns(context, { ...basic, seeds, project: 'many', tags: [' a ', 'b', 'a'] });
    expect(runs.map((run) => run.seed)).toEqual(seeds);
    expect(runs.map((run) => run.number)).toEqual(seeds.map((_, index) => runs[0]!.number + index));
    expect(new Set(runs.map((run) => run.configurationHash)).size).toBe(1);
    expect(runs[5]).toMatchObject({ state: 'QUEUED', attempt: 0, tags: ['a', 'b'], priority: 1000 });
    expect((await context.queue.counts()).waiting - before.waiting).toBe(1000);
    await cancelRuns(
      context,
      runs.map((run) => run.id),
    );
    expect((await context.queue.counts()).waiting).toBe(before.waiting);
  });

  it('queues a run that needs a GPU for workers that have one, which the overview tells', async () => {
    const gpu = { kind: 'sasrec', dataset: 'generated/markov-small', parameters: { requires: 'gpu' } };
    const before = await context.queue.counts();
    const [run] = await enqueueRuns(context, gpu);
    expect(run).toMatchObject({ state: 'QUEUED', requiresGpu: true });
    expect((await enqueueRuns(context, basic))[0]).toMatchObject({ requiresGpu: false });
    expect((await context.queue.counts()).waiting).toBe(before.waiting + 2);
    expect(await queueOverview(context)).toMatchObject({ queuedForGpu: 1, gpuWorkers: 0 });
    await aWorker(context, 'worker with a GPU', { gpu: true });
    expect(await queueOverview(context)).toMatchObject({ queuedForGpu: 1, gpuWorkers: 1 });
    await cancelRuns(context, [run!.id]);
    expect((await context.queue.counts()).waiting).toBe(before.waiting + 1);
    expect(await queueOverview(context)).toMatchObject({ queuedForGpu: 0 });
  });

  it('shares configurations between requests that mean the same', async () => {
    const a = await aRun(context);
    const b = await aRun(context, { dataset: { name: 'generated/markov-small', core: 0 }, project: 'other' });
    const c = await aRun(context, { dataset: { name: 'generated/markov-small', core: 3 } });
    expect(b.configurationHash).toBe(a.configurationHash);
    expect(c.configurationHash).not.toBe(a.configurationHash);
  });

  it('refuses what cannot be, says where, and queues nothing', async () => {
    const count = await context.db.run.count();
    const cases: [Parameters<typeof enqueueRuns>[1], RegExp, string][] = [
      [{ ...basic, kind: 'populrity' }, /Did you mean "popularity"/, 'kind'],
      [{ ...basic, kind: 'external' }, /createRun/, 'kind'],
      [{ ...basic, parameters: { nonsense: 1 } }, /parameters\.nonsense: is not known/, 'parameters.nonsense'],
      [{ ...basic, seeds: [] }, /expected 1 to 1000 seeds, received 0/, 'seeds'],
      [{ ...basic, seeds: [1, 2, 1] }, /1 is given twice/, 'seeds'],
      [{ ...basic, seeds: [-1] }, /received -1/, 'seeds'],
      [{ ...basic, priority: 0 }, /received 0, expected a whole number from 1 to 2,097,151/, 'priority'],
      [{ ...basic, project: '  ' }, /1 to 200 characters/, 'project'],
      [{ ...basic, tags: [''] }, /1 to 100 characters/, 'tags'],
      [
        { ...basic, inputs: [{ name: 'x', runId: '999999', artifactName: 'x' }] },
        /there is no run 999999/,
        'inputs[0].runId',
      ],
    ];
    for (const [input, message, path] of cases) {
      const refused = await enqueueRuns(context, input).catch((error: unknown) => error);
      expect(refused).toMatchObject({ message: expect.stringMatching(message), path });
    }
    expect(await context.db.run.count()).toBe(count);
  });

  it('queues also while the queue is away: the job follows', async () => {
    const closed = await openRunQueue({ databaseUrl: postgres.url, redisUrl: null });
    await closed.close();
    const run = await aRun({ ...context, queue: closed });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'QUEUED' });
  });
});

describe('cancelRuns', () => {
  it('ends queued runs at once, asks running ones, and says why it cannot', async () => {
    const queued = await aRun(context);
    const running = await aRun(context);
    await claim(context, running, { worker });
    const failed = await aFailedRun();
    const outcomes = await cancelRuns(context, [String(queued.number), running.id, failed.id, '0', 'x']);
    expect(outcomes).toMatchObject([
      { id: String(queued.number), done: true, run: { state: 'CANCELLED' } },
      { done: true, run: { state: 'RUNNING' } },
      { done: false, message: `run ${failed.number} has ended already (FAILED)`, run: { id: failed.id } },
      { done: false, message: 'there is no run 0', run: null },
      { done: false, message: expect.stringContaining('names no run') },
    ]);
    expect((await requireRun(context, running.id)).cancelRequestedAt).not.toBeNull();
  });

  it('fails runs that wait for a cancelled one', async () => {
    const source = await aRun(context);
    const inputs = [{ name: 'x', runId: source.id, artifactName: 'x.npy' }];
    const waiting = await aRun(context, { inputs });
    const further = await aRun(context, { inputs: [{ name: 'y', runId: waiting.id, artifactName: 'y' }] });
    await cancelRuns(context, [source.id]);
    const expected = {
      state: 'FAILED',
      errorMessage: expect.stringContaining(`run ${source.number}, which was cancelled`),
    };
    expect(await requireRun(context, waiting.id)).toMatchObject(expected);
    expect(await requireRun(context, further.id)).toMatchObject({ state: 'WAITING' });
    await cancelRuns(context, [(await aRun(context)).id]);
    expect(await requireRun(context, further.id)).toMatchObject({ state: 'FAILED' });
  });

  it('bounds how many at once', async () => {
    await expect(cancelRuns(context, [])).rejects.toMatchObject({ code: 'BAD_INPUT', path: 'ids' });
    const many = Array.from({ length: 1001 }, () => randomUUID());
    await expect(cancelRuns(context, many)).rejects.toMatchObject({ code: 'BAD_INPUT', path: 'ids' });
  });
});

describe('retryRuns', () => {
  it('queues failed runs as a new attempt and refuses others', async () => {
    const failed = await aFailedRun();
    const queued = await aRun(context);
    const outcomes = await retryRuns(context, [failed.id, queued.id]);
    expect(outcomes).toMatchObject([
      { done: true, run: { state: 'QUEUED', attempt: 1, errorCode: null, endedAt: null } },
      { done: false, message: expect.stringContaining('only failed and cancelled runs') },
    ]);
    expect(await claim(context, failed, { worker, attempt: 2 })).not.toBeNull();
    const types = (await listRunEvents(context.db, [failed.id])).map((event) => event.type);
    expect(types).toEqual(['queued', 'claimed', 'ended', 'retried', 'claimed']);
  });

  it('leaves a run failed whose input cannot come', async () => {
    const source = await aRun(context);
    const waiting = await aRun(context, { inputs: [{ name: 'x', runId: source.id, artifactName: 'x.npy' }] });
    await cancelRuns(context, [source.id]);
    expect(await retryRuns(context, [waiting.id])).toMatchObject([
      { done: false, message: expect.stringContaining('was cancelled'), run: { state: 'FAILED' } },
    ]);
    await retryRuns(context, [source.id]);
    expect(await retryRuns(context, [waiting.id])).toMatchObject([{ done: true, run: { state: 'WAITING' } }]);
  });
});

describe('the bin', () => {
  it('takes ended and queued runs, refuses running ones, and gives back', async () => {
    const ended = await aFailedRun();
    const queued = await aRun(context);
    const running = await aRun(context);
    await claim(context, running, { worker });
    expect(await deleteRuns(context, [ended.id, queued.id, running.id])).toMatchObject([
      { done: true, run: { state: 'FAILED' } },
      { done: true, run: { state: 'CANCELLED' } },
      { done: false, message: `run ${running.number} is running: cancel it first` },
    ]);
    expect(await deleteRuns(context, [ended.id])).toMatchObject([
      { done: false, message: expect.stringMatching(/already/) },
    ]);
    expect(await retryRuns(context, [ended.id])).toMatchObject([
      { done: false, message: expect.stringMatching(/bin/) },
    ]);
    const filter = `number in (${ended.number}, ${queued.number}, ${running.number})`;
    const numbers = async (inBin: boolean) =>
      (await listRuns(context, { filter, inBin })).edges.map((edge) => edge.node.number);
    expect(await numbers(true)).toEqual([queued.number, ended.number]);
    expect(await numbers(false)).toEqual([running.number]);
    expect(await restoreRuns(context, [ended.id, running.id])).toMatchObject([
      { done: true, run: { deletedAt: null } },
      { done: false, message: expect.stringMatching(/not in the bin/) },
    ]);
    expect(await numbers(true)).toEqual([queued.number]);
  });

  it('fails runs that wait for what is thrown away', async () => {
    const source = await aRun(context);
    const waiting = await aRun(context, { inputs: [{ name: 'x', runId: source.id, artifactName: 'x.npy' }] });
    await deleteRuns(context, [source.id]);
    expect(await requireRun(context, waiting.id)).toMatchObject({
      state: 'FAILED',
      errorMessage: expect.stringContaining('in the bin'),
    });
  });
});

describe('updateRun', () => {
  it('changes what is given and leaves the rest', async () => {
    const run = await aRun(context, { tags: ['a'] });
    const changed = await updateRun(context, { id: String(run.number), notes: 'why\0not', tags: ['x', 'x'] });
    expect(changed).toMatchObject({ name: run.name, notes: 'why\ufffdnot', tags: ['x'] });
    expect((await updateRun(context, { id: run.id, name: ' new ' })).name).toBe('new');
    await expect(updateRun(context, { id: run.id, name: '' })).rejects.toMatchObject({ path: 'name' });
    await expect(updateRun(context, { id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('external runs', () => {
  it('are created, logged and finished by their program', async () => {
    const run = await createExternalRun(context, {
      project: 'mine',
      name: 'notebook',
      parameters: { lr: 0.1, layers: [1, 2] },
      datasetName: 'private',
      seed: 3,
      tags: ['t'],
    });
    expect(run).toMatchObject({ state: 'RUNNING', attempt: 1, seed: 3, workerId: null });
    const series = [{ name: 'train/loss', steps: [0, 1, 1], values: [1, Number.NaN, 5] }];
    expect(await logExternalMetrics(context, { runId: run.id, series })).toBe(2);
    expect(await logExternalMetrics(context, { runId: run.id, series })).toBe(0);
    const lines = [{ text: 'one' }, { text: 'two', level: 'error', time: 5 } as const];
    expect(await logExternalLines(context, { runId: String(run.number), from: 0, lines })).toBe(2);
    expect(await logExternalLines(context, { runId: run.id, from: 1, lines })).toBe(1);
    const artifact = { name: 'a/b.txt', role: 'output', mediaType: 'text/plain', sha256: SHA, sizeBytes: 3 } as const;
    expect(await registerArtifact(context, { runId: run.id, artifact })).toMatchObject({ name: 'a/b.txt', attempt: 1 });
    const [history] = await metricHistory(context, { runIds: [run.id] });
    expect(history).toMatchObject({ steps: [0, 1], values: [1, Number.NaN] });
    expect((await readLogs(context, { runId: run.id })).lines.map((line) => line.text)).toEqual(['one', 'two', 'two']);
    expect(await finishExternalRun(context, { runId: run.id })).toMatchObject({ state: 'SUCCEEDED' });
    expect(await finishExternalRun(context, { runId: run.id })).toMatchObject({ state: 'SUCCEEDED' });
    await expect(logExternalMetrics(context, { runId: run.id, series })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(finishExternalRun(context, { runId: run.id, state: 'FAILED' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('fail and are cancelled, and cannot be retried by Warren', async () => {
    const run = await createExternalRun(context, {});
    const failed = await finishExternalRun(context, { runId: run.id, state: 'FAILED', errorMessage: 'oops' });
    expect(failed).toMatchObject({ state: 'FAILED', errorCode: 'RUN_FAILED', errorMessage: 'oops' });
    expect(await retryRuns(context, [run.id])).toMatchObject([
      { done: false, message: expect.stringMatching(/another/) },
    ]);
    const other = await createExternalRun(context, {});
    expect(await cancelRuns(context, [other.id])).toMatchObject([{ done: true, run: { state: 'CANCELLED' } }]);
  });

  it('refuse what cannot be', async () => {
    const run = await createExternalRun(context, {});
    const log = (series: Parameters<typeof logExternalMetrics>[1]['series']) =>
      logExternalMetrics(context, { runId: run.id, series }).catch((error: unknown) => error);
    expect(await log([{ name: 'm', steps: [1, 2], values: [1] }])).toMatchObject({ path: 'series[0].values' });
    expect(await log([{ name: 'm', steps: [1], values: [1], times: [] }])).toMatchObject({ path: 'series[0].times' });
    expect(await log([{ name: '', steps: [1], values: [1] }])).toMatchObject({ code: 'BAD_INPUT' });
    expect(await log([{ name: 'm', steps: [0.5], values: [1] }])).toMatchObject({ code: 'BAD_INPUT' });
    const queued = await aRun(context);
    await expect(logExternalMetrics(context, { runId: queued.id, series: [] })).rejects.toMatchObject({
      message: expect.stringContaining("Warren's workers"),
    });
    await expect(createExternalRun(context, { parameters: [1] })).rejects.toMatchObject({ path: 'parameters' });
  });
});

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
    expect(await runColumns(context, { project: 'columns' })).toEqual({
      metrics: ['a', 'b'],
      configuration: ['parameters.list', 'parameters.optimizer."odd.key"', 'parameters.optimizer.lr'],
      tags: ['p', 'q'],
    });
    const filter = 'config.parameters.optimizer."odd.key" = 2';
    expect((await listRuns(context, { project: 'columns', filter })).edges).toHaveLength(1);
    await expect(runColumns(context, { project: 'colums' })).rejects.toMatchObject({
      message: expect.stringContaining('Did you mean "columns"'),
    });
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
  it('writes every point as JSON lines and as CSV', async () => {
    const project = 'export, "all"';
    const run = await createExternalRun(context, { project, parameters: { lr: 1 } });
    const steps = Array.from({ length: 20_005 }, (_, step) => step);
    const long = { name: 'long', steps, values: steps.map((step) => step / 7) };
    const odd = { name: 'odd', steps: [0, 2 ** 53], values: [Number.NaN, Number.NEGATIVE_INFINITY], times: [0, 1] };
    await logExternalMetrics(context, { runId: run.id, series: [long, odd] });
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
    });
    const csv = (await written('csv')).trimEnd().split('\n');
    expect(csv).toHaveLength(1 + 20_005 + 2);
    expect(csv.at(-1)).toBe(
      `${run.number},${run.id},"export, ""all""",external,,0,RUNNING,odd,9007199254740992,-Infinity,1970-01-01T00:00:00.001Z`,
    );
    await expect(exportRuns(context, { format: 'csv', filter: 'x' }).next()).rejects.toMatchObject({ path: 'filter' });
  });
});

it('the database orders states as the code does', async () => {
  const rows = await context.db.$queryRaw<{ states: string[] }[]>`
    SELECT enum_range(NULL::run_state)::text[] AS states`;
  expect(rows[0]?.states).toEqual([...RUN_STATES]);
  await closeDatabase(openDatabase(postgres.url));
});
