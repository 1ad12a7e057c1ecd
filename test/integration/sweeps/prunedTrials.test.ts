import { describe, expect, test } from 'vitest';
import type { RunState } from '#src/base/contracts/runState.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { releaseRun } from '#src/attempts/releaseRun.ts';
import { renewLease } from '#src/attempts/renewLease.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { requireSweep } from '#src/sweeps/findSweep.ts';
import { readSweep } from '#src/sweeps/sweepView.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { listRunsOfTrials } from '#src/sweeps/store/sweepTrial.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aWorker, checkpoint, claim, expireLease, point, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);

const METRIC = 'valid/ndcg@10';

async function start(file: Record<string, unknown> = {}): Promise<string> {
  const { sweep } = await createSweep(context, {
    file: {
      ...{ method: 'random', kind: 'item-knn', dataset: 'generated/markov-small', metric: { name: METRIC } },
      parameters: { shrinkage: { distribution: 'uniform', min: 0, max: 100 } },
      ...{ early_terminate: { type: 'asha', min_iter: 2 }, run_cap: 4, concurrency: 4 },
      ...file,
    },
  });
  return sweep.id;
}

const look = async (id: string) => await readSweep(context.db, await requireSweep(context, id));
const runsOf = async (id: string, trial: number) => await listRunsOfTrials(context.db, id, [trial]);
const holderOf = (run: Pick<RunRecord, 'id'>, attempt = 1) => ({ runId: run.id, attempt, workerId: worker.id });
const renew = async (run: Pick<RunRecord, 'id'>, attempt = 1) => await renewLease(context, holderOf(run, attempt));

async function report(run: Pick<RunRecord, 'id'>, values: readonly number[], { attempt = 1, from = 1 } = {}) {
  const reports = values.map((value, index) => point(METRIC, from + index, value));
  await recordReports(context, { ...holderOf(run, attempt), reports });
}

const end = async (run: Pick<RunRecord, 'id'>, state: 'SUCCEEDED' | 'PRUNED', attempt = 1) =>
  await endAttempt(context, { ...holderOf(run, attempt), outcome: { state } });

const stateOf = async ({ id }: Pick<RunRecord, 'id'>): Promise<RunState | undefined> =>
  (await findRunsById(context.db, [id]))[0]?.state;

/** The runs of trials 0, 1 and 2, held by the worker; the first has reached the rung with 0.5. */
async function threeTrials(file: Record<string, unknown> = {}) {
  const id = await start(file);
  const runs: RunRecord[] = [];
  for (const trial of [0, 1, 2]) runs.push((await runsOf(id, trial))[0]!);
  for (const run of runs) await claim(context, run, { worker });
  const [good, bad, better] = runs as [RunRecord, RunRecord, RunRecord];
  await report(good, [0.1, 0.5]);
  return { id, good, bad, better };
}

describe('early stopping', () => {
  test('asks the worker of a trial that falls behind to stop it, and the run ends as PRUNED with what it has', async () => {
    const { id, good, bad, better } = await threeTrials();
    await report(bad, [0.4]);
    expect([await renew(good), await renew(bad)]).toEqual(['renewed', 'renewed']);
    await report(bad, [0.3], { from: 2 });
    await report(better, [0, 0.6, 0.7]);
    expect([await renew(good), await renew(bad), await renew(better)]).toEqual(['renewed', 'prune', 'renewed']);
    await recordReports(context, { ...holderOf(bad), reports: [checkpoint(2)] });
    await end(bad, 'PRUNED');
    await end(good, 'SUCCEEDED');
    const { trials } = await look(id);
    expect(trials.slice(0, 3)).toMatchObject([
      { state: 'SUCCEEDED', objective: 0.5, rung: { iteration: 2, value: 0.5 }, epochs: 2 },
      { state: 'PRUNED', objective: null, rung: { iteration: 2, value: 0.3 }, epochs: 2 },
      { state: 'RUNNING', rung: { iteration: 2, value: 0.6 }, epochs: 3 },
    ]);
    const events = await context.db.runEvent.findMany({ where: { runId: bad.id }, orderBy: { id: 'asc' } });
    expect(events.map(({ message }) => message)).toContain(
      'To stop early: valid/ndcg@10 0.3000 at iteration 2: place 2 of 2, of which the best 1 go on',
    );
  });

  test('lets a run that was continued go on to its end, from its checkpoint', async () => {
    const { id, bad } = await threeTrials();
    await report(bad, [0.4, 0.3]);
    await recordReports(context, { ...holderOf(bad), reports: [checkpoint(2)] });
    await end(bad, 'PRUNED');
    await retryRuns(context, [bad.id]);
    const claimed = await claim(context, bad, { worker, attempt: 2 });
    expect(claimed).toMatchObject({ checkpoint: { step: 2 }, mayBePruned: false });
    await report(bad, [0.2, 0.1, 0.1, 0.1], { attempt: 2, from: 3 });
    expect(await renew(bad, 2)).toBe('renewed');
    await end(bad, 'SUCCEEDED', 2);
    expect((await look(id)).trials[1]).toMatchObject({ state: 'SUCCEEDED', objective: 0.1, rung: { iteration: 6 } });
  });

  test('holds when the worker is lost or stops before it has obeyed', async () => {
    const { bad, better } = await threeTrials();
    await report(bad, [0, 0]);
    await report(better, [0, 0.1]);
    await releaseRun(context, { ...holderOf(better), reason: 'the worker stops' });
    await expireLease(context, bad.id);
    const reconciler = createReconcilerState();
    let nowMs = 0;
    for (let tick = 0; tick < 5; tick++) await reconcileRuns(context, reconciler, () => (nowMs += TIMING.reconcileMs));
    expect([await stateOf(bad), await stateOf(better)]).toEqual(['PRUNED', 'PRUNED']);
  });

  test('looks at the mean over the seeds that have come to a rung, and stops all of them', async () => {
    const id = await start({ seeds: 2 });
    const [[one, two], [three, four]] = [await runsOf(id, 0), await runsOf(id, 1)];
    for (const run of [one!, two!, three!]) await claim(context, run, { worker });
    await report(one!, [0, 0.5]);
    await report(three!, [0, 0.6]);
    await report(two!, [0, 0.8]);
    expect([await renew(two!), await renew(three!)]).toEqual(['renewed', 'renewed']);
    const [third] = await runsOf(id, 2);
    await claim(context, third!, { worker });
    await report(third!, [0, 0.62]);
    expect(await renew(third!)).toBe('prune');
    expect((await runsOf(id, 2)).map(({ state }) => state)).toEqual(['RUNNING', 'PRUNED']);
    await end(third!, 'PRUNED');
    expect((await look(id)).trials).toMatchObject([
      { rung: { value: 0.65 } },
      { rung: { value: 0.6 } },
      { state: 'PRUNED', rung: { value: 0.62 } },
      { state: 'RUNNING' },
    ]);
    expect(await stateOf(four!)).toBe('QUEUED');
  });
});

test('a budget in epochs counts what was trained, and ends the sweep', async () => {
  const id = await start({ budget: { epochs: 5 }, run_cap: undefined, concurrency: 1, early_terminate: undefined });
  for (let trial = 0; trial < 2; trial++) {
    const [run] = await runsOf(id, trial);
    await claim(context, run!, { worker });
    await report(run!, [0.1, 0.2, 0.3]);
    await end(run!, 'SUCCEEDED');
  }
  expect((await look(id)).sweep).toMatchObject({ state: 'FINISHED', reason: 'its 5 epochs are trained' });
});
