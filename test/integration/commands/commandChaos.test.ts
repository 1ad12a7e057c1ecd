import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { findRunsById } from '#src/runs/store/runRecord.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { processesOf } from '#workers/runtime/commands/strayProcesses.ts';
import { attemptsOf, pointsOf } from '../runtime/runFacts.ts';
import type { TestProgram } from '../runtime/testWorkers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { sizeFor } from '#test/config/proofs.ts';
import { commandsForTests } from './commandsForTests.ts';

/** `commands.test.ts` alone kills a worker, in less time. */
const COMMANDS = sizeFor('chaos', { small: 0, full: 40 });
const VARIABLES = { WARREN_GPUS: '0,1,2,3,4,5', WARREN_SLOTS: '2', WARREN_LOG: 'warn' };
const STEPS = 4;
const PATIENCE_MS = 120_000 + 5_000 * COMMANDS;
const KILL_EVERY_MS = 1_500;
const KINDS = ['worker', 'watcher', 'program', 'worker and watchers'] as const;

/** Takes its GPUs' locks, which the system frees when nothing of it runs any more, and counts from its checkpoint on. */
const script = (locks: string) => `for gpu in $(echo $CUDA_VISIBLE_DEVICES | tr , ' '); do
  fd=$((4 + gpu)); eval "exec $fd>>${locks}/gpu-$gpu"
  flock -n $fd || { echo "gpu $gpu twice"; : > ${locks}/twice-$gpu-$WARREN_RUN_ID-$WARREN_ATTEMPT; }
done
cd $WARREN_CHECKPOINT_DIR; step=$(cat step 2>/dev/null || echo 0); echo "from $step"
while [ $step -lt ${STEPS} ]; do
  sleep 0.9; step=$((step + 1))
  echo "warren: {\\"loss\\": $step, \\"step\\": $step}"; echo $step > step.new; mv step.new step
done`;

/** Processes of this machine whose parent is one of these. */
function childrenOf(parents: ReadonlySet<number>): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\)\s/s, '')
        .split(' ');
      const isWatcher = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('command.js');
      return isWatcher && parents.has(Number(fields[1])) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has just ended
  }
}

describe.runIf(COMMANDS > 0)(`${COMMANDS} commands on two workers`, async () => {
  const { db, context, startWorker, queueOne, linesOf } = await commandsForTests();
  const locks = join(temporaryFolder(), 'locks');
  mkdirSync(locks, { recursive: true });
  const random = randomGenerator(16, 'chaos');
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random.nextFloat() * items.length)];

  test(
    'each ends right and goes on from its checkpoint, and no GPU is given twice, while processes are killed',
    async () => {
      const workers: TestProgram[] = await Promise.all([startWorker(VARIABLES), startWorker(VARIABLES)]);
      const ids: string[] = [];
      for (let index = 0; index < COMMANDS; index++) {
        const needs = { gpus: index % 4 === 3 ? 2 : index % 5 === 0 ? 0 : 1, maxAttempts: 100 };
        const { id } = await queueOne({ command: ['sh', '-c', script(locks)], seeds: [index], ...needs });
        ids.push(id);
      }
      const startMs = performance.now();
      let lastKillMs = startMs;
      const kills: Record<string, number> = {};
      let retried = 0;
      for (;;) {
        const runs = await findRunsById(db, ids);
        const failed = runs.filter(({ state }) => state === 'FAILED');
        for (const { errorMessage } of failed) expect(errorMessage).toContain('signal SIGKILL');
        if (failed.length > 0)
          await retryRuns(
            context,
            failed.map(({ id }) => id),
          );
        retried += failed.length;
        if (runs.every(({ state }) => state === 'SUCCEEDED')) break;
        if (performance.now() - startMs > PATIENCE_MS) {
          const states = runs.map(({ state, attempt }) => `${state}/${attempt}`);
          throw new Error(`not done: ${states.join(' ')}`);
        }
        if (performance.now() - lastKillMs > KILL_EVERY_MS) {
          lastKillMs = performance.now();
          const kind = pick(KINDS)!;
          kills[kind] = (kills[kind] ?? 0) + 1;
          const place = random.nextFloat() < 0.5 ? 0 : 1;
          const worker = workers[place]!;
          const watchers = childrenOf(new Set([worker.pid]));
          const running = runs.filter(({ state }) => state === 'RUNNING');
          if (kind === 'watcher') kill(pick(watchers) ?? 0x7fffffff);
          if (kind === 'program') {
            const run = pick(running);
            if (run !== undefined) {
              const all = childrenOf(new Set(workers.map(({ pid }) => pid)));
              const marked = await processesOf({ runId: run.id, attempt: run.attempt });
              kill(marked.find((pid) => !all.includes(pid)) ?? 0x7fffffff);
            }
          }
          if (kind.startsWith('worker')) {
            const dead = worker.kill();
            if (kind === 'worker and watchers') for (const pid of watchers) kill(pid);
            await dead;
            workers[place] = await startWorker(VARIABLES);
          }
        }
        await delay(150);
      }
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
      let attemptsMade = 0;
      let resumed = 0;
      for (const id of ids) {
        const points = Array.from({ length: STEPS }, (_, index) => ({ step: index + 1, value: index + 1 }));
        expect(await pointsOf(db, id, 'loss')).toEqual(points);
        const begins = (await linesOf({ id })).flatMap((line) =>
          (/^from (\d+)$/.exec(line) ?? []).slice(1).map(Number),
        );
        expect(begins).toEqual([...begins].sort((a, b) => a - b));
        const attempts = await attemptsOf(db, id);
        // where a checkpoint was kept for the last attempt, that went on from it
        const isKept = (attempts.at(-1)?.resumedFromStep ?? 0) > 0;
        expect([id, begins.length > 0 && begins.at(-1)! > 0]).toEqual([id, isKept]);
        attemptsMade += attempts.length;
        resumed += begins.filter((from) => from > 0).length;
        for (const { number } of attempts) expect(await processesOf({ runId: id, attempt: number })).toEqual([]);
      }
      expect(readdirSync(locks).filter((name) => name.startsWith('twice'))).toEqual([]);
      console.log(
        `${COMMANDS} commands in ${seconds} s: ${JSON.stringify(kills)} killed, ${attemptsMade} attempts, ${resumed} from a checkpoint, ${retried} retried by hand`,
      );
      expect(resumed).toBeGreaterThan(0);
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    PATIENCE_MS + 60_000,
  );
});
