import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from './runRecord.ts';

/** Ends those of the runs that no worker executes: waiting, queued, running in a program of the user's own, or crashed. */
export async function cancelIdleRuns(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET state = 'CANCELLED', ended_at = now(), not_before = NULL, lease_expires_at = NULL,
      error_code = NULL, error_message = NULL, error_stack = NULL
    WHERE id = ANY(${[...ids]}::uuid[])
      AND (state IN ('WAITING', 'QUEUED', 'CRASHED') OR state = 'RUNNING' AND worker_id IS NULL)
    RETURNING ${RUN_COLUMNS}`;
}

/** Asks the workers that execute the runs to stop them. */
export async function requestCancellation(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET cancel_requested_at = coalesce(cancel_requested_at, now())
    WHERE id = ANY(${[...ids]}::uuid[]) AND state = 'RUNNING' AND worker_id IS NOT NULL
    RETURNING ${RUN_COLUMNS}`;
}

/** Ends those of the runs as PRUNED that no worker executes: waiting, queued, or running in a program of the user's own. */
export async function pruneIdleRuns(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET state = 'PRUNED', ended_at = now(), not_before = NULL, lease_expires_at = NULL
    WHERE id = ANY(${[...ids]}::uuid[]) AND (state IN ('WAITING', 'QUEUED') OR state = 'RUNNING' AND worker_id IS NULL)
      AND NOT spared
    RETURNING ${RUN_COLUMNS}`;
}

/** Asks the workers that execute the runs to stop them early. Those that were asked before are left out. */
export async function requestPruning(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET prune_requested_at = now()
    WHERE id = ANY(${[...ids]}::uuid[]) AND state = 'RUNNING' AND worker_id IS NOT NULL AND NOT spared
      AND prune_requested_at IS NULL
    RETURNING ${RUN_COLUMNS}`;
}

/**
 * Takes failed, cancelled and pruned runs back: WAITING where they have inputs, which are looked at anew, QUEUED otherwise.
 * Those that were pruned are spared from then on.
 */
export async function reviveRuns(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET state = CASE WHEN EXISTS (SELECT FROM run_input WHERE run_input.run_id = run.id)
        THEN 'WAITING'::run_state ELSE 'QUEUED'::run_state END,
      worker_id = NULL, lease_expires_at = NULL, not_before = now(), cancel_requested_at = NULL, prune_requested_at = NULL,
      spared = spared OR state = 'PRUNED', ended_at = NULL,
      error_code = NULL, error_message = NULL, error_stack = NULL, progress = 0, progress_message = ''
    WHERE id = ANY(${[...ids]}::uuid[]) AND state IN ('FAILED', 'CANCELLED', 'PRUNED') AND deleted_at IS NULL
    RETURNING ${RUN_COLUMNS}`;
}

/** Moves ended runs to the trash, or back out of it. */
export async function setInTrash(
  connection: Connection,
  ids: readonly string[],
  inTrash: boolean,
): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET deleted_at = CASE WHEN ${inTrash} THEN now() END
    WHERE id = ANY(${[...ids]}::uuid[]) AND (deleted_at IS NULL) = ${inTrash}
      AND state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'CRASHED', 'PRUNED')
    RETURNING ${RUN_COLUMNS}`;
}

/** Gives those of the runs that have not ended another place in the queue. */
export async function setPriority(
  connection: Connection,
  ids: readonly string[],
  priority: number,
): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET priority = ${priority}::int
    WHERE id = ANY(${[...ids]}::uuid[]) AND state IN ('WAITING', 'QUEUED', 'RUNNING')
    RETURNING ${RUN_COLUMNS}`;
}

/**
 * Takes tags from the runs and adds others behind those that they have. Runs that have it so already stay, as do those that
 * would come to more than `most` tags.
 */
export async function retagRuns(
  connection: Connection,
  ids: readonly string[],
  { add, remove, most }: { add: readonly string[]; remove: readonly string[]; most: number },
): Promise<RunRecord[]> {
  const [added, removed] = [add, remove].map((tags) => tags.map(databaseText));
  return await queryRows(connection, runRow)`
    UPDATE run SET tags = changed.tags FROM (
      SELECT one.id, ARRAY(SELECT tag FROM unnest(one.tags) WITH ORDINALITY AS own (tag, place)
          WHERE tag <> ALL(${removed}::text[]) ORDER BY place)
        || ARRAY(SELECT tag FROM unnest(${added}::text[]) WITH ORDINALITY AS given (tag, place)
          WHERE tag <> ALL(one.tags) ORDER BY place) AS tags
      FROM run one WHERE one.id = ANY(${[...ids]}::uuid[])
    ) changed
    WHERE run.id = changed.id AND run.tags <> changed.tags AND cardinality(changed.tags) <= ${most}::int
    RETURNING ${RUN_COLUMNS}`;
}

/** Moves runs to another project; those of a sweep stay with it. */
export async function moveToProject(
  connection: Connection,
  ids: readonly string[],
  projectId: string,
): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET project_id = ${projectId}::uuid
    WHERE id = ANY(${[...ids]}::uuid[]) AND project_id <> ${projectId}::uuid AND sweep_id IS NULL
    RETURNING ${RUN_COLUMNS}`;
}

/**
 * Names runs and adds a paragraph at the end of their notes; null leaves a field as it is. Runs whose notes would have more
 * than `mostNotes` characters stay as they are.
 */
export async function setDescriptions(
  connection: Connection,
  ids: readonly string[],
  { name, note, mostNotes }: { name: string | null; note: string | null; mostNotes: number },
): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    UPDATE run SET name = coalesce(${name === null ? null : databaseText(name)}::text, run.name), notes = described.notes
    FROM (
      SELECT one.id, concat_ws(E'\\n\\n', nullif(one.notes, ''), ${note === null ? null : databaseText(note)}::text) AS notes
      FROM run one WHERE one.id = ANY(${[...ids]}::uuid[])
    ) described
    WHERE run.id = described.id AND length(described.notes) <= ${mostNotes}::int
    RETURNING ${RUN_COLUMNS}`;
}

/** Changes what a person may change; null leaves a field as it is. */
export async function editRun(
  connection: Connection,
  id: string,
  change: { name: string | null; notes: string | null; tags: readonly string[] | null; seed: number | null },
): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET name = coalesce(${change.name === null ? null : databaseText(change.name)}::text, name),
      notes = coalesce(${change.notes === null ? null : databaseText(change.notes)}::text, notes),
      seed = coalesce(${change.seed}::int, seed),
      tags = coalesce(${change.tags === null ? null : change.tags.map(databaseText)}::text[], tags)
    WHERE id = ${id}::uuid RETURNING ${RUN_COLUMNS}`;
  return rows[0] ?? null;
}
