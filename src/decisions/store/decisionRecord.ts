import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DecisionState, Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { idRow, queryRows, timestamp } from '#src/base/database/queryRows.ts';

export type { DecisionState };

/** A row of `decision`: an adaptive comparison of two configurations. */
const decisionRow = z.object({
  id: z.string(),
  number: z.int(),
  projectId: z.string(),
  state: z.enum(DecisionState),
  reason: z.string(),
  /** As they were stored; `decisionPlan.ts` reads them. */
  plan: z.unknown(),
  looks: z.unknown(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type DecisionRecord = z.infer<typeof decisionRow>;

const COLUMNS = Prisma.sql`decision.id, decision.number, decision.project_id AS "projectId", decision.state, decision.reason,
  decision.plan, decision.looks, decision.created_at AS "createdAt", decision.ended_at AS "endedAt"`;

/** Inserts a decision that runs. */
export async function insertDecision(
  connection: Connection,
  { id = randomUUID(), projectId, plan }: Pick<DecisionRecord, 'projectId' | 'plan'> & { id?: string | undefined },
): Promise<DecisionRecord> {
  const rows = await queryRows(connection, decisionRow)`
    INSERT INTO decision (id, project_id, plan)
    VALUES (${id}::uuid, ${projectId}::uuid, ${databaseJson(plan)}::jsonb) RETURNING ${COLUMNS}`;
  return rows[0]!;
}

/** The decision of this id, or of this number; null when there is none. */
export async function findDecision(
  connection: Connection,
  by: { id: string } | { number: number },
): Promise<DecisionRecord | null> {
  const condition =
    'id' in by ? Prisma.sql`decision.id = ${by.id}::uuid` : Prisma.sql`decision.number = ${by.number}::int`;
  const rows = await queryRows(connection, decisionRow)`SELECT ${COLUMNS} FROM decision WHERE ${condition}`;
  return rows[0] ?? null;
}

/** Locks a decision until the transaction ends: whoever judges it, queues its runs or cancels it waits for the one before. */
export async function lockDecision(connection: Connection, id: string): Promise<DecisionRecord | null> {
  const rows = await queryRows(connection, decisionRow)`
    SELECT ${COLUMNS} FROM decision WHERE decision.id = ${id}::uuid FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Decisions that a controller has something to do for. */
export async function listLiveDecisionIds(connection: Connection): Promise<string[]> {
  const rows = await connection.decision.findMany({
    select: { id: true },
    where: { endedAt: null },
    orderBy: { number: 'asc' },
  });
  return rows.map(({ id }) => id);
}

/** Live decisions that wait for one of these runs. */
export async function listDecisionsOfRuns(connection: Connection, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  const rows = await queryRows(connection, idRow)`
    SELECT DISTINCT decision.id FROM decision JOIN decision_pair pair ON pair.decision_id = decision.id
    WHERE decision.ended_at IS NULL
      AND (pair.run_a_id = ANY(${[...runIds]}::uuid[]) OR pair.run_b_id = ANY(${[...runIds]}::uuid[]))`;
  return rows.map(({ id }) => id);
}

/** Decisions, the newest first, of one project or of all, those before a number. */
export async function listDecisionsBefore(
  connection: Connection,
  page: { projectId: string | null; before: number | null; first: number },
): Promise<DecisionRecord[]> {
  return await queryRows(connection, decisionRow)`
    SELECT ${COLUMNS} FROM decision
    WHERE (${page.projectId}::uuid IS NULL OR project_id = ${page.projectId}::uuid)
      AND (${page.before}::int IS NULL OR number < ${page.before}::int)
    ORDER BY number DESC LIMIT ${page.first}::int`;
}

/** Sets what is given of a decision; `ended` says that nothing is left to do for it. */
export async function updateDecision(
  connection: Connection,
  id: string,
  change: { state?: DecisionState; reason?: string; looks?: unknown; ended?: boolean },
): Promise<void> {
  const { state = null, reason, looks, ended = false } = change;
  await connection.$executeRaw`
    UPDATE decision SET state = coalesce(${state}::decision_state, state),
      reason = coalesce(${reason === undefined ? null : databaseText(reason)}, reason),
      looks = coalesce(${looks === undefined ? null : databaseJson(looks)}::jsonb, looks),
      ended_at = CASE WHEN ${ended} THEN coalesce(ended_at, now()) ELSE ended_at END
    WHERE id = ${id}::uuid`;
}
