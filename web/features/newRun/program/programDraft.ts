import { z } from 'zod/mini';
import { memoryInMb } from '#src/base/lib/memoryAmount.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { inputLines, type RecordedInput, readInputs } from '../inputLines.ts';

/** A program of the user's own as the form holds it, as it is typed. */
export interface ProgramDraft {
  /** One argument a line; a line that begins with a quotation mark is a JSON text. */
  line: string;
  /** The value of each `{name}`, as JSON or as a bare word. */
  values: Readonly<Record<string, string>>;
  gpus: string;
  /** `8G`; empty keeps none free. */
  memory: string;
  cores: string;
  labels: string;
  /** Minutes after which an attempt is ended; empty: never. */
  minutes: string;
  /** `model.pt=ranker@production` or `data.csv=12:data.csv`, one a line. */
  inputs: string;
}

export type ProgramField = Exclude<keyof ProgramDraft, 'values'>;

/** What the form does not show: it stays as the run that it begins with had it. */
export interface ProgramSource {
  code: string | null;
  folder: string;
  environment: string;
  origin: Record<string, unknown>;
}

const parametersSchema = z.object({
  command: z.array(z.string()),
  code: z.nullable(z.string()),
  folder: z.string(),
  environment: z.string(),
});

const needsSchema = z.object({
  gpus: z.number(),
  memoryMb: z.nullable(z.number()),
  cores: z.nullable(z.number()),
  labels: z.array(z.string()),
  seconds: z.nullable(z.number()),
});

/** Where the code of a run came from, in its environment. */
const ORIGIN = ['codeCommit', 'codeChanged', 'codeBranch'] as const;

/** The program of a run of kind `command`; null where it is none. */
export function programOf(run: {
  /** As it was queued: without what the program added. */
  queued: { parameters: unknown };
  needs: unknown;
  environment: unknown;
  inputs: readonly RecordedInput[];
}): { draft: ProgramDraft; source: ProgramSource } | null {
  const parameters = parametersSchema.safeParse(run.queued.parameters);
  if (!parameters.success) return null;
  const { command, code, folder, environment } = parameters.data;
  const needs = needsSchema.safeParse(run.needs).data;
  const members = new Set(['command', 'code', 'folder', 'environment']);
  const own = Object.entries(asPlainObject(run.queued.parameters)).filter(([name]) => !members.has(name));
  const facts = asPlainObject(run.environment);
  const draft = {
    line: command.map(lineOfArgument).join('\n'),
    values: Object.fromEntries(own.map(([name, value]) => [name, textOfValue(value)])),
    gpus: String(needs?.gpus ?? 0),
    memory: needs?.memoryMb == null ? '' : `${needs.memoryMb}M`,
    cores: needs?.cores == null ? '' : String(needs.cores),
    labels: needs?.labels.join(', ') ?? '',
    minutes: needs?.seconds == null ? '' : String(needs.seconds / 60),
    inputs: inputLines(run.inputs),
  };
  const origin = Object.fromEntries(ORIGIN.filter((name) => name in facts).map((name) => [name, facts[name]]));
  return { draft, source: { code, folder, environment, origin } };
}

function lineOfArgument(argument: string): string {
  return argument === '' || argument.includes('\n') || argument.startsWith('"') ? JSON.stringify(argument) : argument;
}

/** Text as it is, unless it would be read as something else. */
function textOfValue(value: unknown): string {
  return typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value);
}

/** What is typed for a parameter: JSON where it is any, else a text. */
export function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** The arguments that are typed one a line; a message where a quoted one is no JSON. */
export function readLine(text: string): { command: string[] } | { message: string } {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return { message: 'A program and its arguments, one a line.' };
  const command: string[] = [];
  for (const line of lines) {
    const value = line.startsWith('"') ? readValue(line) : line;
    if (line.startsWith('"') && value === line) return { message: `${line}: the closing quotation mark is missing.` };
    command.push(String(value));
  }
  return { command };
}

/** As in the line of a command; `{{name}}` stands for itself. */
const PLACEHOLDER = /\{\{[A-Za-z_][\w.-]*\}\}|\{([A-Za-z_][\w.-]*)\}/g;

/** The names in braces, each once, in their order; the seed is no parameter. */
export function placeholdersOf(line: string): string[] {
  const names = [...line.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)].filter((name) => name !== 'seed');
}

export interface ReadProgram {
  /** What queueing the program and a sweep over it have in common. */
  fields: {
    command: string[];
    gpus: number;
    memoryMb: number | null;
    cores: number | null;
    labels: string[];
    seconds: number | null;
  };
  /** Where the files come from that it finds, by the names under which it finds them. */
  inputs: Record<string, string>;
  /** What is wrong, by field. */
  errors: Partial<Record<ProgramField, string>>;
}

/** Reads what is typed, but for the values of parameters. */
export function readProgram(draft: ProgramDraft): ReadProgram {
  const errors: ReadProgram['errors'] = {};
  const line = readLine(draft.line);
  if ('message' in line) errors.line = line.message;
  const whole = (name: 'gpus' | 'cores', least: number): number | null => {
    const text = draft[name].trim();
    if (text === '') return null;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    errors[name] = `A whole number from ${least} on.`;
    return null;
  };
  const memoryMb = draft.memory.trim() === '' ? null : memoryInMb(draft.memory);
  if (memoryMb === null && draft.memory.trim() !== '') errors.memory = 'An amount such as 512M or 8G.';
  const { inputs, problem } = readInputs(draft.inputs);
  if (problem !== null) errors.inputs = problem;
  const minutes = Number(draft.minutes);
  const timed = draft.minutes.trim() !== '';
  if (timed && !(minutes > 0)) errors.minutes = 'Minutes, more than 0.';
  return {
    fields: {
      command: 'command' in line ? line.command : [],
      gpus: whole('gpus', 0) ?? 0,
      memoryMb,
      cores: whole('cores', 1),
      labels: draft.labels.split(/[\s,]+/).filter((label) => label !== ''),
      seconds: timed && minutes > 0 ? Math.max(1, Math.round(minutes * 60)) : null,
    },
    inputs: Object.fromEntries(inputs),
    errors,
  };
}

const FIELD_OF: Readonly<Record<string, ProgramField>> = {
  ...{ command: 'line', gpus: 'gpus', memoryMb: 'memory', cores: 'cores', labels: 'labels', seconds: 'minutes' },
  inputs: 'inputs',
};

/** The field of the form that a path of the API belongs to; `parameters.lr` keeps its name, null where there is none. */
export function programFieldOf(path: string | null): string | null {
  const plain =
    path
      ?.replace(/^input\./, '')
      .replace(/^file\./, '')
      .replace(/\[.*$/, '') ?? '';
  return FIELD_OF[plain] ?? (plain.startsWith('parameters.') ? plain : null);
}
