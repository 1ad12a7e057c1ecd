import type { Connection } from '#src/base/database/connection.ts';
import { lockRuns, type RunRecord } from '#src/runs/store/runRecord.ts';
import { checkReferences, resolveRuns, whyNoRun } from './findRun.ts';

/** What an action on many runs did to one of them. */
export interface RunOutcome {
  /** As it was given: id or number. */
  id: string;
  done: boolean;
  /** Why not, where `done` is false. */
  message: string | null;
  run: RunRecord | null;
}

/** A change to one run: the changed row, or why it was not changed. */
export type Change = { run: RunRecord } | { refused: string };

/**
 * Locks the runs that the references name and lets `change` act on them all at once.
 * @param change Gets each run once; answers by the run's id. A run that it leaves out counts as changed by nobody.
 * @returns one outcome a reference, in the order given.
 */
export async function changeEach(
  connection: Connection,
  references: readonly string[],
  change: (runs: RunRecord[]) => Promise<Map<string, Change>>,
): Promise<RunOutcome[]> {
  checkReferences(references);
  const found = await resolveRuns(connection, references);
  const ids = [...new Set(found.flatMap((run) => (run === null ? [] : [run.id])))];
  const runs = await lockRuns(connection, ids);
  const current = new Map(runs.map((run) => [run.id, run]));
  const changes = await change(runs);
  return references.map((id, index) => {
    const run = found[index] ?? null;
    if (run === null) return { id, done: false, message: whyNoRun(id), run: null };
    const result = changes.get(run.id) ?? { refused: 'it was changed by somebody else at the same time' };
    if ('run' in result) return { id, done: true, message: null, run: result.run };
    return { id, done: false, message: result.refused, run: current.get(run.id) ?? run };
  });
}
