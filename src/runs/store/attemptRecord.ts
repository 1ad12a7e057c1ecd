import { z } from 'zod';
import { INFRASTRUCTURE_CODES } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { countRow, int8, queryRows, timestamp } from '#src/base/database/queryRows.ts';
import { storedMessage } from '#src/base/database/storedError.ts';

const heldRow = z.object({ runId: z.string(), number: z.int(), holds: z.boolean() });
const ranRow = z.object({ ran: z.boolean() });

const ATTEMPT_STATES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'LOST', 'PRUNED'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** A row of `attempt`: one try at a run. */
const attemptRow = z.object({
  runId: z.string(),
  number: z.int(),
  state: z.enum(ATTEMPT_STATES),
  workerId: z.string().nullable(),
  workerName: z.string(),
  backend: z.string().nullable(),
  device: z.string().nullable(),
  /** The checkpoint's step from which it went on; null when it began anew. */
  resumedFromStep: int8.nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type AttemptRecord = z.infer<typeof attemptRow>;

export interface NewAttempt
  extends Pick<
    AttemptRecord,
    'runId' | 'number' | 'workerId' | 'workerName' | 'backend' | 'device' | 'resumedFromStep'
  > {
  /** The sha256 of the attempt's own token, where it has one. */
  tokenHash?: string;
}

/** Writes down that an attempt has begun. */
export async function insertAttempt(connection: Connection, attempt: NewAttempt): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO attempt (run_id, number, state, worker_id, worker_name, backend, device, resumed_from_step,
      token_hash)
    VALUES (${attempt.runId}::uuid, ${attempt.number}::int, 'RUNNING', ${attempt.workerId}::uuid,
      ${databaseText(attempt.workerName)}, ${attempt.backend}, ${attempt.device}, ${attempt.resumedFromStep}::int8,
      ${attempt.tokenHash ?? null})`;
}

/** Writes down how an attempt ended; one that has ended already stays as it is. */
export async function closeAttempt(
  connection: Connection,
  attempt: { runId: string; number: number },
  end: { state: AttemptState; errorCode?: string; errorMessage?: string },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE attempt SET state = ${end.state}::attempt_state, ended_at = now(), error_code = ${end.errorCode ?? null},
      error_message = ${end.errorMessage === undefined ? null : storedMessage(end.errorMessage)}
    WHERE run_id = ${attempt.runId}::uuid AND number = ${attempt.number}::int AND state = 'RUNNING'`;
}

/** Takes an attempt that was believed lost back: it still runs. */
export async function reopenAttempt(connection: Connection, attempt: { runId: string; number: number }): Promise<void> {
  await connection.$executeRaw`
    UPDATE attempt SET state = 'RUNNING', ended_at = NULL, error_code = NULL, error_message = NULL
    WHERE run_id = ${attempt.runId}::uuid AND number = ${attempt.number}::int AND state = 'LOST'`;
}

/** The attempt whose token has this sha256, and whether it still holds its run; null when there is none. */
export async function findAttemptByToken(
  connection: Connection,
  tokenHash: string,
): Promise<{ runId: string; number: number; holds: boolean } | null> {
  const rows = await queryRows(connection, heldRow)`
    SELECT attempt.run_id AS "runId", attempt.number,
      run.attempt = attempt.number AND run.state = 'RUNNING' AS holds
    FROM attempt JOIN run ON run.id = attempt.run_id WHERE attempt.token_hash = ${tokenHash}`;
  return rows[0] ?? null;
}

/** Writes down that the attempt began anew after all. */
export async function forgetResumption(
  connection: Connection,
  { runId, number }: { runId: string; number: number },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE attempt SET resumed_from_step = NULL WHERE run_id = ${runId}::uuid AND number = ${number}::int`;
}

/** How many attempts failures of the machinery have cost since the run was queued, or last retried by a person. */
export async function countSpentAttempts(connection: Connection, runId: string): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM attempt
    WHERE run_id = ${runId}::uuid AND error_code = ANY(${[...INFRASTRUCTURE_CODES]}::text[]) AND number > coalesce((
      SELECT (data->>'attempt')::int FROM run_event
      WHERE run_id = ${runId}::uuid AND type = 'retried' ORDER BY id DESC LIMIT 1), 0)`;
  return rows[0]?.count ?? 0;
}

/** The attempts of the runs, by run and number. */
export async function listAttempts(connection: Connection, runIds: readonly string[]): Promise<AttemptRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, attemptRow)`
    SELECT run_id AS "runId", number, state, worker_id AS "workerId", worker_name AS "workerName", backend, device,
      resumed_from_step AS "resumedFromStep", error_code AS "errorCode", left(error_message, 5000) AS "errorMessage",
      started_at AS "startedAt", ended_at AS "endedAt"
    FROM attempt WHERE run_id = ANY(${[...runIds]}::uuid[]) ORDER BY run_id, number`;
}

/** Whether an attempt ended for want of memory. */
export async function ranOutOfMemory(
  connection: Connection,
  attempt: { runId: string; number: number },
): Promise<boolean> {
  const rows = await queryRows(connection, ranRow)`
    SELECT EXISTS (SELECT FROM attempt WHERE run_id = ${attempt.runId}::uuid AND number = ${attempt.number}::int
      AND error_code = 'OUT_OF_MEMORY') AS ran`;
  return rows[0]?.ran === true;
}
