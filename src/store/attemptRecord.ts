import { INFRASTRUCTURE_CODES } from '../contracts/errors.ts';
import type { Connection } from './connection.ts';
import { databaseText } from './databaseText.ts';

export type AttemptState = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'LOST';

/** A row of `attempt`: one try at a run. */
export interface AttemptRecord {
  runId: string;
  number: number;
  state: AttemptState;
  workerId: string | null;
  workerName: string;
  backend: string | null;
  device: string | null;
  /** The checkpoint's step from which it went on; null when it began anew. */
  resumedFromStep: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  startedAt: Date;
  endedAt: Date | null;
}

export type NewAttempt = Pick<
  AttemptRecord,
  'runId' | 'number' | 'workerId' | 'workerName' | 'backend' | 'device' | 'resumedFromStep'
>;

/** Writes down that an attempt has begun. */
export async function insertAttempt(connection: Connection, attempt: NewAttempt): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO attempt (run_id, number, state, worker_id, worker_name, backend, device, resumed_from_step)
    VALUES (${attempt.runId}::uuid, ${attempt.number}::int, 'RUNNING', ${attempt.workerId}::uuid,
      ${databaseText(attempt.workerName)}, ${attempt.backend}, ${attempt.device}, ${attempt.resumedFromStep}::int8)`;
}

/** Writes down how an attempt ended; one that has ended already stays as it is. */
export async function closeAttempt(
  connection: Connection,
  attempt: { runId: string; number: number },
  end: { state: AttemptState; errorCode?: string; errorMessage?: string },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE attempt SET state = ${end.state}::attempt_state, ended_at = now(), error_code = ${end.errorCode ?? null},
      error_message = ${end.errorMessage === undefined ? null : databaseText(end.errorMessage)}
    WHERE run_id = ${attempt.runId}::uuid AND number = ${attempt.number}::int AND state = 'RUNNING'`;
}

/** How many attempts failures of the machinery have cost since the run was queued, or last retried by a person. */
export async function countSpentAttempts(connection: Connection, runId: string): Promise<number> {
  const rows = await connection.$queryRaw<{ spent: number }[]>`
    SELECT count(*)::int AS spent FROM attempt
    WHERE run_id = ${runId}::uuid AND error_code = ANY(${[...INFRASTRUCTURE_CODES]}::text[]) AND number > coalesce((
      SELECT (data->>'attempt')::int FROM run_event
      WHERE run_id = ${runId}::uuid AND type = 'retried' ORDER BY id DESC LIMIT 1), 0)`;
  return rows[0]?.spent ?? 0;
}

/** The attempts of the runs, by run and number. */
export async function listAttempts(connection: Connection, runIds: readonly string[]): Promise<AttemptRecord[]> {
  if (runIds.length === 0) return [];
  const rows = await connection.$queryRaw<
    (Omit<AttemptRecord, 'resumedFromStep'> & { resumedFromStep: bigint | null })[]
  >`
    SELECT run_id AS "runId", number, state, worker_id AS "workerId", worker_name AS "workerName", backend, device,
      resumed_from_step AS "resumedFromStep", error_code AS "errorCode", error_message AS "errorMessage",
      started_at AS "startedAt", ended_at AS "endedAt"
    FROM attempt WHERE run_id = ANY(${[...runIds]}::uuid[]) ORDER BY run_id, number`;
  return rows.map((row) => ({
    ...row,
    resumedFromStep: row.resumedFromStep === null ? null : Number(row.resumedFromStep),
  }));
}
