import { WarrenError } from '../contracts/errors.ts';
import type { RunState } from '../contracts/runState.ts';
import { findConfigurations } from '../store/configurationRecord.ts';
import type { Connection } from '../store/connection.ts';
import { lockRuns, type RunRecord } from '../store/runRecord.ts';
import { resolveRuns, whyNoRun } from './findRun.ts';

/**
 * Locks a run that a program of the user's own executes, and makes sure that it may still write.
 * @param options.endedAs A state that the run may have ended with already.
 * @throws WarrenError NOT_FOUND, BAD_INPUT when a worker executes the run, CONFLICT when it has ended.
 */
export async function requireRunningExternal(
  connection: Connection,
  reference: string,
  options: { endedAs?: RunState } = {},
): Promise<RunRecord> {
  const path = 'runId';
  const [found = null] = await resolveRuns(connection, [reference]);
  const [run] = found === null ? [] : await lockRuns(connection, [found.id]);
  if (run === undefined) throw new WarrenError('NOT_FOUND', whyNoRun(reference), { path });
  const [configuration] = await findConfigurations(connection, [run.configurationHash]);
  if (configuration?.kind !== 'external') {
    throw new WarrenError('BAD_INPUT', `run ${run.number} is executed by Warren's workers: they alone write to it`, {
      path,
    });
  }
  if (run.state !== 'RUNNING' && run.state !== options.endedAs) {
    throw new WarrenError('CONFLICT', `run ${run.number} has ended (${run.state}): nothing can be added`, { path });
  }
  return run;
}
