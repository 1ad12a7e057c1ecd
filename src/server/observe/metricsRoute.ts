import type { RequestHandler } from 'express';
import type { StorageOverview } from '#src/artifacts/storageOverview.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { queueOverview } from '#src/queue/queueOverview.ts';
import { listWorkers } from '#src/fleet/workers.ts';
import type { Instruments } from './instruments.ts';

export interface MetricsRouteOptions {
  instruments: Instruments;
  /** With connections that callers' queries cannot take. */
  upkeep: ServiceContext;
  /** Disk use, at most a little old. */
  storage(): Promise<StorageOverview>;
  subscriptionCount(): number;
}

/**
 * `/metrics` in Prometheus' text format. What stands in the database is read when somebody asks, once for all who ask at
 * the same time; while the database is away the answer says so, and has the rest.
 */
export function metricsRoute({ instruments, ...sources }: MetricsRouteOptions): RequestHandler {
  let current: Promise<string> | null = null;
  return async (_request, response) => {
    current ??= measure(instruments, sources).finally(() => {
      current = null;
    });
    const text = await current;
    response.set({ 'Content-Type': instruments.registry.contentType, 'Cache-Control': 'no-store' }).send(text);
  };
}

async function measure(instruments: Instruments, sources: Omit<MetricsRouteOptions, 'instruments'>): Promise<string> {
  const { upkeep, storage, subscriptionCount } = sources;
  const answers = await Promise.allSettled([
    Promise.all([queueOverview(upkeep), listWorkers(upkeep)]),
    upkeep.queue.counts(),
    storage(),
  ]);
  const [database, queue, disk] = answers;
  const { setGauge } = instruments;
  instruments.clearGauges();
  setGauge('warren_database_up', database.status === 'fulfilled' ? 1 : 0);
  setGauge('warren_queue_up', queue.status === 'fulfilled' ? 1 : 0);
  setGauge('warren_subscriptions', subscriptionCount());
  if (database.status === 'fulfilled') {
    const [{ waiting, queued, running }, workers] = database.value;
    for (const [state, count] of Object.entries({ WAITING: waiting, QUEUED: queued, RUNNING: running })) {
      setGauge('warren_runs', count, state);
    }
    for (const backend of new Set(workers.map((worker) => worker.backend))) {
      setGauge('warren_workers', workers.filter((worker) => worker.backend === backend).length, backend);
    }
    const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
    setGauge('warren_worker_slots', slots);
  }
  if (queue.status === 'fulfilled') {
    for (const [state, count] of Object.entries(queue.value)) setGauge('warren_queue_jobs', count, state);
  }
  if (disk.status === 'fulfilled') {
    setGauge('warren_artifact_bytes', disk.value.bytes);
    setGauge('warren_artifact_files', disk.value.files);
    setGauge('warren_artifact_damaged_files', disk.value.damagedFiles);
    const { freeBytes } = disk.value;
    if (freeBytes !== null) setGauge('warren_artifact_volume_free_bytes', freeBytes);
    setGauge('warren_trash_runs', disk.value.trashRuns);
  }
  return await instruments.registry.metrics();
}
