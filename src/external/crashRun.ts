import { closeAttempt } from '#src/runs/store/attemptRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { endRun } from '#src/runs/store/moveRun.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';

/**
 * Ends an external run of whose program nothing was heard for the length of its lease. Runs that wait for it go on
 * waiting, since its program may be heard of again.
 * @returns the run as it is now, or null when it has ended meanwhile.
 */
export async function crashRun(connection: Connection, run: RunRecord): Promise<RunRecord | null> {
  const lastHeard = run.lastHeardAt === null ? 'never' : `at ${run.lastHeardAt.toISOString()}`;
  const message = `its program sent nothing for ${run.leaseSeconds} s: last heard ${lastHeard}`;
  const crashed = await endRun(connection, run.id, 'CRASHED', { code: 'PROGRAM_LOST', message });
  if (crashed === null) return null;
  const end = { state: 'LOST', errorCode: 'PROGRAM_LOST', errorMessage: message } as const;
  await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
  await addRunEvents(connection, [{ runId: run.id, type: 'crashed', message: `Crashed: ${message}` }]);
  return crashed;
}
