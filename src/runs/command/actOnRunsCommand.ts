import { printable } from '#src/base/lib/printable.ts';
import type { ActOnRuns } from './actOnRuns.ts';
import { parseRunId } from '#src/base/terminal/arguments/runId.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_BAD_INPUT } from '#src/base/terminal/reportFailure.ts';

export interface ActOnRunsCommand {
  act: ActOnRuns;
  ids: readonly string[];
  /** What is said of a run with which it worked. */
  done: string;
  json: boolean;
}

/** The body of the commands that change runs by their numbers: one line per run; exit code 2 when it could not be done with one of them. */
export async function actOnRunsCommand(context: CommandContext, command: ActOnRunsCommand): Promise<void> {
  const api = await context.api();
  const outcomes = await command.act(api, command.ids.map(parseRunId));
  if (command.json) context.terminal.print(JSON.stringify(outcomes, null, 2));
  for (const { id, done, message, run } of outcomes) {
    const label = run === null ? id : `#${run.number} ${printable(run.name)}`;
    if (!done) context.terminal.say(`warren: ${label}: ${message ?? 'nothing was done'}`);
    else if (!command.json) context.terminal.print(`${label}: ${command.done}`);
  }
  if (outcomes.some((outcome) => !outcome.done)) context.exitCode = EXIT_BAD_INPUT;
}
