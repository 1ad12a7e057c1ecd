import { z } from 'zod';
import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { endRun, requeueRun } from './moveRun.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { idRow, queryRows } from '#src/base/database/queryRows.ts';
import { addRunEvents } from './runEvent.ts';
import type { RunRecord } from './runRecord.ts';

/** Runs looked at in one go; more follow in the next. */
const BATCH = 1_000;

/** Whether the run needs something of a run, `source`, of which the condition is true; a registered version is always there. */
function needsOneThat(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM run_input JOIN run source ON source.id = run_input.source_run_id
    WHERE run_input.run_id = run.id AND run_input.sha256 IS NULL AND ${condition})`;
}

const IS_HOPELESS = Prisma.sql`(source.state IN ('FAILED', 'CANCELLED', 'PRUNED') OR source.deleted_at IS NOT NULL)`;
/** A crashed run counts as open: its program may be heard of again. */
const IS_OPEN = Prisma.sql`source.state IN ('WAITING', 'QUEUED', 'RUNNING', 'CRASHED')`;

const inputRow = z.object({
  runId: z.string(),
  name: z.string(),
  artifactName: z.string(),
  sourceNumber: z.int(),
  sourceState: z.enum(RUN_STATES),
  sourceInTrash: z.boolean(),
  registered: z.boolean(),
  available: z.boolean(),
});
type InputState = z.infer<typeof inputRow>;

/**
 * Looks at waiting runs: those whose inputs are all there become `QUEUED`; those with an input that cannot come any more
 * (its run failed, was cancelled, is in the trash, or ended without that artifact) fail with a message that names it.
 * Runs that another transaction is changing are left to the next look.
 * @param sourceRunId Only runs that wait for this one; all when null.
 */
export async function settleWaitingRuns(
  connection: Connection,
  sourceRunId: string | null = null,
): Promise<{ queued: RunRecord[]; failed: RunRecord[] }> {
  const waiting = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE state = 'WAITING' AND deleted_at IS NULL
      AND (${sourceRunId}::uuid IS NULL OR EXISTS (
        SELECT FROM run_input WHERE run_input.run_id = run.id AND run_input.source_run_id = ${sourceRunId}::uuid))
      AND (${needsOneThat(IS_HOPELESS)} OR NOT ${needsOneThat(IS_OPEN)})
    ORDER BY priority, number LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED`;
  const settled: { queued: RunRecord[]; failed: RunRecord[] } = { queued: [], failed: [] };
  if (waiting.length === 0) return settled;
  const inputs = await inputStates(
    connection,
    waiting.map((row) => row.id),
  );
  for (const { id } of waiting) {
    const own = inputs.filter((input) => input.runId === id);
    const error = own.map(whyNever).find((message) => message !== null);
    if (error !== undefined) {
      const run = await endRun(connection, id, 'FAILED', error);
      if (run === null) continue;
      await addRunEvents(connection, [{ runId: id, type: 'ended', message: `Failed: ${error.message}` }]);
      settled.failed.push(run);
    } else if (own.every((input) => input.available)) {
      const run = await requeueRun(connection, id, 0);
      if (run === null) continue;
      await addRunEvents(connection, [{ runId: id, type: 'queued', message: 'All inputs are there: queued' }]);
      settled.queued.push(run);
    }
  }
  return settled;
}

async function inputStates(connection: Connection, runIds: string[]): Promise<InputState[]> {
  return await queryRows(connection, inputRow)`
    SELECT run_input.run_id AS "runId", run_input.name, run_input.artifact_name AS "artifactName",
      source.number AS "sourceNumber", source.state AS "sourceState", source.deleted_at IS NOT NULL AS "sourceInTrash",
      run_input.sha256 IS NOT NULL AS registered,
      run_input.sha256 IS NOT NULL OR source.state = 'SUCCEEDED' AND EXISTS (
        SELECT FROM artifact WHERE artifact.run_id = source.id AND artifact.name = run_input.artifact_name) AS available
    FROM run_input JOIN run source ON source.id = run_input.source_run_id
    WHERE run_input.run_id = ANY(${runIds}::uuid[]) ORDER BY run_input.run_id, run_input.name`;
}

/** Why an input will never be there, or null while it may. */
function whyNever(input: InputState): ErrorRecord | null {
  if (input.registered) return null;
  const what = `input "${input.name}" needs "${input.artifactName}" of run ${input.sourceNumber}, which`;
  if (input.sourceInTrash) return { code: 'RUN_FAILED', message: `${what} is in the trash` };
  switch (input.sourceState) {
    case 'FAILED':
      return { code: 'RUN_FAILED', message: `${what} failed` };
    case 'CANCELLED':
      return { code: 'RUN_FAILED', message: `${what} was cancelled` };
    case 'PRUNED':
      return { code: 'RUN_FAILED', message: `${what} was stopped early` };
    case 'SUCCEEDED':
      return input.available ? null : { code: 'RUN_FAILED', message: `${what} ended without leaving it` };
    case 'WAITING':
    case 'QUEUED':
    case 'RUNNING':
    case 'CRASHED':
      return null;
    default:
      return assertNever(input.sourceState);
  }
}
