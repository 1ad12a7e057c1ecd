import { z } from 'zod';
import { workerOffersSchema } from '#src/base/contracts/runNeeds.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { jsonObject, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `worker`: a process that executes runs. */
const workerRow = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  backend: z.string(),
  device: z.string(),
  gpu: z.boolean(),
  slots: z.int(),
  /** Node version, cores, memory, data folders. */
  details: jsonObject,
  /** What it has for runs with needs; empty when it takes none. */
  offers: z.union([workerOffersSchema, z.strictObject({})]),
  startedAt: timestamp,
  lastSeenAt: timestamp,
  stoppedAt: timestamp.nullable(),
  /** It takes no new runs from then on. */
  drainRequestedAt: timestamp.nullable(),
  /** Seen in the last 30 seconds, by the database's clock, and not stopped. */
  alive: z.boolean(),
});
export type WorkerRecord = z.infer<typeof workerRow>;
const heardRow = z.object({ draining: z.boolean(), nowMs: z.number() });

export type NewWorker = Pick<
  WorkerRecord,
  'id' | 'name' | 'host' | 'pid' | 'version' | 'backend' | 'device' | 'gpu' | 'slots' | 'details'
> &
  Partial<Pick<WorkerRecord, 'offers'>>;

/** Writes the worker down as alive; one that is known already gets the new facts. */
export async function upsertWorker(connection: Connection, worker: NewWorker): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO worker (id, name, host, pid, version, backend, device, gpu, slots, details, offers)
    VALUES (${worker.id}::uuid, ${databaseText(worker.name)}, ${databaseText(worker.host)}, ${worker.pid}::int,
      ${worker.version}, ${worker.backend}, ${databaseText(worker.device)}, ${worker.gpu}, ${worker.slots}::int,
      ${databaseJson(worker.details)}::jsonb, ${databaseJson(worker.offers ?? {})}::jsonb)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, host = excluded.host, pid = excluded.pid,
      version = excluded.version, backend = excluded.backend, device = excluded.device, gpu = excluded.gpu, slots = excluded.slots,
      details = excluded.details, offers = excluded.offers, last_seen_at = now(), stopped_at = NULL`;
}

/** Notes that the worker lives. @returns whether it is to take no new runs; null when the database does not know it. */
export async function touchWorker(
  connection: Connection,
  workerId: string,
): Promise<{ draining: boolean; nowMs: number } | null> {
  const rows = await queryRows(connection, heardRow)`
    UPDATE worker SET last_seen_at = now(), stopped_at = NULL WHERE id = ${workerId}::uuid
    RETURNING drain_requested_at IS NOT NULL AS draining,
      (1000 * extract(epoch FROM clock_timestamp()))::float8 AS "nowMs"`;
  return rows[0] ?? null;
}

/** Whether a worker is to take no new runs. */
export async function isDraining(connection: Connection, workerId: string): Promise<boolean> {
  const found = await connection.worker.findUnique({ where: { id: workerId }, select: { drainRequestedAt: true } });
  return found?.drainRequestedAt != null;
}

/** Has a worker take no new runs from now on, or take them again. */
export async function setDraining(connection: Connection, workerId: string, draining: boolean): Promise<void> {
  await connection.$executeRaw`
    UPDATE worker SET drain_requested_at = CASE WHEN ${draining} THEN coalesce(drain_requested_at, now()) END
    WHERE id = ${workerId}::uuid`;
}

/** Notes that the worker has stopped of its own accord. */
export async function markWorkerStopped(connection: Connection, workerId: string): Promise<void> {
  await connection.$executeRaw`
    UPDATE worker SET stopped_at = now(), last_seen_at = now() WHERE id = ${workerId}::uuid AND stopped_at IS NULL`;
}

/** Workers by name; those that are alive only, unless `includeStopped`. With `ids`, exactly those. */
export async function selectWorkers(
  connection: Connection,
  options: { includeStopped: boolean; ids?: readonly string[] },
): Promise<WorkerRecord[]> {
  return await queryRows(connection, workerRow)`
    SELECT * FROM (
      SELECT id, name, host, pid, version, backend, device, gpu, slots, details, offers, started_at AS "startedAt",
        last_seen_at AS "lastSeenAt", stopped_at AS "stoppedAt",
        drain_requested_at AS "drainRequestedAt",
        stopped_at IS NULL AND last_seen_at > now() - ${TIMING.workerAliveMs}::int * interval '1 millisecond' AS alive
      FROM worker
      WHERE ${options.ids === undefined} OR id = ANY(${[...(options.ids ?? [])]}::uuid[])
    ) known WHERE alive OR ${options.includeStopped || options.ids !== undefined}
    ORDER BY name, "startedAt" DESC`;
}
