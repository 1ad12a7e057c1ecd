import { describe, expect, test } from 'vitest';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { cancelSweep, extendSweep, pauseSweep, resumeSweep } from '#src/sweeps/changeSweep.ts';
import { confirmSweep } from '#src/sweeps/confirmSweep.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { driveSweep } from '#src/sweeps/driveSweep.ts';
import { requireSweep } from '#src/sweeps/findSweep.ts';
import { readSweep } from '#src/sweeps/sweepView.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { listRunsOfTrials } from '#src/sweeps/store/sweepTrial.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aWorker, claim, point, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context, 'worker', { details: { datasets: ['mine'] } });

const SPACE = { shrinkage: { distribution: 'uniform', min: 0, max: 100 }, neighbours: { min: 10, max: 200 } };
const FILE = {
  method: 'random',
  kind: 'item-knn',
  dataset: 'generated/markov-small',
  metric: { name: 'valid/ndcg@10', goal: 'maximize' },
  parameters: SPACE,
};

const start = async (file: Record<string, unknown>) =>
  (await createSweep(context, { file: { ...FILE, ...file } })).sweep;
const look = async (id: string) => await readSweep(context.db, await requireSweep(context, id));

/** The open runs of a sweep, by trial and seed. */
async function openRuns(id: string) {
  const { trials } = await look(id);
  const runs = await listRunsOfTrials(
    context.db,
    id,
    trials.map(({ number }) => number),
  );
  return runs.filter(({ state }) => state === 'QUEUED');
}

/** Executes the open runs as a worker does: each reports `value` of its parameters and seed, or fails where that is null. */
async function execute(id: string, value: (shrinkage: number, seed: number) => number | null): Promise<number> {
  const runs = await openRuns(id);
  for (const run of runs) {
    const [configuration] = await findConfigurations(context.db, [run.configurationHash]);
    await claim(context, run, { worker, attempt: run.attempt + 1 });
    const holder = { runId: run.id, attempt: run.attempt + 1, workerId: worker.id };
    const reported = value(Number(configuration?.parameters.shrinkage), run.seed);
    if (reported === null) {
      const error = { code: 'RUN_FAILED', message: 'it diverged' } as const;
      await endAttempt(context, { ...holder, outcome: { state: 'FAILED', error } });
    } else {
      await recordReports(context, {
        ...holder,
        reports: [point('valid/ndcg@10', 0, 0), point('valid/ndcg@10', 1, reported)],
      });
      await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
    }
  }
  return runs.length;
}

describe('a sweep', () => {
  test('keeps so many trials under way, draws the next when one ends, and finishes with its budget', async () => {
    const sweep = await start({ concurrency: 2, budget: { trials: 5 }, name: 'knn' });
    const [first] = await openRuns(sweep.id);
    expect(first).toMatchObject({ name: 'knn · trial 0', sweepId: sweep.id, sweepTrial: 0, seed: 1, state: 'QUEUED' });
    expect((await look(sweep.id)).trials.map(({ state }) => state)).toEqual(['RUNNING', 'RUNNING']);
    while ((await execute(sweep.id, (shrinkage) => shrinkage)) > 0);
    const { sweep: ended, trials, best } = await look(sweep.id);
    expect(ended).toMatchObject({ state: 'FINISHED', reason: 'all 5 trials were drawn', endedAt: expect.any(Date) });
    expect(trials.map(({ number, state }) => [number, state])).toEqual([0, 1, 2, 3, 4].map((n) => [n, 'SUCCEEDED']));
    expect(best?.objective).toBe(Math.max(...trials.map(({ point }) => Number(point.shrinkage))));
  });

  test('has the mean over its seeds as the objective of a trial', async () => {
    const sweep = await start({ seeds: 3, run_cap: 1 });
    expect(await execute(sweep.id, (_, seed) => seed * 10)).toBe(3);
    expect((await look(sweep.id)).best).toMatchObject({ number: 0, objective: 20 });
  });

  test('draws no trial twice and loses none when many controllers drive it at once', async () => {
    const sweep = await start({ concurrency: 100, budget: { trials: 30 }, seeds: [7, 8] });
    await Promise.all(Array.from({ length: 5 }, () => driveSweep(context, sweep.id)));
    const runs = await openRuns(sweep.id);
    expect(runs.map(({ sweepTrial, seed }) => `${sweepTrial}/${seed}`)).toEqual(
      Array.from({ length: 60 }, (_, index) => `${index >> 1}/${7 + (index & 1)}`),
    );
    await cancelSweep(context, sweep.id);
  });

  test('counts a failed trial as failed, and as it ends then when its run is retried', async () => {
    const sweep = await start({ concurrency: 2, budget: { trials: 2 } });
    const [first] = (await look(sweep.id)).trials;
    await execute(sweep.id, (shrinkage) => (shrinkage === first?.point.shrinkage ? null : 0.5));
    const { trials } = await look(sweep.id);
    expect(trials[0]).toMatchObject({ state: 'FAILED', objective: null });
    const [failed] = await listRunsOfTrials(context.db, sweep.id, [0]);
    await retryRuns(context, [failed!.id]);
    await execute(sweep.id, () => 0.9);
    expect((await look(sweep.id)).best).toMatchObject({ number: 0, objective: 0.9 });
  });

  test('draws the same trials for the same seed', async () => {
    const [a, b] = [await start({ run_cap: 4 }), await start({ run_cap: 4 })];
    const points = (await look(a.id)).trials.map((trial) => trial.point);
    expect((await look(b.id)).trials.map((trial) => trial.point)).toEqual(points);
    for (const { id } of [a, b]) await cancelSweep(context, id);
  });

  test('leaves out trials whose runs were cancelled by hand, and fails those without the metric', async () => {
    const sweep = await start({ concurrency: 2, budget: { trials: 2 }, metric: { name: 'time/other' } });
    const [first] = await openRuns(sweep.id);
    await cancelRuns(context, [first!.id]);
    await execute(sweep.id, () => 1);
    const { trials } = await look(sweep.id);
    const error = 'it reported no time/other. There are valid/ndcg@10.';
    expect(trials).toMatchObject([{ state: 'CANCELLED' }, { state: 'FAILED', error }]);
  });

  test('ends when nothing better comes, or the target is reached', async () => {
    const patient = await start({ concurrency: 1, budget: { untilNothingBetterIn: 3 } });
    const target = await start({ concurrency: 1, metric: { name: 'valid/ndcg@10', goal: 'minimize', target: 1 } });
    let [drawn, last] = [0, 5];
    while ((await execute(patient.id, () => (drawn++ === 1 ? 9 : 1))) > 0);
    expect((await look(patient.id)).sweep).toMatchObject({
      state: 'FINISHED',
      reason: 'nothing better than trial 1 in 3 trials',
    });
    while ((await execute(target.id, () => last--)) > 0);
    expect((await look(target.id)).sweep).toMatchObject({ reason: 'trial 4 reached the target 1' });
  });

  test('ends when its hours are over, and goes on when it gets more', async () => {
    const sweep = await start({ concurrency: 1, budget: { hours: 2 } });
    await context.db.sweep.update({ where: { id: sweep.id }, data: { createdAt: new Date(Date.now() - 8_000_000) } });
    await execute(sweep.id, () => 1);
    expect((await look(sweep.id)).sweep).toMatchObject({ state: 'FINISHED', reason: 'its 2 hours are over' });
    expect(await extendSweep(context, { id: sweep.id, hours: 1 })).toMatchObject({ state: 'RUNNING' });
    expect(await openRuns(sweep.id)).toHaveLength(1);
    await cancelSweep(context, sweep.id);
  });

  test('pauses when its first trials all fail, and says why', async () => {
    const sweep = await start({ concurrency: 5, budget: { trials: 40 } });
    while ((await execute(sweep.id, () => null)) > 0);
    const { sweep: paused, trials } = await look(sweep.id);
    expect(paused).toMatchObject({ state: 'PAUSED', endedAt: null });
    expect(paused.reason).toMatch(/^1\d trials failed, and none succeeded/);
    expect(trials.length).toBeLessThan(16);
    await resumeSweep(context, sweep.id);
    expect(await execute(sweep.id, () => 1)).toBe(5);
    await cancelSweep(context, sweep.id);
  });
});

describe('a person', () => {
  test('pauses a sweep, resumes it, and extends it when it has finished', async () => {
    const sweep = await start({ concurrency: 1, budget: { trials: 2 } });
    expect(await pauseSweep(context, `#${sweep.number}`)).toMatchObject({ state: 'PAUSED' });
    await execute(sweep.id, () => 1);
    expect(await openRuns(sweep.id)).toEqual([]);
    expect(await resumeSweep(context, sweep.id)).toMatchObject({ state: 'RUNNING', reason: '' });
    await execute(sweep.id, () => 1);
    expect(await requireSweep(context, sweep.id)).toMatchObject({ state: 'FINISHED' });
    await expect(resumeSweep(context, sweep.id)).rejects.toThrow(/extend a finished one to draw more trials/);
    await expect(extendSweep(context, { id: sweep.id })).rejects.toThrow(/nothing to extend it by: .*trials, hours/);
    const parameters = { shrinkage: { distribution: 'uniform', min: 500, max: 900 } };
    await extendSweep(context, { id: sweep.id, trials: 2, concurrency: 2, parameters });
    const { trials } = await look(sweep.id);
    expect(trials).toHaveLength(4);
    expect(trials.slice(2).every(({ point }) => Number(point.shrinkage) >= 500)).toBe(true);
    expect(await cancelSweep(context, sweep.id)).toMatchObject({ state: 'CANCELLED', endedAt: expect.any(Date) });
    await expect(extendSweep(context, { id: sweep.id, trials: 1 })).rejects.toThrow(/was cancelled/);
  });

  test('cancels a sweep with its runs, also one that a worker holds', async () => {
    const sweep = await start({ concurrency: 2 });
    const [held] = await openRuns(sweep.id);
    await claim(context, held!, { worker });
    expect(await cancelSweep(context, sweep.id)).toMatchObject({ state: 'CANCELLED', endedAt: null });
    await endAttempt(context, { runId: held!.id, attempt: 1, workerId: worker.id, outcome: { state: 'CANCELLED' } });
    expect(await requireSweep(context, sweep.id)).toMatchObject({ endedAt: expect.any(Date) });
    expect((await look(sweep.id)).trials.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  test('confirms the best trial with seeds that the sweep has not used', async () => {
    const sweep = await start({ concurrency: 3, budget: { trials: 3 }, seeds: [4] });
    await expect(confirmSweep(context, { id: sweep.id })).rejects.toThrow(/no trial with an objective yet/);
    await execute(sweep.id, (shrinkage) => -shrinkage);
    const { best } = await look(sweep.id);
    const [trial] = await listRunsOfTrials(context.db, sweep.id, [best!.number]);
    const runs = await confirmSweep(context, { id: sweep.id, seeds: 2 });
    expect(runs).toMatchObject([5, 6].map((seed) => ({ seed, tags: ['confirm'], sweepTrial: null })));
    expect(runs.every((run) => run.configurationHash === trial?.configurationHash)).toBe(true);
    expect((await confirmSweep(context, { id: sweep.id, seeds: 1 }))[0]).toMatchObject({ seed: 7 });
    expect((await look(sweep.id)).trials).toHaveLength(3);
  });
});

describe('a sweep file', () => {
  const refuse = (file: Record<string, unknown>) => expect(start(file)).rejects;

  test('is refused in words, and then there is no sweep', async () => {
    const before = await context.db.sweep.count();
    await refuse({ metric: { name: 'test/ndcg@10' } }).toThrow(/chosen on the test data.*allowTestObjective: true/);
    await refuse({ kind: 'item-kn' }).toThrow(/item-knn/);
    await refuse({ parameters: { neighbors: { value: 1 } } }).toThrow(/neighbors.*neighbours/);
    await refuse({ metric: { name: 'valid/ndgc@10' } }).toThrow(/metric.name: .*Did you mean "valid\/ndcg@10"/);
    await refuse({ early_terminate: { type: 'asha', min_iter: 1, metric: 'valid/ndcg' } }).toThrow(
      /early_terminate.metric: .*valid\/ndcg@/,
    );
    await refuse({ method: 'tpe', metric: undefined }).toThrow(/metric: method tpe needs one/);
    await refuse({ method: 'grid' }).toThrow(/shrinkage: a grid needs finitely many values/);
    await refuse({ method: 'anneal' }).toThrow(/method: received "anneal", expected one of/);
    await refuse({ runcap: 5 }).toThrow(/runcap: is not known. Did you mean "run_cap"/);
    expect(await context.db.sweep.count()).toBe(before);
  });

  test('of W&B is taken as it is, with words about what is done otherwise', async () => {
    const { sweep, warnings } = await createSweep(context, {
      file: {
        ...{ program: 'train.py', command: ['python3', 'train.py'], entity: 'me', project: 'wandb', name: 'theirs' },
        ...{ method: 'bayes', metric: { name: 'time/fit', goal: 'minimize' }, run_cap: 3 },
        early_terminate: { type: 'hyperband', min_iter: 3 },
        parameters: { neighbours: { distribution: 'q_log_uniform_values', min: 10, max: 200, q: 10 } },
        ...{ kind: 'item-knn', dataset: { name: 'generated/markov-small' } },
      },
    });
    expect(sweep).toMatchObject({ name: 'theirs', state: 'RUNNING' });
    expect(warnings).toEqual([
      'method bayes: Warren’s Bayesian sampler is tpe, which is used',
      'program and command: left alone, runs of kind item-knn are queued',
    ]);
    expect(sweep.definition).toMatchObject({
      earlyStopping: { rule: 'asha', metric: 'time/fit', goal: 'minimize', eta: 3, strict: false },
    });
    await cancelSweep(context, sweep.id);
  });

  test('over a dataset that nobody is known to have warns', async () => {
    const { sweep, warnings } = await createSweep(context, { file: { ...FILE, dataset: 'ml-100-k', run_cap: 1 } });
    expect(warnings).toEqual([expect.stringMatching(/^dataset "ml-100-k" is neither .*Did you mean "ml-100k"/)]);
    await cancelSweep(context, sweep.id);
  });

  test('may hold points that its kind refuses: these fail, and it warns', async () => {
    const file = { ...FILE, method: 'grid', parameters: { shrinkage: { values: [1, -1, 2, -2] } }, concurrency: 4 };
    const { sweep, warnings } = await createSweep(context, { file });
    expect(warnings).toEqual([expect.stringMatching(/^of 4 points tried, 2 would fail at once.*shrinkage/)]);
    await execute(sweep.id, () => 1);
    expect(await requireSweep(context, sweep.id)).toMatchObject({ reason: 'the grid has no more than 4 points' });
    expect((await look(sweep.id)).trials[1]).toMatchObject({
      state: 'FAILED',
      error: expect.stringContaining('received -1'),
    });
  });

  test('may draw parts of the dataset', async () => {
    const parameters = { 'dataset.maximumUsers': { value: 50 }, neighbours: { value: 10 } };
    const sweep = await start({ parameters, run_cap: 1 });
    const [run] = await openRuns(sweep.id);
    const [configuration] = await findConfigurations(context.db, [run!.configurationHash]);
    expect(configuration?.dataset).toMatchObject({ name: 'generated/markov-small', maximumUsers: 50 });
    await cancelSweep(context, sweep.id);
  });
});

test('the reconciler goes on with a sweep whose controller died, and ends a cancelled one', async () => {
  const sweep = await start({ concurrency: 2 });
  const cancelled = await start({ concurrency: 2 });
  // as if the process had died between the change and what follows it
  await context.db.sweepTrial.deleteMany({ where: { sweepId: sweep.id } });
  await context.db.run.deleteMany({ where: { sweepId: sweep.id } });
  await context.db.sweep.update({ where: { id: cancelled.id }, data: { state: 'CANCELLED' } });
  await reconcileRuns(context, createReconcilerState());
  await reconcileRuns(context, createReconcilerState());
  expect(await openRuns(sweep.id)).toHaveLength(2);
  expect(await requireSweep(context, cancelled.id)).toMatchObject({ endedAt: expect.any(Date) });
  await cancelSweep(context, sweep.id);
});
