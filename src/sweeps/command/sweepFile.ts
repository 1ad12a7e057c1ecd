import { badInput } from '#src/base/contracts/errors.ts';
import { readGivenFile } from '#src/base/terminal/arguments/readGivenFile.ts';
import { parseParameterFlag } from './parameterFlag.ts';
import { INPUT_FORMS } from '#src/base/contracts/inputSource.ts';
import { asPlainObject, isPlainObject } from '#src/base/lib/plainObject.ts';

/** The options of `warren sweep create` as commander gives them. */
export interface SweepFlags {
  kind?: string;
  dataset?: string;
  preset?: string;
  set?: string[];
  method?: string;
  metric?: string;
  goal?: string;
  trials?: number;
  untilNothingBetterIn?: number;
  hours?: number;
  epochs?: number;
  seeds?: number[];
  seed?: number;
  concurrency?: number;
  allowTestObjective?: boolean;
  gpus?: number;
  memory?: number;
  cores?: number;
  label?: string[];
  time?: number;
  environment?: string;
  input?: string[];
}

/** Whether a sweep file is one over a program of the user's own. */
export function sweepsOverCommand({ kind, command, program }: Readonly<Record<string, unknown>>): boolean {
  if (kind !== undefined && kind !== 'sweep') return kind === 'command';
  return command !== undefined || program !== undefined;
}

/** What is sent to the API: the file where there is one, and over it what the options say. */
export async function readSweepRequest(
  file: string | undefined,
  flags: SweepFlags,
  command: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const content = file === undefined ? {} : await readSweepFile(file);
  const {
    metric,
    goal,
    trials,
    untilNothingBetterIn,
    hours,
    epochs,
    set = [],
    memory,
    label,
    time,
    input,
    ...plain
  } = flags;
  const merged: Record<string, unknown> = { ...content };
  for (const [key, value] of Object.entries(plain)) if (value !== undefined) merged[key] = value;
  if (memory !== undefined) merged.memoryMb = memory;
  if (label !== undefined) merged.labels = label;
  if (time !== undefined) merged.seconds = time;
  if (input !== undefined)
    merged.inputs = { ...asPlainObject(merged.inputs), ...Object.fromEntries(input.map(inputOf)) };
  if (command.length > 0 && flags.kind !== undefined) throw badInput('give --kind, or a command after --, not both');
  if (command.length > 0) Object.assign(merged, { kind: 'command', command });
  if (metric !== undefined) merged.metric = { name: metric };
  if (goal !== undefined) merged.metric = { ...(isPlainObject(merged.metric) ? merged.metric : {}), goal };
  const budget = {
    ...(trials === undefined ? {} : { trials }),
    ...(untilNothingBetterIn === undefined ? {} : { untilNothingBetterIn }),
    ...(hours === undefined ? {} : { hours }),
    ...(epochs === undefined ? {} : { epochs }),
  };
  if (Object.keys(budget).length > 0) {
    merged.budget = { ...(isPlainObject(merged.budget) ? merged.budget : {}), ...budget };
    if (trials !== undefined) delete merged.run_cap;
  }
  if (set.length > 0) {
    const given = isPlainObject(merged.parameters) ? merged.parameters : {};
    merged.parameters = { ...given, ...Object.fromEntries(set.map(parseParameterFlag)) };
  }
  merged.method ??= merged.metric === undefined ? 'random' : 'tpe';
  if (merged.parameters === undefined)
    throw badInput('nothing varies: give a sweep file, or --set path=int(1,9)', '--set');
  return merged;
}

function inputOf(text: string): [name: string, source: string] {
  const [, name, source] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name !== undefined && source !== undefined) return [name, source];
  throw badInput(`expected name=${INPUT_FORMS}, not "${text}"`, '--input');
}

async function readSweepFile(file: string): Promise<Record<string, unknown>> {
  const text = await readGivenFile(file);
  // only here: loading the parser of YAML takes longer than most commands
  const { parseSweepFile } = await import('#src/sweeps/search/parseSweepFile.ts');
  return parseSweepFile(text, file);
}
