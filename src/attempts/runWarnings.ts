import type { RestartReport } from '#src/base/contracts/reports.ts';
import { removeCheckpoint } from '#src/artifacts/store/artifactRecord.ts';
import { forgetResumption } from '#src/runs/store/attemptRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { Holder } from '#src/runs/store/moveRun.ts';
import { removeLaterPoints } from '#src/metrics/store/removeLaterPoints.ts';
import { addRunEvents, listRunEvents } from '#src/runs/store/runEvent.ts';

/**
 * Forgets a checkpoint that cannot be used, and the points that the run recorded. Told again, when the checkpoint has gone,
 * it does nothing.
 */
export async function beginAnew(
  connection: Connection,
  { runId, attempt }: Holder,
  { sha256, message }: RestartReport,
): Promise<void> {
  if (!(await removeCheckpoint(connection, runId, sha256))) return;
  await removeLaterPoints(connection, runId, -1);
  await forgetResumption(connection, { runId, number: attempt });
  await addRunEvents(connection, [{ runId, type: 'restarted', message, data: { attempt } }]);
}

/** Makes warnings of an attempt events of its run, each once. */
export async function addWarnings(
  connection: Connection,
  { runId, attempt }: Holder,
  warnings: readonly string[],
): Promise<void> {
  if (warnings.length === 0) return;
  const told = (await listRunEvents(connection, [runId])).filter(({ data }) => data.attempt === attempt);
  const fresh = warnings.filter((message) => !told.some((event) => event.message === message));
  await addRunEvents(
    connection,
    fresh.map((message) => ({ runId, type: 'warned', message, data: { attempt } })),
  );
}
