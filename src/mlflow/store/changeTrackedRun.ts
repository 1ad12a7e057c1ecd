import { z } from 'zod';
import type { RunState } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

const cursorRow = z.object({ cursor: z.int() });

/** Sets what a client says of a new run. */
export async function describeTrackedRun(
  connection: Connection,
  id: string,
  run: { startMs: number | null; tags: Readonly<Record<string, string>>; notes: string },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET parameter_texts = '{}', notes = ${databaseText(run.notes)},
      started_at = coalesce(to_timestamp(${run.startMs}::float8 / 1000), now()),
      environment = environment || ${databaseJson({ tags: run.tags })}::jsonb
    WHERE id = ${id}::uuid`;
}

/** A status that a client gave a run. */
export interface StatusChange {
  state: Extract<RunState, 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'>;
  reportedStatus: string;
  /** Unix milliseconds; null: now, where the state is final. */
  endMs: number | null;
}

/** Moves a run of another program to any state, also back from a final one, and its newest attempt with it. */
export async function setTrackedStatus(connection: Connection, id: string, change: StatusChange): Promise<void> {
  const { state, reportedStatus, endMs } = change;
  const message = state === 'FAILED' ? 'its program says that it failed' : null;
  await connection.$executeRaw`
    UPDATE run SET state = ${state}::run_state, reported_status = ${reportedStatus},
      ended_at = coalesce(to_timestamp(${endMs}::float8 / 1000), CASE WHEN ${state} <> 'RUNNING' THEN now() END),
      lease_expires_at = CASE WHEN ${state} = 'RUNNING' THEN now() + lease_seconds * interval '1 second' END,
      progress = CASE WHEN ${state} = 'SUCCEEDED' THEN 1 ELSE progress END,
      error_code = CASE WHEN ${state} = 'FAILED' THEN 'RUN_FAILED' END, error_message = ${message}::text, error_stack = NULL
    WHERE id = ${id}::uuid`;
  await connection.$executeRaw`
    UPDATE attempt SET state = ${state}::attempt_state, error_message = ${message}::text,
      error_code = CASE WHEN ${state} = 'FAILED' THEN 'RUN_FAILED' END,
      ended_at = CASE WHEN ${state} <> 'RUNNING' THEN now() END
    FROM run WHERE run.id = ${id}::uuid AND attempt.run_id = run.id AND attempt.number = run.attempt`;
}

/** Sets when a run ended, without a change of its state. */
export async function setTrackedEnd(connection: Connection, id: string, endMs: number): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET ended_at = to_timestamp(${endMs}::float8 / 1000) WHERE id = ${id}::uuid`;
}

/** Moves a run that no worker executes to the trash, or back out of it. */
export async function setTrackedInTrash(connection: Connection, id: string, inTrash: boolean): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET deleted_at = CASE WHEN ${inTrash} THEN coalesce(deleted_at, now()) END WHERE id = ${id}::uuid`;
}

/** Notes that a program was heard of, and that metric points follow: the cursor of their flush. */
export async function noteFlush(connection: Connection, id: string): Promise<number> {
  const rows = await queryRows(connection, cursorRow)`
    UPDATE run SET metric_cursor = metric_cursor + 1, last_heard_at = now(),
      lease_expires_at = CASE WHEN state = 'RUNNING' THEN now() + lease_seconds * interval '1 second'
        ELSE lease_expires_at END
    WHERE id = ${id}::uuid RETURNING metric_cursor AS cursor`;
  return rows[0]?.cursor ?? 0;
}

/** Sets tags of a run; `mlflow.runName` is its name, unless it is empty, `mlflow.note.content` its notes. */
export async function setTrackedTags(
  connection: Connection,
  id: string,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const { 'mlflow.runName': name = '', ...others } = given;
  const tags = name === '' ? others : given;
  const notes = tags['mlflow.note.content'] ?? null;
  await connection.$executeRaw`
    UPDATE run SET name = coalesce(nullif(${databaseText(name)}::text, ''), name),
      notes = coalesce(${notes === null ? null : databaseText(notes)}::text, notes),
      environment = jsonb_set(environment, '{tags}', coalesce(environment -> 'tags', '{}') || ${databaseJson(tags)}::jsonb)
    WHERE id = ${id}::uuid`;
}

/** Removes a tag of a run; false when it has none of that key. */
export async function removeTrackedTag(connection: Connection, id: string, key: string): Promise<boolean> {
  const changed = await connection.$executeRaw`
    UPDATE run SET environment = environment #- ARRAY['tags', ${databaseText(key)}::text]
    WHERE id = ${id}::uuid AND jsonb_exists(environment -> 'tags', ${databaseText(key)}::text)`;
  return changed === 1;
}

/** Gives a run further parameters: as they were written, and the configuration and the seed that all of them make. */
export async function setTrackedParameters(
  connection: Connection,
  id: string,
  run: { texts: Readonly<Record<string, string>>; configurationHash: string; seed: number },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET parameter_texts = ${databaseJson(run.texts)}::jsonb, configuration_hash = ${run.configurationHash},
      seed = ${run.seed}::int
    WHERE id = ${id}::uuid`;
}
