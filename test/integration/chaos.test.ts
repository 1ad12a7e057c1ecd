import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { sizeFor } from '../config/proofs.ts';
import { type ChaosFacts, pointsByRun, pointText, readChaosFacts } from './runtime/chaosFacts.ts';
import { startExecutor } from './runtime/localExecutor.ts';
import { startVictims, type Victims } from './runtime/victims.ts';
import { postgresServerForTests } from './support/postgresServerForTests.ts';
import { redisForTests } from './support/redisForTests.ts';

/** How many short runs, half as many with the queue in Redis. */
const RUNS = sizeFor('chaos', { small: 9, full: 800 });
/** What is killed in turn. */
const VICTIMS = ['worker', 'postgres', 'api', 'worker'];
const EVERY_MS = 2_000;
/** Each once, or more of many runs; then the rest runs in peace. */
const MOST_KILLS = Math.max(VICTIMS.length, Math.floor(RUNS / 8));
const PATIENCE_MS = 120_000 + 1_000 * RUNS;

const SEEDS = sizeFor('chaos', { small: [1], full: [1, 2] });
const DATASET = 'generated/markov-small';
const KINDS = [
  { kind: 'popularity', parameters: {} },
  { kind: 'markov', parameters: {} },
  { kind: 'mf-bpr', parameters: { dimension: 32, epochs: 60, evaluateEvery: 10, checkpointEvery: 10 } },
];

/** What a run of the kind and seed reports when nobody disturbs it, sorted. */
async function undisturbed(kind: string, parameters: Record<string, unknown>, seed: number): Promise<string[]> {
  const configuration = resolveConfiguration({ kind, parameters, dataset: DATASET, preset: null });
  const task = { seed, parameters: configuration.parameters, dataset: configuration.dataset };
  const { result } = await startExecutor({ file: builtFile('executor.js'), kind, task });
  const { reports, end } = await result;
  expect(end).toEqual({ type: 'finished', outcome: 'succeeded' });
  return reports
    .flatMap((report) => (report.type === 'metric' && !report.name.startsWith('system/') ? [pointText(report)] : []))
    .sort();
}

const expected = new Map<string, string[]>();
beforeAll(async () => {
  for (const { kind, parameters } of KINDS) {
    for (const seed of SEEDS) expected.set(`${kind} ${seed}`, await undisturbed(kind, parameters, seed));
  }
}, PATIENCE_MS);

const redis = await redisForTests();

describe.each([
  { backend: 'postgres', redisUrl: null, runCount: RUNS },
  ...(redis === null ? [] : [{ backend: 'redis', redisUrl: redis.url, runCount: Math.ceil(RUNS / 2) }]),
])('$runCount short runs, queue in $backend', async ({ redisUrl, runCount }) => {
  const postgres = await postgresServerForTests({ durable: true });
  let db: Database;
  let context: ServiceContext;
  let victims: Victims;

  beforeAll(async () => {
    db = openDatabase(postgres.url);
    context = { db, queue: await openRunQueue({ databaseUrl: postgres.url, redisUrl }) };
    victims = await startVictims(postgres, { redisUrl });
  });
  afterAll(async () => {
    await victims.stop();
    await context.queue.close();
    await closeDatabase(db);
  });

  const readFacts = async (): Promise<ChaosFacts | null> => await readChaosFacts(db).catch(() => null);

  test(
    'all end right, with every point once, while one process after the other is killed',
    async () => {
      const wanted = new Map<string, string[]>();
      for (let round = 0; wanted.size < runCount; round++) {
        const { kind, parameters } = KINDS[round % KINDS.length]!;
        const seeds = SEEDS.slice(0, runCount - wanted.size);
        const runs = await enqueueRuns(context, { kind, parameters, dataset: DATASET, seeds, maxAttempts: 20 });
        for (const run of runs) wanted.set(run.id, expected.get(`${kind} ${run.seed}`)!);
      }
      const startedMs = performance.now();
      let kills = 0;
      let lastKillMs = performance.now();
      let facts = await readFacts();
      for (;;) {
        facts = await readFacts();
        if (facts !== null && (facts.states.SUCCEEDED ?? 0) === runCount) break;
        if (performance.now() - startedMs > PATIENCE_MS) throw new Error(`not done: ${JSON.stringify(facts)}`);
        const hasQueued = facts === null || (facts.states.QUEUED ?? 0) > 0;
        if (
          performance.now() - lastKillMs > EVERY_MS &&
          (kills < VICTIMS.length || (hasQueued && kills < MOST_KILLS))
        ) {
          await victims.killOne(VICTIMS[kills++ % VICTIMS.length]!);
          lastKillMs = performance.now();
        }
        await delay(200); // asking takes time of those that compute
      }
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      console.log(`${runCount} runs, ${kills} kills (${VICTIMS}), ${facts.attempts} attempts, ${seconds} s`);
      expect(facts.states).toEqual({ SUCCEEDED: runCount });
      expect(facts.wrongs).toEqual([]);
      expect(facts.attempts).toBeGreaterThanOrEqual(runCount);
      const found = await pointsByRun(db);
      expect(found.size).toBe(runCount);
      for (const [id, points] of wanted) expect(found.get(id)).toEqual(points);
    },
    PATIENCE_MS + 30_000,
  );
});
