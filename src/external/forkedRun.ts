import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { copyPoints } from '#src/metrics/store/copyPoints.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { type ConfigurationRecord, findConfigurations } from '#src/runs/store/configurationRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { resolveRuns, whyNoRun } from '#src/runs/findRun.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';

/** Where a run branches off from another. */
export interface ForkPlace {
  parent: RunRecord;
  configuration: ConfigurationRecord | undefined;
  /** The last step that both have. */
  step: number;
}

/**
 * Finds the run from which another branches off; null where it is to begin anew.
 * @throws WarrenError NOT_FOUND when there is no such run, CONFLICT when it is in the trash, BAD_INPUT for a step that is none.
 */
export async function findForkPlace(
  connection: Connection,
  fork: { runId: string; step: number } | null | undefined,
): Promise<ForkPlace | null> {
  if (fork == null) return null;
  const step = checkedInteger(fork.step, { path: 'forkFrom.step', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  const [parent = null] = await resolveRuns(connection, [fork.runId]);
  if (parent === null) throw new WarrenError('NOT_FOUND', whyNoRun(fork.runId), { path: 'forkFrom.runId' });
  if (parent.deletedAt !== null) {
    const message = `run ${parent.number} is in the trash: restore it first`;
    throw new WarrenError('CONFLICT', message, { path: 'forkFrom.runId' });
  }
  const [configuration] = await findConfigurations(connection, [parent.configurationHash]);
  return { parent, configuration, step };
}

/** The parameters of a fork: its parent's, and over them its own. */
export function forkedParameters(
  fork: Pick<ForkPlace, 'configuration'> | null,
  own: Record<string, unknown>,
): Record<string, unknown> {
  const inherited = fork?.configuration?.parameters;
  return isPlainObject(inherited) ? { ...inherited, ...own } : own;
}

/** Gives a new run what its parent had up to the step, and writes down where it comes from. */
export async function inheritPoints(connection: Connection, runId: string, fork: ForkPlace): Promise<void> {
  const { parent, step } = fork;
  const points = await copyPoints(connection, { from: parent.id, to: runId, step });
  await addRunEvents(connection, [
    {
      runId,
      type: 'started',
      message: `Forked from run ${parent.number} after step ${step}, with ${points.toLocaleString('en')} points`,
      data: { parent: parent.id, step, points },
    },
  ]);
}
