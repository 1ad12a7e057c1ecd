import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isFinal } from '#src/base/contracts/runState.ts';
import { decideComparison } from '#src/decisions/decideComparison.ts';
import { looksOf } from '#src/decisions/decisionPlan.ts';
import { driveDecision } from '#src/decisions/driveDecision.ts';
import { requireDecision } from '#src/decisions/findDecision.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { listPairs } from '#src/decisions/store/decisionPair.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { driveSweep } from '#src/sweeps/driveSweep.ts';
import { requireSweep } from '#src/sweeps/findSweep.ts';
import { readSweep } from '#src/sweeps/sweepView.ts';
import { closeAttempt } from '#src/runs/store/attemptRecord.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { endRun } from '#src/runs/store/moveRun.ts';
import { listRunsOfTrials } from '#src/sweeps/store/sweepTrial.ts';
import { startProgram } from '../runtime/testWorkers.ts';
import { aWorker, claim, point, servicesForTests } from '../services/support.ts';
import { buildProgram } from '../support/buildProgram.ts';
import { postgresForTests } from '../support/postgresForTests.ts';

/** WARREN_SWEEP_TRIALS: how many trials each sweep draws; default 14. */
const TRIALS = Number(process.env.WARREN_SWEEP_TRIALS ?? 14);
const KILLS = 2;

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);
const program = await buildProgram('sweepController.ts');
const startController = () => startProgram(program, { DATABASE_URL: postgres.url });

/** Several at once, where what is drawn looks at no result; one after the other, where it does. */
const FILES = [
  { method: 'random', concurrency: 6, seeds: 2 },
  { method: 'tpe', concurrency: 1 },
].map((file) => ({
  ...{ kind: 'item-knn', dataset: 'generated/markov-small', metric: { name: 'valid/ndcg@10' }, run_cap: TRIALS },
  parameters: { shrinkage: { distribution: 'uniform', min: 0, max: 100 }, neighbours: { min: 10, max: 200 } },
  ...file,
}));

const look = async (id: string) => await readSweep(context.db, await requireSweep(context, id));

async function runsOf(id: string) {
  const { trials } = await look(id);
  return await listRunsOfTrials(
    context.db,
    id,
    trials.map(({ number }) => number),
  );
}

/** Ends the queued runs of a sweep as a worker does, but tells no controller. Returns how many there were. */
async function execute(id: string): Promise<number> {
  const queued = (await runsOf(id)).filter(({ state }) => state === 'QUEUED');
  for (const run of queued) {
    const [configuration] = await findConfigurations(context.db, [run.configurationHash]);
    const value = -((Number(configuration?.parameters.shrinkage) - 30) ** 2);
    await finish(run, 'valid/ndcg@10', value);
  }
  return queued.length;
}

/** Where nothing was queued, asking again at once would take time of the controllers that are to draw. */
async function letThemDraw(executed: readonly number[]): Promise<void> {
  if (executed.every((count) => count === 0)) await delay(20);
}

/** Ends a queued run well with one value; tells no controller. */
async function finish(run: RunRecord, metric: string, value: number): Promise<void> {
  if ((await claim(context, run, { worker })) === null) return;
  const holder = { runId: run.id, attempt: 1, workerId: worker.id };
  await recordReports(context, { ...holder, reports: [point(metric, 0, value)] });
  await inTransaction(context.db, async (connection) => {
    await closeAttempt(connection, { runId: run.id, number: 1 }, { state: 'SUCCEEDED' });
    await endRun(connection, run.id, 'SUCCEEDED', null);
  });
}

const start = async () => {
  const sweeps = await Promise.all(FILES.map((file) => createSweep(context, { file })));
  return sweeps.map(({ sweep }) => sweep.id);
};

test('two controllers at once, of which one after the other is killed, draw the trials that one draws undisturbed', async () => {
  const undisturbed = await start();
  for (const id of undisturbed) {
    while ((await look(id)).sweep.state === 'RUNNING') {
      await execute(id);
      await driveSweep(context, id);
    }
  }

  const disturbed = await start();
  const controllers = await Promise.all([startController(), startController()]);
  let kills = 0;
  for (;;) {
    const views = await Promise.all(disturbed.map(look));
    if (views.every(({ sweep }) => sweep.state === 'FINISHED')) break;
    const executed: number[] = [];
    for (const id of disturbed) executed.push(await execute(id));
    // in the middle of whatever it does, while it has something to draw
    const drawn = views.reduce((sum, { trials }) => sum + trials.length, 0);
    if (kills < KILLS && drawn > (kills + 1) * (TRIALS / 2)) {
      const victim = kills++ % 2;
      await controllers[victim]?.kill();
      controllers[victim] = await startController();
    } else await letThemDraw(executed);
  }
  expect(kills).toBe(KILLS);
  await Promise.all(controllers.map((controller) => controller.kill()));

  for (const [index, id] of disturbed.entries()) {
    const [expected, { trials }] = [await look(undisturbed[index]!), await look(id)];
    expect(trials.map(({ number, point: drawn }) => [number, drawn])).toEqual(
      expected.trials.map(({ number, point: drawn }) => [number, drawn]),
    );
    const runs = await runsOf(id);
    const seeds = FILES[index]?.seeds === 2 ? [1, 2] : [1];
    expect(runs.map(({ sweepTrial, seed }) => [sweepTrial, seed])).toEqual(
      trials.flatMap(({ number }) => seeds.map((seed) => [number, seed])),
    );
    expect(await context.db.run.count({ where: { sweepId: id } })).toBe(runs.length);
  }
}, 120_000);

const COMPARED = 'test/ndcg@10';

/** Ends the runs of a comparison that are queued: those of the first side are about 1 above those of the second, or about as good. */
async function executePairs(id: string, difference: number): Promise<number> {
  let count = 0;
  for (const { runA, runB, seed } of await listPairs(context.db, id, COMPARED)) {
    for (const [paired, value] of [
      [runA, difference + 0.9 * Math.sin(2.4 * seed)],
      [runB, 0],
    ] as const) {
      if (paired?.state !== 'QUEUED') continue;
      await finish(await requireRun(context, paired.id), COMPARED, value);
      count += 1;
    }
  }
  return count;
}

async function startComparisons(shrinkage: number): Promise<{ id: string; difference: number }[]> {
  const queue = async (neighbours: number, more: number) => {
    const parameters = { shrinkage: shrinkage + more, neighbours };
    const [run] = await enqueueRuns(context, { kind: 'item-knn', dataset: 'generated/markov-small', parameters });
    return run!.id;
  };
  const rights = { require: () => {}, codeSize: async () => null, within: null };
  const start = async (difference: number, more: number) => {
    const [a, b] = [await queue(10, more), await queue(20, more)];
    const input = { a, b, metric: COMPARED, atMost: 8, parallel: 2, stopsFutile: false };
    return { id: (await decideComparison(context, input, rights)).id, difference };
  };
  return [await start(1, 0), await start(0, 0.5)];
}

const lookAtComparison = async (id: string) => {
  const decision = await requireDecision(context, id);
  return { decision, looks: looksOf(decision), pairs: await listPairs(context.db, id, COMPARED) };
};

test('two controllers at once, of which one after the other is killed, decide comparisons as one does undisturbed', async () => {
  const undisturbed = await startComparisons(1);
  for (const { id, difference } of undisturbed) {
    while ((await requireDecision(context, id)).endedAt === null) {
      await executePairs(id, difference);
      await driveDecision(context, id);
    }
  }

  const disturbed = await startComparisons(2);
  const controllers = await Promise.all([startController(), startController()]);
  let kills = 0;
  for (;;) {
    const seen = await Promise.all(disturbed.map(({ id }) => lookAtComparison(id)));
    if (seen.every(({ decision }) => decision.endedAt !== null)) break;
    const executed: number[] = [];
    for (const { id, difference } of disturbed) executed.push(await executePairs(id, difference));
    const drawn = seen.reduce((sum, { pairs }) => sum + pairs.length, 0);
    if (kills < KILLS && drawn > (kills + 1) * 3) {
      const victim = kills++ % 2;
      await controllers[victim]?.kill();
      controllers[victim] = await startController();
    } else await letThemDraw(executed);
  }
  expect(kills).toBe(KILLS);
  await Promise.all(controllers.map((controller) => controller.kill()));

  for (const [index, { id }] of disturbed.entries()) {
    const [expected, seen] = [await lookAtComparison(undisturbed[index]!.id), await lookAtComparison(id)];
    expect(seen.decision.state).toBe(expected.decision.state);
    expect(seen.looks).toEqual(expected.looks);
    expect(seen.pairs.map(({ seed }) => seed)).toEqual(seen.pairs.map((_, number) => number + 1));
    const own = seen.pairs.flatMap(({ runA, runB }) => [runA, runB]);
    expect(new Set(own.map((run) => run?.id)).size).toBe(own.length);
    expect(own.filter((run) => run !== null && !isFinal(run.state))).toEqual([]);
  }
}, 120_000);
