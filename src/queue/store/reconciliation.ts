import { z } from 'zod';
import { TIMING } from '#src/base/platform/timing.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';
import { NOT_PAUSED } from './queuePause.ts';

const lockedRow = z.object({ locked: z.boolean(), nowMs: z.number() });

/** Names the reconciler's advisory lock in a database: "WARR" in ASCII. */
const LOCK = 0x57415252;
const BATCH = 1_000;

/** Whether this transaction is the one that reconciles now, in which case the lock ends with it; and the database's clock. */
export async function lockReconciler(connection: Connection): Promise<{ locked: boolean; nowMs: number }> {
  const [row] = await queryRows(connection, lockedRow)`
    SELECT pg_try_advisory_xact_lock(${LOCK}::int8) AS locked, extract(epoch FROM now())::float8 * 1000 AS "nowMs"`;
  return row ?? { locked: false, nowMs: 0 };
}

/** Leases end no later than if they were renewed now: after the clock was put back they would last longer by that. */
export async function shortenLeases(connection: Connection): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET lease_expires_at = least(lease_expires_at, now() + coalesce(lease_seconds, ${TIMING.leaseMs / 1000}::float8) * interval '1 second')
    WHERE state = 'RUNNING' AND lease_expires_at IS NOT NULL`;
}

/**
 * Runs that wait to begin do so within `longestMs`, the longest pause between attempts: after the clock was put back they would wait
 * longer by that. So would those that were queued before, for jobs that the queue has lost.
 */
export async function shortenWaits(connection: Connection, longestMs: number): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET not_before = least(coalesce(not_before, now()), now() + ${longestMs}::int * interval '1 millisecond')
    WHERE state IN ('WAITING', 'QUEUED') AND (not_before > now() + ${longestMs}::int * interval '1 millisecond'
      OR not_before IS NULL AND created_at > now())`;
}

/**
 * Locks the running runs whose lease has expired, external ones only if asked for; those that another transaction is
 * changing are left out. Programs of users, unless they are to end anyway, have their release time, too: what they do outside of the
 * database nothing fences.
 */
export async function lockExpiredRuns(
  connection: Connection,
  { external }: { external: boolean },
): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE state = 'RUNNING' AND lease_expires_at < now()
      AND (${external} OR lease_seconds IS NULL)
      AND (needs IS NULL OR cancel_requested_at IS NOT NULL OR prune_requested_at IS NOT NULL OR lease_expires_at
        + coalesce((needs->>'releaseSeconds')::float8, ${TIMING.releaseMs / 1000}::float8) * interval '1 second' < now())
    ORDER BY number LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED`;
}

/** Locks the programs of a worker whose lease has expired, whatever their release time. */
export async function lockSilentPrograms(connection: Connection, workerId: string): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE state = 'RUNNING' AND worker_id = ${workerId}::uuid AND needs IS NOT NULL
      AND lease_expires_at < now() ORDER BY number FOR NO KEY UPDATE`;
}

/** A place in the order of a queue. */
export type QueuePlace = Pick<RunRecord, 'priority' | 'number'>;

export interface DuePage {
  /** Runs of which queues: those that need a graphics processor, of kinds that modules have added, or the others. */
  of: 'gpu' | 'added-kinds' | 'others';
  /** Only runs behind this place; null for those that come first. */
  after: QueuePlace | null;
}

const QUEUES: Readonly<Record<DuePage['of'], Prisma.Sql>> = {
  gpu: Prisma.sql`requires_gpu AND added_kind IS NULL`,
  'added-kinds': Prisma.sql`added_kind IS NOT NULL`,
  others: Prisma.sql`NOT requires_gpu AND added_kind IS NULL`,
};

/**
 * A page of the queued runs of one sort that are due and whose jobs should have reached the queue, in its order, with the
 * place behind which the next page begins: null after the last one.
 */
export async function listDueRuns(
  connection: Connection,
  { of, after }: DuePage,
): Promise<{ runs: RunRecord[]; next: QueuePlace | null }> {
  const behind =
    after === null ? Prisma.empty : Prisma.sql`AND (priority, number) > (${after.priority}::int, ${after.number}::int)`;
  const runs = await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE state = 'QUEUED' AND deleted_at IS NULL AND needs IS NULL AND ${QUEUES[of]} AND ${NOT_PAUSED}
      AND coalesce(not_before, created_at) < now() - ${TIMING.settlingMs}::int * interval '1 millisecond' ${behind}
    ORDER BY priority, number LIMIT ${BATCH}::int`;
  return { runs, next: runs.length < BATCH ? null : (runs.at(-1) ?? null) };
}
