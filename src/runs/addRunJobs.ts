import { spanParent } from '#src/base/platform/tracing/tracing.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A queue that has not answered after this long is left to the reconciler. */
const DEADLINE_MS = 2_000;
/** Removals at once: each takes a connection of the queue's pool, and those that wait long for one fail. */
const AT_ONCE = 50;

/**
 * Adds the job of the next attempt of each of the runs that is `QUEUED` and has no needs: workers find those that have in
 * the database. Never fails: the database is the truth, and the
 * reconciler adds what a queue that is down did not take.
 */
export async function addRunJobs(
  context: Pick<ServiceContext, 'queue'>,
  runs: readonly Pick<
    RunRecord,
    'id' | 'state' | 'attempt' | 'priority' | 'delayMs' | 'requiresGpu' | 'addedKind' | 'needs'
  >[],
): Promise<void> {
  const trace = spanParent();
  const jobs = runs
    .filter((run) => run.state === 'QUEUED' && run.needs === null)
    .map((run) => ({
      payload: { runId: run.id, attempt: run.attempt + 1, ...(trace !== undefined && { trace }) },
      priority: run.priority,
      requiresGpu: run.requiresGpu,
      addedKind: run.addedKind,
      delayMs: run.delayMs,
    }));
  if (jobs.length === 0) return;
  await settledWithin(context.queue.add(jobs));
}

/**
 * Lets workers have the jobs of runs that may start by the database's clock, though the clock of the process that added
 * them, or that looks for delayed jobs, says otherwise. Never fails.
 */
export async function promoteRunJobs(
  context: Pick<ServiceContext, 'queue'>,
  runs: readonly Pick<RunRecord, 'id' | 'attempt' | 'notBefore'>[],
): Promise<void> {
  const delayed = runs.filter((run) => run.notBefore !== null);
  if (delayed.length === 0) return;
  await settledWithin(context.queue.promote(delayed.map((run) => ({ runId: run.id, attempt: run.attempt + 1 }))));
}

/** Takes the jobs of runs that are queued no more out of the queue; what stays there finds its attempt stale and ends. */
export async function removeRunJobs(
  context: Pick<ServiceContext, 'queue'>,
  runs: readonly Pick<RunRecord, 'id' | 'attempt' | 'requiresGpu' | 'addedKind'>[],
): Promise<void> {
  const remove = async (): Promise<void> => {
    for (let start = 0; start < runs.length; start += AT_ONCE) {
      const some = runs.slice(start, start + AT_ONCE);
      await Promise.allSettled(
        some.map((run) => context.queue.remove({ runId: run.id, attempt: run.attempt + 1 }, run)),
      );
    }
  };
  await settledWithin(remove());
}

async function settledWithin(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS);
  });
  await Promise.race([work.catch(() => {}), deadline]);
  clearTimeout(timer);
}
