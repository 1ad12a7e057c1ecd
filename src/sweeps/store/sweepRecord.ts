import { z } from 'zod';
import { Prisma, SweepState } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

export type { SweepState };

/** A row of `sweep`: trials drawn from a search space by a sampler. */
const sweepRow = z.object({
  id: z.string(),
  number: z.int(),
  projectId: z.string(),
  name: z.string(),
  state: z.enum(SweepState),
  reason: z.string(),
  /** Who started it, and so makes its runs; null where nobody said. */
  user: z.string().nullable(),
  /** As it was stored; `sweepDefinitionSchema` reads it. */
  definition: z.unknown(),
  hopefulFrom: z.int(),
  createdAt: timestamp,
  /** Hours from its creation until this was read, by the database's clock. */
  ageHours: z.number(),
  endedAt: timestamp.nullable(),
});
export type SweepRecord = z.infer<typeof sweepRow>;

const COLUMNS = Prisma.sql`sweep.id, sweep.number, sweep.project_id AS "projectId", sweep.name, sweep.state, sweep.reason, sweep.user_name AS "user",
  sweep.definition, sweep.hopeful_from AS "hopefulFrom", sweep.created_at AS "createdAt",
  (extract(epoch FROM now() - sweep.created_at) / 3600)::float8 AS "ageHours", sweep.ended_at AS "endedAt"`;

/** Inserts a sweep that runs. */
export async function insertSweep(
  connection: Connection,
  { id, projectId, name, user, definition }: Pick<SweepRecord, 'id' | 'projectId' | 'name' | 'user' | 'definition'>,
): Promise<SweepRecord> {
  const rows = await queryRows(connection, sweepRow)`
    INSERT INTO sweep (id, project_id, name, user_name, definition)
    VALUES (${id}::uuid, ${projectId}::uuid, ${databaseText(name)}, ${user === null ? null : databaseText(user)},
      ${databaseJson(definition)}::jsonb)
    RETURNING ${COLUMNS}`;
  return rows[0]!;
}

/** The sweep of this id, or of this number; null when there is none. */
export async function findSweep(
  connection: Connection,
  by: { id: string } | { number: number },
): Promise<SweepRecord | null> {
  const condition = 'id' in by ? Prisma.sql`sweep.id = ${by.id}::uuid` : Prisma.sql`sweep.number = ${by.number}::int`;
  const rows = await queryRows(connection, sweepRow)`SELECT ${COLUMNS} FROM sweep WHERE ${condition}`;
  return rows[0] ?? null;
}

/** The sweeps with these ids, in no particular order. */
export async function findSweeps(connection: Connection, ids: readonly string[]): Promise<SweepRecord[]> {
  if (ids.length === 0) return [];
  return await queryRows(connection, sweepRow)`
    SELECT ${COLUMNS} FROM sweep WHERE sweep.id = ANY(${[...ids]}::uuid[])`;
}

/** Locks a sweep until the transaction ends: whoever draws, pauses or extends it waits for the one before. */
export async function lockSweep(connection: Connection, id: string): Promise<SweepRecord | null> {
  const rows = await queryRows(connection, sweepRow)`
    SELECT ${COLUMNS} FROM sweep WHERE sweep.id = ${id}::uuid FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Sweeps that a controller has something to do for: those that run, and cancelled ones whose runs have not all ended. */
export async function listLiveSweepIds(connection: Connection): Promise<string[]> {
  const rows = await connection.sweep.findMany({
    select: { id: true },
    where: { OR: [{ state: 'RUNNING' }, { state: 'CANCELLED', endedAt: null }] },
    orderBy: { number: 'asc' },
  });
  return rows.map(({ id }) => id);
}

/** Sweeps, the newest first, of one project or of all, those before a number. */
export async function listSweepsBefore(
  connection: Connection,
  page: { projectId: string | null; before: number | null; first: number },
): Promise<SweepRecord[]> {
  return await queryRows(connection, sweepRow)`
    SELECT ${COLUMNS} FROM sweep
    WHERE (${page.projectId}::uuid IS NULL OR project_id = ${page.projectId}::uuid)
      AND (${page.before}::int IS NULL OR number < ${page.before}::int)
    ORDER BY number DESC LIMIT ${page.first}::int`;
}

/** Sets what is given of a sweep; `ended` says whether it has ended, now or before. */
export async function updateSweep(
  connection: Connection,
  id: string,
  change: Pick<SweepRecord, 'state' | 'reason'> & {
    ended: boolean;
    hopefulFrom?: number;
    definition?: unknown;
    /** The call that has given it more to do. */
    callId?: string | null;
  },
): Promise<SweepRecord> {
  const { state, reason, ended, hopefulFrom = null, definition, callId = null } = change;
  const rows = await queryRows(connection, sweepRow)`
    UPDATE sweep SET state = ${state}::sweep_state, reason = ${databaseText(reason)},
      ended_at = CASE WHEN ${ended} THEN coalesce(ended_at, now()) END,
      hopeful_from = coalesce(${hopefulFrom}::int, hopeful_from),
      definition = coalesce(${definition === undefined ? null : databaseJson(definition)}::jsonb, definition),
      extension_calls = extension_calls || array_remove(ARRAY[${callId}::uuid], NULL)
    WHERE id = ${id}::uuid RETURNING ${COLUMNS}`;
  return rows[0]!;
}

/** Whether a call has given a sweep more to do. */
export async function wasExtendedBy(
  connection: Connection,
  { id, callId }: { id: string; callId: string },
): Promise<boolean> {
  return (await connection.sweep.count({ where: { id, extensionCalls: { has: callId } } })) > 0;
}
