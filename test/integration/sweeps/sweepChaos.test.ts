import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { requireSweep } from '#src/sweeps/findSweep.ts';
import { readSweep, type SweepView } from '#src/sweeps/sweepView.ts';
import { proposeTrial } from '#src/sweeps/search/proposeTrial.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { historyOf } from '#src/sweeps/search/trialState.ts';
import { sizeFor } from '#test/config/proofs.ts';
import { startVictims, type Victims } from '../runtime/victims.ts';
import { postgresServerForTests } from '../support/postgresServerForTests.ts';

/** `sweepControllers.test.ts` alone shows what it can in less time. */
const TRIALS = sizeFor('chaos', { small: 0, full: 100 });
const VICTIMS = ['worker', 'api', 'worker', 'postgres'];
const EVERY_MS = 5_000;
const PATIENCE_MS = 120_000 + 6_000 * TRIALS;

const COMMON = {
  ...{ kind: 'mf-bpr', dataset: 'generated/markov-small', maxAttempts: 50 },
  metric: { name: 'valid/ndcg@10' },
  parameters: {
    learningRate: { distribution: 'log_uniform_values', min: 0.0001, max: 0.3 },
    ...{ dimension: { values: [4, 8] }, epochs: { value: 9 }, evaluateEvery: { value: 1 } },
  },
};
/** Several at once and stopped early, where what is drawn looks at no result; one after the other, where it does. */
const FILES = [
  { ...COMMON, method: 'random', concurrency: 6, run_cap: TRIALS, early_terminate: { type: 'asha', min_iter: 1 } },
  { ...COMMON, method: 'tpe', concurrency: 1, run_cap: Math.ceil(TRIALS / 5) },
];

describe.runIf(TRIALS > 0)(`sweeps of ${TRIALS} trials on two workers`, async () => {
  const postgres = await postgresServerForTests({ durable: true });
  let db: Database;
  let context: ServiceContext;
  let victims: Victims | undefined;
  beforeAll(async () => {
    db = openDatabase(postgres.url);
    context = { db, queue: await openRunQueue({ databaseUrl: postgres.url, redisUrl: null }) };
    victims = await startVictims(postgres);
  }, 300_000);
  afterAll(async () => {
    await victims?.stop();
    await context.queue.close();
    await closeDatabase(db);
  });

  const look = async (id: string): Promise<SweepView> => await readSweep(db, await requireSweep({ db }, id));

  test(
    'have every trial once, drawn as undisturbed, while one process after the other is killed',
    async () => {
      const started = await Promise.all(FILES.map((file) => createSweep(context, { file })));
      const ids = started.map(({ sweep }) => sweep.id);
      const startMs = performance.now();
      let lastKillMs = startMs;
      let kills = 0;
      for (;;) {
        const views = await Promise.all(ids.map(look)).catch(() => null);
        if (views?.every(({ sweep }) => sweep.state === 'FINISHED') === true) break;
        if (performance.now() - startMs > PATIENCE_MS) throw new Error(`not done after ${kills} kills`);
        if (performance.now() - lastKillMs > EVERY_MS) {
          await victims?.killOne(VICTIMS[kills++ % VICTIMS.length]!);
          lastKillMs = performance.now();
        }
        await delay(200);
      }
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
      for (const [index, id] of ids.entries()) {
        const { definition, trials } = await look(id);
        expect(trials.map(({ number }) => number)).toEqual(Array.from({ length: FILES[index]!.run_cap }, (_, n) => n));
        const space = readSearchSpace(definition.parameters);
        for (const { number, point } of trials) {
          const history = historyOf(trials.slice(0, number), 'maximize');
          const { method, seed } = definition;
          expect(point).toEqual(proposeTrial({ method, space, seed, number, history }));
        }
        expect(await db.run.count({ where: { sweepId: id } })).toBe(trials.length);
        const states = trials.map(({ state }) => state);
        expect(states.filter((state) => state !== 'SUCCEEDED' && state !== 'PRUNED')).toEqual([]);
        const stopped = await db.sweepRung.findMany({ where: { sweepId: id, kept: false } });
        const ofPruned = trials.filter(({ state }) => state === 'PRUNED').map(({ number }) => number);
        expect(stopped.map(({ trial }) => trial)).toEqual(expect.arrayContaining(ofPruned));
        const pruned = ofPruned.length;
        expect(pruned > 0).toBe('early_terminate' in FILES[index]!);
        // one that was to stop may have been faster, but by the attempt that was under way when it was told
        const faster = await db.run.findMany({
          where: { sweepId: id, state: 'SUCCEEDED', sweepTrial: { in: stopped.map(({ trial }) => trial) } },
          include: { attempts: true },
        });
        for (const { pruneRequestedAt, attempts: made } of faster) {
          for (const { startedAt } of made)
            expect(startedAt.getTime()).toBeLessThanOrEqual(pruneRequestedAt!.getTime());
        }
        const attempts = await db.attempt.count({ where: { run: { sweepId: id } } });
        console.log(
          `${definition.method}: ${trials.length} trials, ${pruned} pruned, ${faster.length} faster, ${attempts} attempts`,
        );
      }
      console.log(`${kills} kills in ${seconds} s`);
      expect(kills).toBeGreaterThan(0);
    },
    PATIENCE_MS + 30_000,
  );
});
