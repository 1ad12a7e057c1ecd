import { canonicalJson } from '#src/base/lib/stableHash.ts';

/** A field or fact of compared runs: one value a run, null where absent. */
export interface ComparedValues {
  path: string;
  values: readonly unknown[];
}

/** So many significant digits are not chosen alike by chance. */
const DRAWN_DIGITS = 6;

/**
 * Fields of what programs added to their parameters that tell only what a parameter that was queued tells: with the same name written
 * otherwise (`batch_size` beside `batchSize`), or with the same drawn numbers.
 * @param isQueued Whether a field is of the configuration, not added by a program.
 * @returns Their paths.
 */
export function repeatingFields(
  fields: readonly ComparedValues[],
  isQueued: (path: string) => boolean,
): ReadonlySet<string> {
  const queued = new Map<string, ComparedValues[]>();
  for (const field of fields) {
    if (!isQueued(field.path)) continue;
    const key = canonicalJson(field.values);
    queued.set(key, [...(queued.get(key) ?? []), field]);
  }
  const repeats = fields.filter(
    ({ path, values }) =>
      !isQueued(path) &&
      (queued.get(canonicalJson(values)) ?? []).some((one) => nameOf(one.path) === nameOf(path) || areDrawn(values)),
  );
  return new Set(repeats.map(({ path }) => path));
}

/** Whether a fact of the environment, `config.lr` or the arguments of programs, tells only what the fields of the runs do. */
export function repeatsFields({ path, values }: ComparedValues, fields: readonly ComparedValues[]): boolean {
  if (path.startsWith('config.')) {
    const name = `parameters.${path.slice('config.'.length)}`;
    return fields.some((field) => field.path === name && haveValues(field.values, values));
  }
  return path === 'arguments' && haveDrawnWordsAlone(values, fields);
}

function haveValues(known: readonly unknown[], values: readonly unknown[]): boolean {
  return values.every((value, run) => value === null || isWritten(asWord(value), known[run]));
}

/** Whether commands differ only where each has its own value of one parameter. */
function haveDrawnWordsAlone(commands: readonly unknown[], fields: readonly ComparedValues[]): boolean {
  const lines = commands.map((command) => (Array.isArray(command) ? command.map(asWord) : null));
  const length = lines[0]?.length;
  if (length === undefined || !lines.every((line) => line?.length === length)) return false;
  return lines[0]!.every((_, place) => {
    const words = lines.map((line) => line![place]!);
    if (new Set(words).size < 2) return true;
    const starts = words.map((word) => word.slice(0, word.indexOf('=') + 1));
    return (
      new Set(starts).size === 1 &&
      fields.some(({ values }) => words.every((word, run) => isWritten(word.slice(starts[0]!.length), values[run])))
    );
  });
}

/** Whether a word of a command line is this value; numbers may be written in several ways. */
function isWritten(word: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return asWord(value) === word || (typeof value === 'number' && word.trim() !== '' && Number(word) === value);
}

function asWord(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function areDrawn(values: readonly unknown[]): boolean {
  return values.some((value) => typeof value === 'number' && Number(value.toPrecision(DRAWN_DIGITS - 1)) !== value);
}

/** The last part of a path without what spellings differ in. */
function nameOf(path: string): string {
  return (path.split('.').at(-1) ?? '').replace(/[-_]/g, '').toLowerCase();
}
