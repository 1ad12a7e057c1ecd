import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ContainerEngine } from '#src/base/contracts/executorMessages.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { stopWorker } from '#src/fleet/workers.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { listRunsOfWorkers } from '#src/runs/store/runRecord.ts';
import { selectWorkers } from '#src/fleet/store/workerRecord.ts';
import { removeContainer } from '../commands/containers.ts';
import { endProcessesOf } from '../commands/strayProcesses.ts';
import { hasCertainlyEnded, type ProcessPlace } from './processPlace.ts';

const placeSchema = z.object({ place: z.string(), pid: z.number(), startTime: z.string() });

/**
 * Looks for workers on this machine whose process has ended without a word, and gives their runs back at once: without
 * this they would wait until their leases run out. What is not certain is left to the leases.
 * @param engine Runs containers on this machine; those of such runs are removed.
 * @returns how many runs were given back.
 */
export async function reapDeadWorkers(
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
