import type { Command, Option } from 'commander';
import { WarrenError } from '#src/base/contracts/errors.ts';

/** What a command calls members of the API's inputs, where its option has another name; empty: what is wrong says which. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compare: { ids: '', metrics: '--paired' },
  edit: { name: '--rename', addNote: '--note' },
  ls: { orderBy: '--order', metrics: '--metric' },
  'model describe': { newName: '--rename', tags: '--tag' },
  move: { toProject: '--to' },
  run: { datasetName: '--dataset' },
  share: { runIds: '', expiresAt: '--days' },
  tag: { addTags: '--add', removeTags: '--remove' },
};

/**
 * An error of the API in the words of the command line: where it names a member of an input (`addTags`, `ids[1]`), the option that
 * was typed stands instead (`--add`). Other errors stay as they are.
 * @param command The command that was executed.
 */
export function inTypedWords(error: unknown, command: Command): unknown {
  if (!(error instanceof WarrenError) || error.path === undefined) return error;
  const { code, path, message } = error;
  const typed = typedWord(path, command);
  if (typed === null) return error;
  const said = message.startsWith(path) ? message.slice(path.length) : `: ${message}`;
  const text = typed === '' ? said.replace(/^: /, '') : typed + said;
  return new WarrenError(code, text, { ...(typed === '' ? {} : { path: typed }), cause: error });
}

/** The option of a command that stands for a member of an input; null where none does. */
function typedWord(path: string, command: Command): string | null {
  const [, head = '', rest = ''] = /^([a-zA-Z]+)(.*)$/s.exec(path) ?? [];
  if (head === '') return null;
  const named = WORDS[pathOf(command)]?.[head];
  if (named !== undefined) return named;
  const option = (name: string): Option | undefined => command.options.find((one) => one.attributeName() === name);
  if (head === 'parameters' && rest.startsWith('.')) {
    return command.getOptionValueSource('set') === 'cli' ? `--set ${rest.slice(1)}` : null;
  }
  const whole = option(head) ?? option(head.replace(/s$/, ''));
  const isArgument = command.registeredArguments.some((argument) => argument.name() === head);
  if (isArgument && command.getOptionValueSource(head) === undefined) return null;
  // a member of what has an option as a whole, such as `dataset.core`, is set by another
  if (whole !== undefined) return rest.startsWith('.') ? null : (whole.long ?? null);
  const [, member = ''] = /\.([a-zA-Z]+)(?:\[\d+\])?$/.exec(rest) ?? [];
  return option(member)?.long ?? null;
}

/** `model describe`, without the program's own name. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trim();
}
