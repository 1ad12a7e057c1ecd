import type { SweepDefinition } from '#src/sweeps/search/sweepDefinition.ts';
import { trialLine } from '#src/sweeps/search/sweepCommand.ts';
import { nestedParameters, type Point } from '#src/sweeps/search/searchSpace.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { SweepPlace } from '#src/runs/store/insertRuns.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { type CheckedCommand, checkCommand, insertCheckedCommand } from '#src/programs/enqueueCommand.ts';
import { type CheckedRuns, checkRuns, type EnqueueRunsInput, insertCheckedRuns } from '#src/runs/enqueueRuns.ts';

/** The runs of a point, which may be queued. */
export type TrialRuns = { command: CheckedCommand; codeBytes: number } | { runs: CheckedRuns };

/** What of a trial's runs its sweep does not decide for all of them. */
type Particulars = Pick<EnqueueRunsInput, 'project' | 'name' | 'tags' | 'seeds' | 'key'>;

/**
 * The runs of a point of a sweep.
 * @throws WarrenError where the kind, or the command, refuses its parameters together.
 */
export function checkTrialRuns(definition: SweepDefinition, point: Point, particulars: Particulars = {}): TrialRuns {
  const { command, seeds, priority, maxAttempts, tags } = definition;
  const common = { seeds, priority, maxAttempts, tags, ...particulars };
  if (command === null) return { runs: checkRuns({ ...experimentOf(definition, point), ...common }) };
  const { line, codeBytes, ...rest } = command;
  const input = { ...rest, ...common, command: trialLine(line, point), parameters: nestedParameters(point) };
  return { command: checkCommand(input), codeBytes };
}

/** Inserts the runs of a trial, or of its confirmation, within a transaction; `addRunJobs` hands them to workers. */
export async function insertTrialRuns(
  connection: Connection,
  checked: TrialRuns,
  { user, ...place }: SweepPlace & { user: string | null },
): Promise<RunRecord[]> {
  if ('runs' in checked) return await insertCheckedRuns(connection, checked.runs, { user, sweep: place });
  const { command, codeBytes } = checked;
  return await insertCheckedCommand(connection, command, { codeBytes, user, sweep: place });
}

/**
 * What kind of run is queued for a point, with what: parameters under `dataset.` choose the data, all others go to the kind. A
 * dataset by name and parts of one drawn join into one selection.
 */
function experimentOf(
  { kind, preset, dataset }: SweepDefinition,
  point: Point,
): Pick<EnqueueRunsInput, 'kind' | 'preset' | 'parameters' | 'dataset'> {
  const { dataset: drawn, ...parameters } = nestedParameters(point);
  const given = typeof dataset === 'string' ? { name: dataset } : dataset;
  const isWhole = drawn === undefined || typeof drawn !== 'object' || drawn === null;
  const chosen = drawn === undefined ? dataset : isWhole ? drawn : { ...(given ?? {}), ...drawn };
  return { kind, preset, parameters, dataset: chosen };
}
