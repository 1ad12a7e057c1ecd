import { describe, expect, inject, it } from 'vitest';
import { TIMING } from '#src/base/platform/timing.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { createReconcilerState, type ReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { releaseWorker, whatSilentProgramWaitsFor } from '#src/fleet/releaseWorker.ts';
import { renewLease } from '#src/attempts/renewLease.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { listAttempts } from '#src/runs/store/attemptRecord.ts';
import { lockReconciler } from '#src/queue/store/reconciliation.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aRun, aWorker, claim, expireLease, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);

/** One that has been ticking for long. */
const awake = (): ReconcilerState => ({ lastTickMs: 0, quietUntilMs: 0, hearsPrograms: true });
const tick = (state: ReconcilerState = awake(), nowMs = 1_000) => reconcileRuns(context, state, () => nowMs);

async function aLostRun(input: Parameters<typeof aRun>[1] = {}): Promise<RunRecord> {
  const run = await aRun(context, input);
  await claim(context, run, { worker });
  await expireLease(context, run.id);
  return run;
}

/** Makes a queued run look as if it had been queued for a while. */
async function age(runId: string): Promise<void> {
  const past = new Date(Date.now() - 60_000);
  await context.db.run.update({ where: { id: runId }, data: { createdAt: past, notBefore: null } });
}

describe('the reconciler', () => {
  it('queues the run of a silent worker again, with a pause and a job', async () => {
    const run = await aLostRun();
    const before = await context.queue.counts();
    expect(await tick()).toMatchObject({ ran: true, lost: 1 });
    const queued = await requireRun(context, run.id);
    expect(queued).toMatchObject({ state: 'QUEUED', attempt: 1, workerId: null });
    expect(await listAttempts(context.db, [run.id])).toMatchObject([{ state: 'LOST', errorCode: 'WORKER_LOST' }]);
    expect((await context.queue.counts()).delayed).toBe(before.delayed + 1);
    expect(await renewLease(context, { runId: run.id, attempt: 1, workerId: worker.id })).toBe('lost');
    await cancelRuns(context, [run.id]);
  });

  it('gives no run up while workers cannot reach the database, and some time after', async () => {
    const run = await aLostRun();
    const database = new URL(postgres.url).pathname.slice(1);
    const administrator = await connectPostgres(inject('postgresUrl'), { applicationName: 'test' });
    const letIn = async (allowed: boolean) =>
      await administrator.query(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS ${allowed}`);
    const state = awake();
    await letIn(false);
    try {
      await expect(tick(state)).rejects.toThrow();
    } finally {
      await letIn(true);
      await administrator.end();
    }
    expect(await tick(state, 2_000)).toMatchObject({ ran: true, lost: 0 });
    expect(await tick(state, 2_000 + TIMING.leaseMs)).toMatchObject({ lost: 1 });
    await cancelRuns(context, [run.id]);
  });

  it('gives no run up right after the clock of the database went an hour ahead, or the machine was asleep', async () => {
    const run = await aLostRun();
    const state = { ...awake(), lastClockMs: Date.now() - 3_600_000 };
    expect(await tick(state)).toMatchObject({ ran: true, lost: 0 });
    expect(await tick(state, 900 + TIMING.leaseMs)).toMatchObject({ lost: 0 });
    await expireLease(context, run.id);
    expect(await tick({ ...state, lastTickMs: TIMING.leaseMs }, 1_000 + TIMING.leaseMs)).toMatchObject({ lost: 1 });
    await cancelRuns(context, [run.id]);
  });

  it('has leases end in time after the clock of the database was put back an hour', async () => {
    const run = await aRun(context);
    await claim(context, run, { worker });
    const inAnHour = new Date(Date.now() + 3_600_000);
    await context.db.run.update({ where: { id: run.id }, data: { leaseExpiresAt: inAnHour } });
    await tick({ ...awake(), lastClockMs: inAnHour.getTime() });
    const { leaseExpiresAt } = await requireRun(context, run.id);
    expect(Number(leaseExpiresAt) - Date.now()).toBeLessThanOrEqual(TIMING.leaseMs);
    await endAttempt(context, { runId: run.id, attempt: 1, workerId: worker.id, outcome: { state: 'SUCCEEDED' } });
  });

  it.each([[{ lastTickMs: null }], [{}]])(
    'has queued runs begin in time after the clock of the database was put back an hour (%o)',
    async (seen) => {
      const retried = await aRun(context);
      const queued = await aRun(context);
      const inAnHour = new Date(Date.now() + 3_600_000);
      await context.db.run.update({ where: { id: retried.id }, data: { notBefore: inAnHour } });
      await context.db.run.update({ where: { id: queued.id }, data: { createdAt: inAnHour } });
      await tick({ ...awake(), lastClockMs: inAnHour.getTime(), ...seen });
      expect((await requireRun(context, retried.id)).delayMs).toBeLessThanOrEqual(60_000);
      expect(await requireRun(context, queued.id)).toMatchObject({ delayMs: 0, notBefore: expect.any(Date) });
      await cancelRuns(context, [retried.id, queued.id]);
    },
  );

  it('leaves a program time to end after its lease has run out, unless it is to end anyway or its machine is dead', async () => {
    const lost = await aWorker(context);
    const aProgram = async () => {
      const run = await aRun(context);
      await claim(context, run, { worker: lost });
      const needs = {
        command: true,
        gpus: 0,
        memoryMb: null,
        cores: null,
        labels: [],
        seconds: null,
        releaseSeconds: 30,
      };
      const leaseExpiresAt = new Date(Date.now() - 20_000);
      await context.db.run.update({ where: { id: run.id }, data: { needs, leaseExpiresAt } });
      return run;
    };
    const [waits, asked, late] = [await aProgram(), await aProgram(), await aProgram()];
    await cancelRuns(context, [asked.id]);
    const overdue = new Date(Date.now() - 31_000);
    await context.db.run.update({ where: { id: late.id }, data: { leaseExpiresAt: overdue } });
    expect(await tick()).toMatchObject({ lost: 2 });
    const stateOf = async ({ id }: RunRecord) => (await requireRun(context, id)).state;
    expect([await stateOf(waits), await stateOf(asked), await stateOf(late)]).toEqual([
      'RUNNING',
      'CANCELLED',
      'QUEUED',
    ]);
    expect(whatSilentProgramWaitsFor(await requireRun(context, waits.id))).toContain('the other worker to let go');
    await expect(releaseWorker(context, lost.id)).rejects.toThrow('is alive');
    await context.db.worker.update({ where: { id: lost.id }, data: { lastSeenAt: overdue } });
    expect((await releaseWorker(context, lost.id)).released).toMatchObject([{ id: waits.id }]);
    expect(await stateOf(waits)).toBe('QUEUED');
    await cancelRuns(context, [waits.id, late.id]);
  });

  it('leaves leases that still hold', async () => {
    const run = await aRun(context);
    await claim(context, run, { worker });
    expect(await tick()).toMatchObject({ lost: 0 });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'RUNNING' });
    // Else its lease would run out in one of the tests below, which count what is lost.
    await endAttempt(context, { runId: run.id, attempt: 1, workerId: worker.id, outcome: { state: 'SUCCEEDED' } });
  });

  it('fails a run whose attempts are used up', async () => {
    const run = await aLostRun({ maxAttempts: 1 });
    await tick();
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'FAILED', errorCode: 'WORKER_LOST' });
  });

  it('cancels a lost run that was asked to stop', async () => {
    const run = await aRun(context);
    await claim(context, run, { worker });
    await cancelRuns(context, [run.id]);
    await expireLease(context, run.id);
    await tick();
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'CANCELLED', errorCode: null });
  });

  it('adds the jobs that the queue has lost', async () => {
    const run = await aRun(context);
    await context.queue.remove({ runId: run.id, attempt: 1 });
    const before = (await context.queue.counts()).waiting;
    const whileTestGoesOn = new Date(Date.now() + 60_000);
    await context.db.run.update({ where: { id: run.id }, data: { createdAt: whileTestGoesOn } });
    expect(await tick()).toMatchObject({ ran: true });
    expect((await context.queue.counts()).waiting, 'a new run is left alone').toBe(before);
    await age(run.id);
    await tick();
    expect((await context.queue.counts()).waiting).toBe(before + 1);
    await tick();
    expect((await context.queue.counts()).waiting).toBe(before + 1);
  });

  it('expires nothing while it has just started, or just came back', async () => {
    const run = await aLostRun();
    const state = createReconcilerState();
    expect(await tick(state, 0)).toMatchObject({ ran: true, lost: 0 });
    expect(await tick(state, TIMING.leaseMs - 1)).toMatchObject({ lost: 0 });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'RUNNING' });
    expect(await tick(state, TIMING.leaseMs)).toMatchObject({ lost: 1 });
    const second = await aLostRun();
    const awayMs = TIMING.leaseMs + 3 * TIMING.leaseMs;
    expect(await tick(state, awayMs)).toMatchObject({ lost: 0 });
    for (let now = awayMs + TIMING.reconcileMs; now < awayMs + TIMING.leaseMs; now += TIMING.reconcileMs) {
      expect(await tick(state, now)).toMatchObject({ lost: 0 });
    }
    expect(await tick(state, awayMs + TIMING.leaseMs)).toMatchObject({ lost: 1 });
    expect(await requireRun(context, second.id)).toMatchObject({ state: 'QUEUED' });
  });

  it('expires nothing right after the database was away', async () => {
    const run = await aLostRun();
    const state = awake();
    const nowhere: ServiceContext = { ...context, db: openDatabase('postgresql://nobody@127.0.0.1:1/nothing') };
    await expect(reconcileRuns(nowhere, state, () => 1_000)).rejects.toThrow();
    await closeDatabase(nowhere.db);
    expect(await tick(state, 2_000)).toMatchObject({ ran: true, lost: 0 });
    expect(await tick(state, 2_000 + TIMING.leaseMs)).toMatchObject({ lost: 1 });
    await cancelRuns(context, [run.id]);
  });

  it('is one at a time', async () => {
    await inTransaction(context.db, async (connection) => {
      expect(await lockReconciler(connection)).toMatchObject({ locked: true });
      expect(await tick()).toMatchObject({ ran: false });
    });
    expect(await tick()).toMatchObject({ ran: true });
  });

  it('loses no run to two of them', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => aLostRun()));
    const summaries = await Promise.all([tick(), tick(), tick()]);
    if (summaries.every((summary) => summary.lost < 20)) await tick();
    for (const run of runs) {
      expect(await requireRun(context, run.id)).toMatchObject({ state: 'QUEUED', attempt: 1 });
      expect(await listAttempts(context.db, [run.id])).toHaveLength(1);
    }
  });
});
