import { badInput } from '../base/contracts/errors.ts';
import { nearNames } from '../base/lib/nearNames.ts';
import { flattenObject, valueAt } from '../base/lib/plainObject.ts';
import { COMMAND_MEMBERS, type CommandParameters } from './kinds/command.ts';

/** `{name}`, and `{{name}}`, which stands for itself with one pair of braces. Other braces are left alone. */
const PLACEHOLDER = /\{\{([A-Za-z_][\w.-]*)\}\}|\{([A-Za-z_][\w.-]*)\}/g;

/** The user's own parameters of a command: those that are no members of every command's configuration. */
export function ownParameters(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members: readonly string[] = COMMAND_MEMBERS;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !members.includes(name)));
}

/** What stands for a value in an argument: text as it is, everything else as JSON. */
function argumentOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Program and arguments of a run, with every placeholder filled in. */
export function filledCommand(parameters: CommandParameters, seed: number): string[] {
  return filledLine(parameters.command, { ...ownParameters(parameters), seed });
}

/** Program and arguments with every placeholder that has a value filled in; `{optimizer.lr}` is the `lr` of `optimizer`. */
export function filledLine(line: readonly string[], values: Readonly<Record<string, unknown>>): string[] {
  return line.map((argument) =>
    argument.replace(PLACEHOLDER, (whole, literal: string | undefined, name: string | undefined) => {
      if (literal !== undefined) return `{${literal}}`;
      const value = name === undefined ? undefined : valueAt(values, name);
      return value === undefined ? whole : argumentOf(value);
    }),
  );
}

/**
 * Refuses a command with a placeholder that has no value. A parameter may be without one: its program finds it in `run.config`.
 * @throws WarrenError BAD_INPUT that names the placeholder.
 */
export function checkPlaceholders(parameters: CommandParameters): void {
  const values = ownParameters(parameters);
  if (Object.hasOwn(values, 'seed')) {
    throw badInput('parameters.seed: the seed of a run is given with seeds, and fills {seed}', 'parameters.seed');
  }
  for (const [index, argument] of parameters.command.entries()) {
    for (const name of placeholdersOf(argument)) {
      if (name === 'seed' || valueAt(values, name) !== undefined) continue;
      const near = nearNames(
        name,
        flattenObject(values).map(([path]) => path),
      );
      const hint = near.length > 0 ? `; there is ${near.join(', ')}` : '';
      throw badInput(
        `command[${index}]: {${name}} has no value: set the parameter ${name}, or write {{${name}}} for the braces themselves${hint}`,
        'command',
      );
    }
  }
}

/** What is said of parameters, by their names with dots, that no argument of a command has; null where there are none. */
export function unusedNote(line: readonly string[], names: readonly string[]): string | null {
  const used = new Set(line.flatMap(placeholdersOf));
  const isUsed = (name: string) => [...used].some((one) => name === one || name.startsWith(`${one}.`));
  const unused = names.filter((name) => !isUsed(name)).map((name) => `{${name}}`);
  if (unused.length === 0) return null;
  return `no argument of the command has ${unused.join(', ')}: the program must read ${unused.length === 1 ? 'it' : 'them'} from run.config, or from WARREN_PARAMETERS`;
}

function placeholdersOf(argument: string): string[] {
  return [...argument.matchAll(PLACEHOLDER)].flatMap(([, , name]) => (name === undefined ? [] : [name]));
}
