import {
  countOpenRuns,
  countQueuedByAddedKind,
  countQueuedForGpu,
  listQueuedRuns,
  type RunRecord,
} from '#src/runs/store/runRecord.ts';
import { selectWorkers } from '#src/fleet/store/workerRecord.ts';
import { listQueuePauses, type QueuePauseRecord } from '#src/queue/store/queuePause.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { addedKindsOf } from '#src/fleet/waitsFor.ts';

export interface QueueOverview {
  backend: 'postgres' | 'redis';
  /** Runs that wait for inputs, for a worker, and that are executed, by the database. */
  waiting: number;
  queued: number;
  running: number;
  /** Those of the queued that only a worker with a graphics processor takes. */
  queuedForGpu: number;
  /** Such workers that live. */
  gpuWorkers: number;
  /** Kinds of modules that no worker knows which is alive, with the queued runs that wait for one. */
  unknownKinds: { kind: string; runs: number }[];
  /** Kinds of which no run begins; the empty one stands for all. */
  pauses: QueuePauseRecord[];
}

export async function queueOverview(context: ServiceContext): Promise<QueueOverview> {
  const [counts, queuedForGpu, queuedByKind, workers, pauses] = await Promise.all([
    countOpenRuns(context.db),
    countQueuedForGpu(context.db),
    countQueuedByAddedKind(context.db),
    selectWorkers(context.db, { includeStopped: false }),
    listQueuePauses(context.db),
  ]);
  const known = new Set(workers.flatMap(addedKindsOf));
  return {
    backend: context.queue.backend,
    waiting: counts.get('WAITING') ?? 0,
    queued: counts.get('QUEUED') ?? 0,
    running: counts.get('RUNNING') ?? 0,
    queuedForGpu,
    gpuWorkers: workers.filter((worker) => worker.gpu).length,
    unknownKinds: queuedByKind.filter(({ kind }) => !known.has(kind)),
    pauses,
  };
}

/** The next runs in the order in which workers take them. */
export async function nextRuns(context: Pick<ServiceContext, 'db'>, first = 50): Promise<RunRecord[]> {
  return await listQueuedRuns(context.db, checkedInteger(first, { path: 'first', minimum: 0, maximum: 1_000 }));
}
