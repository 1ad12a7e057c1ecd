import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { listSelectedIds } from '#src/runs/store/runPage.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { cancelRuns } from './cancelRuns.ts';
import { deleteRuns, restoreRuns } from './deleteRuns.ts';
import { checkedDescription, checkedTagChange, describeRuns, moveRuns, tagRuns } from './editRuns.ts';
import { type ListRunsInput, resolveSelection } from './listRuns.ts';
import { type CommandRights, retryRuns } from './retryRuns.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { RunOutcome } from './runOutcome.ts';

export type RunsAction = 'CANCEL' | 'RETRY' | 'DELETE' | 'RESTORE' | 'TAG' | 'MOVE' | 'EDIT';

export interface ChangeMatchingInput extends Pick<ListRunsInput, 'project' | 'filter' | 'inTrash' | 'group'> {
  action: RunsAction;
  /** How many runs the caller has seen to match. */
  expected: number;
  /** For TAG. */
  addTags?: readonly string[] | null | undefined;
  removeTags?: readonly string[] | null | undefined;
  /** For MOVE: the name of a project. */
  toProject?: string | null | undefined;
  /** For EDIT: the new name of all, and a paragraph that is added to the notes of all. */
  name?: string | null | undefined;
  addNote?: string | null | undefined;
}

export interface MatchingChange {
  /** Ids of the runs with which it was done, the oldest first; one that had the tag or was in the project already is among them. */
  changedIds: string[];
  /** Those with which it was not, and why; the first of them. */
  refused: RunOutcome[];
  refusedCount: number;
}

const MOST_RUNS = 100_000;
/** Changed by one transaction, which holds their locks. */
const AT_ONCE = 1_000;
const SHOWN_REFUSALS = 20;

/**
 * Does one thing with all runs that match, a thousand at a time: what is done stays done when a later thousand fails.
 * @throws WarrenError CONFLICT when other than the expected number match, TOO_LARGE for more than 100,000, and as `listRuns`.
 */
export async function changeMatchingRuns(
  context: ServiceContext,
  input: ChangeMatchingInput,
  rights: CommandRights = {},
): Promise<MatchingChange> {
  const act = actionOf(context, input, rights);
  const selection = await resolveSelection(context, input);
  const ids = await listSelectedIds(context.db, selection, MOST_RUNS + 1);
  if (ids.length > MOST_RUNS) {
    const message = `filter: at most ${MOST_RUNS.toLocaleString('en')} runs are changed at once; narrow it down`;
    throw new WarrenError('TOO_LARGE', message, { path: 'filter' });
  }
  if (ids.length !== input.expected) {
    const message = `expected: ${ids.length} runs match now, not ${input.expected}; others were changed, deleted or never there: look at them again`;
    throw new WarrenError('CONFLICT', message, { path: 'expected' });
  }
  const change: MatchingChange = { changedIds: [], refused: [], refusedCount: 0 };
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const outcome of await act(ids.slice(from, from + AT_ONCE))) {
      if (outcome.done) change.changedIds.push(outcome.id);
      else if (++change.refusedCount <= SHOWN_REFUSALS) change.refused.push(outcome);
    }
  }
  return change;
}

/** What is done with some of the runs. @throws WarrenError BAD_INPUT for what the action lacks, before any run is changed. */
function actionOf(
  context: ServiceContext,
  { action, addTags, removeTags, toProject, name, addNote }: ChangeMatchingInput,
  rights: CommandRights,
): (ids: readonly string[]) => Promise<RunOutcome[]> {
  switch (action) {
    case 'CANCEL':
      return (ids) => cancelRuns(context, ids);
    case 'RETRY':
      return (ids) => retryRuns(context, ids, rights);
    case 'DELETE':
      return (ids) => deleteRuns(context, ids);
    case 'RESTORE':
      return (ids) => restoreRuns(context, ids);
    case 'TAG': {
      const tags = checkedTagChange({ add: addTags ?? [], remove: removeTags ?? [] });
      return (ids) => tagRuns(context, ids, tags);
    }
    case 'MOVE': {
      if (toProject == null) throw badInput('toProject: expected the name of a project, received none', 'toProject');
      const project = checkedName(toProject, 'toProject');
      return (ids) => moveRuns(context, ids, project);
    }
    case 'EDIT': {
      const description = checkedDescription({ name: name ?? null, addNote: addNote ?? null });
      return (ids) => describeRuns(context, ids, description);
    }
    default:
      return assertNever(action);
  }
}
