import { z } from 'zod';
import { COMMAND_ENVIRONMENT } from '#src/catalog/kinds/command.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { INPUT_FORMS, parseInputSource } from '#src/base/contracts/inputSource.ts';
import { editDistance } from '#src/base/lib/nearNames.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';
import { nestedParameters, type Point } from './searchSpace.ts';

const inputSchema = z.object({
  name: z.string(),
  runId: z.string().optional(),
  artifactName: z.string().optional(),
  version: z.string().optional(),
  /** Of a version's file, once the sweep is stored. */
  sha256: z.string().optional(),
});

/** What every trial of a sweep over a program of the user's own executes, as it is stored. */
export const sweepCommandSchema = z.object({
  /** Program and arguments; `{name}` is the drawn value of that name, `${args}` stands for all of them. */
  line: z.array(z.string()).min(1),
  /** The sha256 of the archive with the code; null to start in an empty folder. */
  code: z.string().nullable(),
  /** Its size, which only the API knows that has it. */
  codeBytes: z.number(),
  /** The archive's folder in which the program starts. */
  folder: z.string(),
  environment: z.string(),
  gpus: z.number(),
  memoryMb: z.number().nullable(),
  cores: z.number().nullable(),
  labels: z.array(z.string()),
  seconds: z.number().nullable(),
  origin: z.record(z.string(), z.unknown()),
  /** Files that every trial finds, by the names under which it finds them. */
  inputs: z.array(inputSchema).default([]),
});
export type SweepCommand = z.infer<typeof sweepCommandSchema>;

/** The keys of a sweep file that a program has, beside W&B's `program` and `command`: those of `enqueueCommand`. */
export const commandKeys = {
  program: z.string().min(1).optional(),
  command: z.array(z.string()).min(1).max(1_000).optional(),
  code: z.string().nullable().optional(),
  folder: z.string().optional(),
  environment: z
    .string()
    .regex(COMMAND_ENVIRONMENT, 'expected none, auto or container: with the name of an image')
    .optional(),
  gpus: z.int().min(0).optional(),
  memoryMb: z.int().min(1).nullable().optional(),
  cores: z.int().min(1).nullable().optional(),
  labels: z.array(z.string()).optional(),
  seconds: z.int().min(1).nullable().optional(),
  origin: z.record(z.string(), z.unknown()).optional(),
  /** `model: ranker@production`, `data.csv: 12:data.csv`. */
  inputs: z.record(z.string(), z.string()).optional(),
};

type CommandFile = { [Key in keyof typeof commandKeys]?: z.output<(typeof commandKeys)[Key]> };

/** W&B's `${name}`, which is no template of ours. */
const macroOf = (name: string) => `\${${name}}`;
const ENV = macroOf('env');
const INTERPRETER = macroOf('interpreter');
const PROGRAM = macroOf('program');
const ARGS = macroOf('args');
/** W&B's own, where a file names only a program. */
const USUAL_LINE = [ENV, INTERPRETER, PROGRAM, ARGS];
/** What stands for all drawn values is filled in for each trial. */
const FLAGS = macroOf('args_no_boolean_flags');
const JSON_ARGS = macroOf('args_json');
const JSON_FILE = macroOf('args_json_file');
const ARGUMENTS: readonly string[] = [ARGS, macroOf('args_no_hyphens'), FLAGS, JSON_ARGS, JSON_FILE];
/** In JSON what a command would take for a placeholder. */
const BRACED = /\{[A-Za-z_][\w.-]*\}/g;
/** W&B's others. `${envvar:NAME}` is filled in where the program starts; what else looks like one is a variable of a shell, and left alone. */
const UNKNOWN = /^\$\{args_\w+\}$/;

/** Whether a word looks like one of W&B's with one or two letters wrong; no program is called by such a name. */
function isMisspelled(word: string): boolean {
  const looks = /^\$\{\w{3,}\}$/.test(word);
  return (
    looks && [ENV, INTERPRETER, PROGRAM, ...ARGUMENTS].some((known) => editDistance(word.toLowerCase(), known) <= 2)
  );
}

/**
 * Reads the program of a sweep file: `command`, or W&B's `program`, with W&B's macros.
 * @throws WarrenError BAD_INPUT for a macro of W&B's that is not known here.
 */
export function readSweepCommand(file: CommandFile): SweepCommand {
  const { program } = file;
  const line = (file.command ?? USUAL_LINE).map((word, index) => {
    if (word === ENV) return '/usr/bin/env';
    if (word === INTERPRETER) return 'python3';
    if (word === PROGRAM) {
      if (program !== undefined) return program;
      throw badInput(`command[${index}]: ${word} needs the key program`, 'command');
    }
    if (ARGUMENTS.includes(word) || !(UNKNOWN.test(word) || isMisspelled(word))) return word;
    const known = [ENV, INTERPRETER, PROGRAM, ...ARGUMENTS].join(', ');
    throw badInput(`command[${index}]: received ${word}, of W&B's words there are ${known}`, 'command');
  });
  return {
    line,
    code: file.code ?? null,
    codeBytes: 0,
    folder: file.folder ?? '',
    environment: file.environment ?? 'none',
    gpus: file.gpus ?? 0,
    memoryMb: file.memoryMb ?? null,
    cores: file.cores ?? null,
    labels: file.labels ?? [],
    seconds: file.seconds ?? null,
    origin: file.origin ?? {},
    inputs: Object.entries(file.inputs ?? {}).map(readInput),
  };
}

function readInput([name, text]: readonly [string, string]): SweepCommand['inputs'][number] {
  const source = parseInputSource(text);
  if (source !== null) return { name, ...source };
  throw badInput(`inputs.${name}: expected ${INPUT_FORMS}, received "${text.slice(0, 200)}"`, `inputs.${name}`);
}

/** W&B writes values as Python's `str` does: a program that compares with `True` must not read `true` as false. */
function pythonWord(value: unknown): string | null {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : null;
}

/**
 * Program and arguments of a trial. `${args}` becomes `--name={name}` for each value that it has drawn, with Python's `True`,
 * `False` and `None` as at W&B; `${args_no_boolean_flags}` the same, but `--name` for what is true and nothing for what is false;
 * `${args_json}` all of them as one JSON text, and `${args_json_file}` the name of a file with it, which a shell writes first. Names
 * are in the order of the alphabet: a point that is read from the database has lost the order in which it was drawn, and the same
 * point must be the same configuration.
 */
export function trialLine(line: readonly string[], point: Point): string[] {
  const names = Object.keys(point).sort();
  const json = JSON.stringify(
    nestedParameters(Object.fromEntries(names.map((name) => [name, point[name]]))),
  ).replaceAll(BRACED, '{$&}');
  const file = `warren-args-${stableHash(point).slice(0, 12)}.json`;
  const words = line.flatMap((word) => {
    if (word === FLAGS) {
      return names.flatMap((name) => {
        if (point[name] === false) return [];
        return [point[name] === true ? `--${name}` : `--${name}={${name}}`];
      });
    }
    if (word === JSON_ARGS) return [json];
    if (word === JSON_FILE) return [file];
    if (!ARGUMENTS.includes(word)) return [word];
    return names.map((name) => `${word === ARGS ? '--' : ''}${name}=${pythonWord(point[name]) ?? `{${name}}`}`);
  });
  const writes = ['sh', '-c', `printf %s "$0" > ${file} && exec "$@"`, json];
  return line.includes(JSON_FILE) ? [...writes, ...words] : words;
}

/** Whether every drawn value gets into the command line, whatever its name. */
export function hasAllArguments(line: readonly string[]): boolean {
  return line.some((word) => ARGUMENTS.includes(word));
}
