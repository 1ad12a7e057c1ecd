import { describe, expect, test } from 'vitest';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { cancelDecision } from '#src/decisions/cancelDecision.ts';
import { decideComparison, type DecideInput } from '#src/decisions/decideComparison.ts';
import { looksOf, pairsSaved, planOf } from '#src/decisions/decisionPlan.ts';
import { driveDecision } from '#src/decisions/driveDecision.ts';
import { requireDecision } from '#src/decisions/findDecision.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { enqueueCommand } from '#src/programs/enqueueCommand.ts';
import { listPairs } from '#src/decisions/store/decisionPair.ts';
import { upsertDataset } from '#src/datasets/store/datasetRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aWorker, claim, point, servicesForTests } from '../services/support.ts';

const METRIC = 'test/ndcg@10';
const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);
const rights = { require: () => {}, codeSize: async () => null, within: null };

/** Differences of a less b by seed: all near 1, and all near 0. */
const CLEAR = (seed: number) => 1 + 0.1 * Math.sin(seed);
const NONE = (seed: number) => Math.sin(2.4 * seed);

/** Two configurations of a kind with a run of seed 1 each. */
async function twoRuns(shrinkage: number): Promise<[RunRecord, RunRecord]> {
  const queue = async (neighbours: number) => {
    const parameters = { shrinkage, neighbours };
    const [run] = await enqueueRuns(context, { kind: 'item-knn', dataset: 'generated/markov-small', parameters });
    return run!;
  };
  return [await queue(10), await queue(20)];
}

const decide = async (runs: readonly RunRecord[], more: Partial<DecideInput> = {}) =>
  await decideComparison(
    context,
    { a: runs[0]!.id, b: String(runs[1]!.number), metric: METRIC, atMost: 10, ...more },
    rights,
  );
const look = async (id: string) => {
  const decision = await requireDecision(context, id);
  return { decision, looks: looksOf(decision), pairs: await listPairs(context.db, id, METRIC) };
};

/** Ends the open runs of a decision as a worker does: those of a are `difference` above those of b; null fails them. */
async function execute(id: string, difference: (seed: number) => number | null): Promise<number> {
  let executed = 0;
  for (const { runA, runB, seed } of (await look(id)).pairs) {
    for (const [paired, value] of [
      [runA, difference(seed)],
      [runB, 0],
    ] as const) {
      if (paired?.state !== 'QUEUED') continue;
      await finish(await requireRun(context, paired.id), value);
      executed += 1;
    }
  }
  return executed;
}

async function finish(run: RunRecord, value: number | null): Promise<void> {
  // one that is needed no more was cancelled meanwhile
  if ((await claim(context, run, { worker })) === null) return;
  const holder = { runId: run.id, attempt: 1, workerId: worker.id };
  if (value === null) {
    const error = { code: 'RUN_FAILED', message: 'it diverged' } as const;
    return await endAttempt(context, { ...holder, outcome: { state: 'FAILED', error } });
  }
  await recordReports(context, { ...holder, reports: [point(METRIC, 0, value)] });
  await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
}

const untilEnd = async (id: string, difference: (seed: number) => number | null) => {
  while ((await execute(id, difference)) > 0);
  return await look(id);
};

describe('an adaptive comparison', () => {
  test('queues pair after pair until the difference is decided, and no further', async () => {
    const started = await decide(await twoRuns(1));
    const { decision, looks, pairs } = await untilEnd(started.id, CLEAR);
    expect(decision).toMatchObject({ state: 'DECIDED', endedAt: expect.any(Date) });
    expect(looks.at(-1)).toMatchObject({ verdict: 'decided', pairs: pairs.length });
    expect(looks.at(-1)!.p).toBeLessThan(0.05);
    expect(pairs.length).toBeLessThan(planOf(decision).design.fixedPairs);
    expect(pairs.map(({ seed }) => seed)).toEqual(pairs.map((_, index) => index + 1));
    // the runs of seed 1 were there
    expect(pairs.map(({ reusedA }) => reusedA)).toEqual(pairs.map((_, index) => index === 0));
  });

  test('stops where the difference it is made for would hardly be found, unless told to go on', async () => {
    const stopping = await untilEnd((await decide(await twoRuns(2), { atMost: 6 })).id, NONE);
    expect(stopping.decision.state).toBe('FUTILE');
    expect(stopping.pairs.length).toBeLessThan(6);
    const going = await untilEnd((await decide(await twoRuns(3), { stopsFutile: false, atMost: 6 })).id, NONE);
    expect([going.decision.state, going.pairs.length]).toEqual(['UNDECIDED', 6]);
    expect(pairsSaved(stopping.decision)).toBeGreaterThan(0);
    expect(pairsSaved(going.decision)).toBeNull();
  });

  test('that ends because no seed differs tells of nothing saved', async () => {
    const { decision, pairs } = await untilEnd((await decide(await twoRuns(30))).id, () => 0.25);
    expect(decision).toMatchObject({ state: 'UNDECIDED', reason: expect.stringContaining('with every seed') });
    expect(pairs.length).toBeLessThan(planOf(decision).design.fixedPairs);
    expect(pairsSaved(decision)).toBeNull();
  });

  test('takes finished runs of the same configuration and seed, on the content of the data that was met last', async () => {
    const runs = await twoRuns(4);
    await untilEnd((await decide(runs)).id, CLEAR);
    // item-knn on generated data: no run has told a fingerprint, so that none is known to have the same data
    const anew = await decide(runs);
    expect((await look(anew.id)).pairs[0]).toMatchObject({ reusedA: false });
    await cancelDecision(context, anew.id);
    await upsertDataset(context.db, { name: 'generated/markov-small', fingerprint: 'f1', statistics: {} });
    await context.db.run.updateMany({ where: { state: 'SUCCEEDED' }, data: { environment: { fingerprint: 'f1' } } });
    const again = await look((await decide(runs)).id);
    expect(again.decision.state).toBe('DECIDED');
    expect(again.pairs.every(({ reusedA, reusedB }) => reusedA && reusedB)).toBe(true);
  });

  test('comes to the same end when many controllers drive it at once, with several pairs under way', async () => {
    const alone = await untilEnd((await decide(await twoRuns(5))).id, CLEAR);
    const { id } = await decide(await twoRuns(6), { parallel: 3 });
    for (let executed = 1; executed > 0; ) {
      executed = await execute(id, CLEAR);
      await Promise.all(Array.from({ length: 4 }, () => driveDecision(context, id)));
    }
    const together = await look(id);
    expect(together.looks).toEqual(alone.looks);
    expect(together.decision).toMatchObject({ state: 'DECIDED', endedAt: expect.any(Date) });
    const own = together.pairs.flatMap(({ runA, runB }) => [runA, runB]);
    expect(new Set(own.map((run) => run?.id)).size).toBe(own.length);
    expect(own.filter((run) => run?.state === 'QUEUED')).toEqual([]);
  });

  test('leaves out a pair whose run failed, and gives up after three of them', async () => {
    const once = await untilEnd((await decide(await twoRuns(7))).id, (seed) => (seed === 2 ? null : CLEAR(seed)));
    expect(once.decision.state).toBe('DECIDED');
    expect(once.pairs[1]!.problem).toMatch(/^run #\d+ failed$/);
    const all = await untilEnd((await decide(await twoRuns(8))).id, () => null);
    expect(all.decision).toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(/^3 pairs ended badly: run #/),
    });
  });

  test('is cancelled with its own runs, not with those that were there', async () => {
    const runs = await twoRuns(9);
    const { id } = await decide(runs, { parallel: 2 });
    expect(await cancelDecision(context, id)).toMatchObject({ state: 'CANCELLED', endedAt: expect.any(Date) });
    const states = (await look(id)).pairs.map(({ runA }) => runA?.state);
    expect(states).toEqual(['QUEUED', 'CANCELLED']);
  });

  test('leaves runs to another comparison that waits for them, and fails where no pair can be queued any more', async () => {
    const runs = await twoRuns(12);
    const first = await decide(runs, { parallel: 2 });
    const second = await decide(runs, { parallel: 2 });
    await cancelDecision(context, first.id);
    expect((await look(second.id)).pairs.map(({ runA }) => runA?.state)).toEqual(['QUEUED', 'QUEUED']);
    const plan = planOf(second);
    const inputs = [{ name: 'x', runId: '00000000-0000-4000-8000-000000000000', artifactName: 'gone.npy' }];
    const broken = { ...plan, parallel: 3, a: { ...plan.a, inputs } };
    await context.db.decision.update({ where: { id: second.id }, data: { plan: JSON.parse(JSON.stringify(broken)) } });
    await driveDecision(context, second.id);
    expect((await look(second.id)).decision).toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(/^no further pair can be queued: /),
      endedAt: expect.any(Date),
    });
  });

  test('compares commands by their seed, and refuses what cannot be compared', async () => {
    const command = async (rate: string) => {
      const input = { command: ['train', '--rate', '{rate}', '--seed', '{seed}'], parameters: { rate } };
      return (await enqueueCommand(context, input, async () => null))[0]!;
    };
    const { id } = await decide([await command('0.1'), await command('0.2')]);
    expect((await look(id)).pairs).toMatchObject([{ seed: 1, reusedA: true, reusedB: true }]);
    const [a] = await twoRuns(10);
    await expect(decide([a, a])).rejects.toThrow(/the same configuration/);
    await finish(a, 1);
    const [b] = await twoRuns(11);
    await expect(decide([a, b], { metric: 'test/ndgc@10' })).rejects.toThrow(
      /succeeded without test\/ndgc@10; it has test\/ndcg@10/,
    );
  });
});
