import type { Connection } from './connection.ts';
import { RUN_COLUMNS, type RunRecord } from './runRecord.ts';

/** Names the reconciler's advisory lock in a database: "WARR" in ASCII. */
const LOCK = 0x57415252;
const BATCH = 1_000;
/** A run queued this recently still has its job under way to the queue. */
const SETTLING_MS = 3_000;

/** Whether this transaction is the one that reconciles now; the lock ends with it. */
export async function lockReconciler(connection: Connection): Promise<boolean> {
  const rows = await connection.$queryRaw<
    { locked: boolean }[]
  >`SELECT pg_try_advisory_xact_lock(${LOCK}::int8) AS locked`;
  return rows[0]?.locked === true;
}

/** Locks the running runs whose lease has expired; those that another transaction is changing are left out. */
export async function lockExpiredRuns(connection: Connection): Promise<RunRecord[]> {
  return await connection.$queryRaw<RunRecord[]>`
    SELECT ${RUN_COLUMNS} FROM run WHERE state = 'RUNNING' AND lease_expires_at < now()
    ORDER BY number LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED`;
}

/** Queued runs that are due and whose jobs should have reached the queue, those that come first by priority. */
export async function listDueRuns(connection: Connection): Promise<RunRecord[]> {
  return await connection.$queryRaw<RunRecord[]>`
    SELECT ${RUN_COLUMNS} FROM run WHERE state = 'QUEUED' AND deleted_at IS NULL
      AND coalesce(not_before, created_at) < now() - ${SETTLING_MS}::int * interval '1 millisecond'
    ORDER BY priority, number LIMIT ${BATCH}::int`;
}
