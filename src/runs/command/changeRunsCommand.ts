import { badInput } from '#src/base/contracts/errors.ts';
import { ChangeRunsDocument, type ChangeRunsInput, CountRunsDocument } from '#src/generated/api.ts';
import { actOnRunsCommand } from './actOnRunsCommand.ts';
import { cancelRuns, deleteRuns, restoreRuns, retryRuns } from './actOnRuns.ts';
import { changeNamedRuns, type RunChange } from './changeNamedRuns.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { parseRunId } from '#src/base/terminal/arguments/runId.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_BAD_INPUT } from '#src/base/terminal/reportFailure.ts';

export interface ChangeRunsCommand {
  runs: readonly string[];
  filter?: string | undefined;
  project?: string;
  yes?: boolean;
  json?: boolean;
  input: Omit<ChangeRunsInput, 'filter' | 'project' | 'expected'>;
  /** Of the command. */
  name: string;
  /** What is said of a run with which it worked. */
  done: string;
}

/** Actions that have a mutation of their own for runs by number. */
const BY_ID = new Map<ChangeRunsInput['action'], typeof cancelRuns>([
  ['CANCEL', cancelRuns],
  ['RETRY', retryRuns],
  ['DELETE', deleteRuns],
  ['RESTORE', restoreRuns],
]);

/** The body of the commands that change runs; exit code 2 when it could not be done with one of them, 0 where no run matches. */
export async function changeRunsCommand(context: CommandContext, command: ChangeRunsCommand): Promise<void> {
  const { runs, filter, name } = command;
  if (runs.length > 0 && filter !== undefined) {
    throw badInput(`give numbers of runs, or --filter: ${name} takes one of them`, '--filter');
  }
  if (runs.length === 0 && filter === undefined) {
    throw badInput(`which runs? Give their numbers, or --filter for all that match: warren ${name} 12`, 'runs');
  }
  const api = await context.api();
  if (filter !== undefined) return await changeMatching(context, api, { ...command, filter });
  const { done, json, input } = command;
  const act = BY_ID.get(input.action);
  if (act !== undefined) return await actOnRunsCommand(context, { act, ids: runs, done, json: json === true });
  tellChange(context, command, await changeNamedRuns(api, runs.map(parseRunId), input));
}

async function changeMatching(
  context: CommandContext,
  api: ApiClient,
  command: ChangeRunsCommand & { filter: string },
): Promise<void> {
  const { filter, project, input, name, yes } = command;
  const which = { filter, project: project ?? null, inTrash: input.inTrash ?? false };
  const { totalCount } = (await api.request(CountRunsDocument, which)).runs;
  if (totalCount === 0) {
    const nothing = { changedIds: [], refused: [], refusedCount: 0 };
    if (command.json === true) context.terminal.print(JSON.stringify(nothing, null, 2));
    context.terminal.say('warren: no run matches the filter: nothing to do');
    return;
  }
  if (yes !== true) {
    context.terminal.say(`warren: ${runsText(totalCount)} match; add --yes to ${name} them`);
    context.exitCode = EXIT_BAD_INPUT;
    return;
  }
  const answer = await api.request(ChangeRunsDocument, { input: { ...input, ...which, expected: totalCount } });
  tellChange(context, command, answer.change);
}

function tellChange(context: CommandContext, { json, done }: ChangeRunsCommand, change: RunChange): void {
  const { terminal } = context;
  const { changedIds, refused, refusedCount } = change;
  if (json === true) terminal.print(JSON.stringify(change, null, 2));
  else terminal.print(`${runsText(changedIds.length)} ${done}`);
  for (const { id, message } of refused) terminal.say(`warren: ${message ?? `${id}: nothing was done`}`);
  if (refusedCount > refused.length) terminal.say(`warren: and ${refusedCount - refused.length} more`);
  if (refusedCount > 0) context.exitCode = EXIT_BAD_INPUT;
}

function runsText(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}
