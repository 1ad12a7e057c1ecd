import type { Command, Option } from 'commander';
import { allDatasets } from '#src/catalog/datasets.ts';
import { allKinds, findKind } from '#src/catalog/kinds.ts';
import { parameterPaths } from '#src/catalog/parameterPaths.ts';

/** What a word may become, with a few words about it. */
export interface Candidate {
  word: string;
  about: string;
}

/** Names that only a running Warren knows. */
export interface KnownNames {
  projects(): Promise<string[]>;
  /** Of a project; of all where none is given. */
  views(project: string | null): Promise<string[]>;
}

/**
 * What the last of the words may become, by the commands and options that there are: subcommands, options, and values of options
 * where they can be known (kinds, presets, datasets, parameters, projects, views).
 * @param words All after `warren`; the last one may be empty.
 */
export async function candidates(program: Command, words: readonly string[], names: KnownNames): Promise<Candidate[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // what follows is a command of one's own
  if (before.includes('--')) return [];
  const { command, rest } = commandOf(program, before);
  const options = command.createHelp().visibleOptions(command);
  const waiting = options.find((option) => takesValue(option) && isNamed(option, before.at(-1)));
  const found =
    waiting !== undefined
      ? await valuesOf(waiting, rest, { ...names, project: projectOf(before) })
      : current.startsWith('-')
        ? options.flatMap((option) => (option.long == null ? [] : [{ word: option.long, about: option.description }]))
        : argumentsOf(command, rest);
  return found.filter(({ word }) => word.startsWith(current));
}

/** The command that the words name, and the words that are none of its names. */
function commandOf(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  let command = program;
  const rest: string[] = [];
  for (const word of words) {
    const inner = rest.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (inner === undefined) rest.push(word);
    else command = inner;
  }
  return { command, rest };
}

/** The value of `--project` among the words; null where it is not given. */
function projectOf(words: readonly string[]): string | null {
  const at = words.indexOf('--project');
  return (at < 0 ? undefined : words[at + 1]) ?? null;
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function isNamed({ long, short }: Option, word: string | undefined): boolean {
  return word !== undefined && (word === long || word === short);
}

function argumentsOf(command: Command, rest: readonly string[]): Candidate[] {
  const own = command.registeredArguments[0];
  if (command.name() === 'run' && rest.length === 0) return kindCandidates();
  if (own?.argChoices !== undefined && rest.length === 0) return own.argChoices.map((word) => ({ word, about: '' }));
  return command
    .createHelp()
    .visibleCommands(command)
    .map((inner) => ({ word: inner.name(), about: inner.summary() || inner.description() }));
}

function kindCandidates(): Candidate[] {
  return allKinds().map(({ kind, title }) => ({ word: kind, about: title }));
}

async function valuesOf(
  option: Option,
  rest: readonly string[],
  names: KnownNames & { project: string | null },
): Promise<Candidate[]> {
  const plain = (words: readonly string[]) => words.map((word) => ({ word, about: '' }));
  if (option.argChoices !== undefined) return plain(option.argChoices);
  const kind = rest.map((word) => findKind(word)).find((one) => one !== undefined);
  switch (option.long) {
    case '--dataset':
      return plain(allDatasets().map(({ name }) => name));
    case '--preset':
      return (kind?.presets ?? []).map(({ name, description }) => ({ word: name, about: description }));
    case '--set':
      return kind === undefined ? [] : plain(parameterPaths(kind).map((path) => `${path}=`));
    case '--project':
      return plain(await names.projects());
    case '--view':
      return plain(await names.views(names.project));
    default:
      return [];
  }
}
