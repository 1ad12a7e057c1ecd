import { isDeepStrictEqual } from 'node:util';
import type { ContainerEngine } from '#src/base/contracts/executorMessages.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import { heartbeatWorker, registerWorker, stopWorker } from '#src/fleet/workers.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { type NewWorker, selectWorkers } from '#src/fleet/store/workerRecord.ts';
import { readableDatasets } from '#workers/data/load/readableDatasets.ts';
import type { DatabaseClock } from './databaseClock.ts';
import { shortMessage } from './databaseFailure.ts';
import type { Drain } from './drain.ts';
import { type Periodic, startPeriodic } from './periodic.ts';
import { ownPlace, hasCertainlyEnded, type ProcessPlace } from './processPlace.ts';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { listRunsOfWorkers } from '#src/runs/store/runRecord.ts';
import { removeContainer } from '../commands/containers.ts';
import { endProcessesOf } from '../commands/strayProcesses.ts';
import type { WorkerTrouble } from './workerTrouble.ts';

const placeSchema = z.object({ place: z.string(), pid: z.number(), startTime: z.string() });

/**
 * Looks for workers on this machine whose process has ended without a word, and gives their runs back at once: without
 * this they would wait until their leases run out. What is not certain is left to the leases.
 * @param engine Runs containers on this machine; those of such runs are removed.
 * @returns how many runs were given back.
 */
async function reapDeadWorkers(
  context: ServiceContext,
  own: ProcessPlace,
  engine: ContainerEngine | null,
): Promise<number> {
  const workers = await selectWorkers(context.db, { includeStopped: false });
  let given = 0;
  for (const worker of workers) {
    const process = placeSchema.safeParse(worker.details.process).data;
    if (process === undefined || !hasCertainlyEnded(process, own)) continue;
    for (const run of await listRunsOfWorkers(context.db, [worker.id])) {
      // its GPUs are free only when nothing of it runs any more
      if (run.needs !== null) {
        const mark = { runId: run.id, attempt: run.attempt };
        if (engine !== null) await removeContainer(engine, mark);
        // one that hangs in the system may still hold its GPU: the lease decides
        if (!(await endProcessesOf(mark))) continue;
      }
      const error = { code: 'WORKER_LOST', message: `its worker ${worker.name} was killed` } as const;
      const holder = { runId: run.id, attempt: run.attempt, workerId: worker.id };
      await endAttempt(context, { ...holder, outcome: { state: 'FAILED', error } }).catch((thrown: unknown) => {
        // somebody else was faster
        if (!(thrown instanceof WarrenError && thrown.code === 'LEASE_LOST')) throw thrown;
      });
      given++;
    }
    await stopWorker(context, worker.id);
  }
  return given;
}

/** Says that the worker lives, and looks at the database's clock. */
export async function hearClock(
  context: Pick<ServiceContext, 'db'>,
  worker: NewWorker,
  clock: DatabaseClock,
): ReturnType<typeof heartbeatWorker> {
  const askedMs = Date.now();
  const heard = await heartbeatWorker(context, worker.id);
  if (heard !== null) clock.note(heard.nowMs, askedMs);
  return heard;
}

/** What is done now and then, with one warning for each spell of trouble. */
export function startChores(
  context: ServiceContext,
  {
    worker,
    dataFolders,
    engine,
    log,
    drain,
    trouble,
    clock,
  }: {
    worker: NewWorker;
    dataFolders: readonly string[];
    engine: ContainerEngine | null;
    log: Logger;
    drain: Drain;
    trouble: WorkerTrouble;
    clock: DatabaseClock;
  },
): Periodic[] {
  const reconciler = createReconcilerState();
  const place = ownPlace();
  const chore = (name: string, everyMs: number, action: () => Promise<void>): Periodic => {
    let isFailing = false;
    return startPeriodic({
      everyMs,
      action: async () => {
        await action();
        if (isFailing) log.info(`${name}: works again`);
        isFailing = false;
      },
      onError: (thrown) => {
        if (!isFailing) log.warn(`${name}: ${shortMessage(thrown)}`);
        isFailing = true;
      },
    });
  };
  return [
    chore('heartbeat', TIMING.heartbeatMs, async () => {
      const heard = await hearClock(context, worker, clock);
      if (heard === null) await registerWorker(context, worker);
      else drain.set(heard.draining);
    }),
    chore('datasets', TIMING.datasetsMs, async () => {
      const datasets = await readableDatasets(dataFolders);
      if (isDeepStrictEqual(datasets, worker.details.datasets)) return;
      await registerWorker(context, { ...worker, details: { ...worker.details, datasets } });
      worker.details.datasets = datasets;
    }),
    chore('trouble', TIMING.heartbeatMs, async () => {
      await trouble.look();
    }),
    chore('reconciler', TIMING.reconcileMs, async () => {
      const { lost, released, ended } = await reconcileRuns(context, reconciler);
      if (lost + released + ended > 0) log.info({ lost, released, ended }, 'reconciled');
    }),
    chore('dead workers', TIMING.deadWorkersMs, async () => {
      const given = place === null ? 0 : await reapDeadWorkers(context, place, engine);
      if (given > 0) log.info({ runs: given }, 'gave the runs of a killed worker back to the queue');
    }),
  ];
}
