import type { Command } from 'commander';
import type { ChangeRunsInput } from '#src/generated/api.ts';
import { addWhichRuns, filterOf, type WhichRuns } from '#src/base/terminal/arguments/whichRuns.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

interface ChangeOptions extends WhichRuns {
  project?: string;
  yes?: boolean;
  json?: boolean;
}

/** Options that one of the commands has. */
interface ActionOptions {
  to?: string;
  add?: string[];
  remove?: string[];
  rename?: string;
  note?: string;
}

type ActionInput = Omit<ChangeRunsInput, 'filter' | 'project' | 'expected'>;

/** What the commands that change runs have in common. */
interface ChangeCommand {
  name: string;
  summary: string;
  description: string;
  examples: readonly string[];
  /** What is said of runs with which it worked. */
  done: string;
}

/** `cancel`, `retry`, `delete`, `undelete`, `tag`, `edit` and `move`: for runs by number or id, or for all that match a filter. */
export function addChangeCommands(program: Command, context: CommandContext): void {
  add(program, context, () => ({ action: 'CANCEL' }), {
    name: 'cancel',
    summary: 'stop runs',
    done: 'cancelled',
    description: 'Stop runs: one that waits ends at once, one that runs within two seconds. What it has logged stays.',
    examples: ['cancel 12', 'cancel 12 13 14', "cancel --filter 'state = QUEUED and kind = overrec'"],
  });
  add(program, context, () => ({ action: 'RETRY' }), {
    name: 'retry',
    summary: 'queue failed or cancelled runs again',
    done: 'queued again',
    description: 'Queue failed or cancelled runs again: a new attempt of the same run, from its last checkpoint.',
    examples: ['retry 12', 'retry --state FAILED --yes'],
  });
  add(program, context, () => ({ action: 'DELETE' }), {
    name: 'delete',
    summary: 'move runs to the trash',
    done: 'moved to the trash',
    description:
      'Move runs to the trash: ended ones as they are, queued ones cancelled. `warren undelete` takes them back.',
    examples: ['delete 12', "delete --filter 'tag = try and created < 2026-01-01' --yes"],
  });
  add(program, context, () => ({ action: 'RESTORE', inTrash: true }), {
    name: 'undelete',
    summary: 'take runs back out of the trash',
    done: 'taken back',
    description: 'Take runs back out of the trash (`warren ls --trash`).',
    examples: ['undelete 12', "undelete --filter 'tag = try' --yes"],
  });
  addTag(program, context);
  const edit = add(program, context, ({ rename, note }) => ({ action: 'EDIT', name: rename, addNote: note }), {
    name: 'edit',
    summary: 'rename runs, or add to their notes',
    done: 'changed',
    description: 'Give runs a name, or add a paragraph to their notes.',
    examples: ['edit 12 --rename "the one of Table 3"', "edit --filter 'tag = paper' --note 'Before the fix.' --yes"],
  });
  edit.option('--rename <name>', 'their new name').option('--note <text>', 'a paragraph at the end of their notes');
  const move = add(program, context, ({ to }) => ({ action: 'MOVE', toProject: to }), {
    name: 'move',
    summary: 'move runs to another project',
    done: 'moved',
    description: 'Move runs to another project, which is made where there is none. Runs of a sweep stay with it.',
    examples: ['move 12 --to paper', "move --project default --filter 'tag = paper' --to paper --yes"],
  });
  move.requiredOption('--to <project>', 'name of the project');
}

function addTag(program: Command, context: CommandContext): void {
  const input = ({ add: addTags = [], remove: removeTags = [] }: { add?: string[]; remove?: string[] }) =>
    ({ action: 'TAG', addTags, removeTags }) as const;
  const tag = add(program, context, input, {
    name: 'tag',
    summary: 'add tags to runs, or take them away',
    done: 'tagged',
    description: 'Add tags to runs, or take them away.',
    examples: ['tag 12 13 --add final', "tag --filter 'state = FAILED' --add look --remove final --yes"],
  });
  const collect = (text: string, before: string[] = []) => [...before, text];
  tag.option('--add <tag>', 'a tag to add; may be repeated', collect);
  tag.option('--remove <tag>', 'a tag to remove; may be repeated', collect);
}

function add(
  program: Command,
  context: CommandContext,
  inputOf: (options: ActionOptions) => ActionInput,
  { name, summary, description, examples, done }: ChangeCommand,
): Command {
  const command = program
    .command(name)
    .summary(summary)
    .description(description)
    .argument('[runs...]', 'numbers or ids of runs');
  return addWhichRuns(command, 'all runs that match, in the language of `warren ls`, instead of numbers')
    .option('--project <name>', 'with a filter, a state or a tag: only runs of this project')
    .option('--yes', 'with these: do it; without it, only say how many match (exit code 2); where none does, 0')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  warren ${example}`).join('\n')}`)
    .action(async (runs: string[], options: ChangeOptions & ActionOptions) => {
      const { changeRunsCommand } = await import('./changeRunsCommand.ts');
      const filter = filterOf(options);
      await changeRunsCommand(context, { runs, ...options, filter, input: inputOf(options), name, done });
    });
}
