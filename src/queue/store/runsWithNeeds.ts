import { z } from 'zod';
import { runNeedsSchema, type WorkerOffers } from '#src/base/contracts/runNeeds.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { NOT_PAUSED } from './queuePause.ts';

/** Runs looked at in one go: enough that those which fit nowhere do not hide those which do. */
const BATCH = 200;

const queuedRow = z.object({
  id: z.string(),
  number: z.int(),
  attempt: z.int(),
  needs: runNeedsSchema,
});
export type QueuedNeeds = z.infer<typeof queuedRow>;

/** What a run that is executed on a machine has taken. */
const heldRow = z.object({
  workerId: z.string(),
  needs: runNeedsSchema,
  gpus: z.array(z.int()),
});
export type HeldShare = z.infer<typeof heldRow>;

/** Lets one worker of a machine at a time choose runs, until the transaction ends: none is given a GPU that another has. */
export async function lockMachine(connection: Connection, host: string): Promise<void> {
  await connection.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${host}, 22352))`;
}

/** The queued runs with needs that a worker could execute were it idle, and that are due, in the order of the queue. */
export async function listQueuedWithNeeds(connection: Connection, offers: WorkerOffers): Promise<QueuedNeeds[]> {
  return await queryRows(connection, queuedRow)`
    SELECT id, number, attempt, needs FROM run
    WHERE state = 'QUEUED' AND needs IS NOT NULL AND deleted_at IS NULL AND ${NOT_PAUSED}
      AND (not_before IS NULL OR not_before <= now())
      AND (needs->>'gpus')::int <= ${offers.gpus.length}::int
      AND coalesce((needs->>'memoryMb')::int, 0) <= ${offers.memoryMb}::int
      AND coalesce((needs->>'cores')::int, 0) <= ${offers.cores}::int
      AND needs->'labels' <@ ${JSON.stringify(offers.labels)}::jsonb
    ORDER BY priority, number LIMIT ${BATCH}::int`;
}

/** What the runs that workers of a machine execute now have taken. */
export async function listHeldShares(connection: Connection, host: string): Promise<HeldShare[]> {
  return await queryRows(connection, heldRow)`
    SELECT run.worker_id AS "workerId", run.needs, run.gpus FROM run JOIN worker ON worker.id = run.worker_id
    WHERE run.state = 'RUNNING' AND run.needs IS NOT NULL AND worker.host = ${host}`;
}

/** Notes which GPUs an attempt was given. */
export async function assignGpus(connection: Connection, runId: string, gpus: readonly number[]): Promise<void> {
  await connection.$executeRaw`UPDATE run SET gpus = ${[...gpus]}::int[] WHERE id = ${runId}::uuid`;
}
