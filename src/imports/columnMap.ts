import { badInput } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';

/** What the columns of a table, or the members of JSON lines, are; names as in the header. */
export interface ImportColumns {
  /** Rows of one value are one run. */
  run?: string;
  step?: string;
  time?: string;
  /** With `value`: one point a row. */
  metric?: string;
  value?: string;
  parameter: string[];
  /** Neither metric nor parameter. */
  ignore: string[];
}

const SINGLE = ['run', 'step', 'time', 'metric', 'value'] as const;
const MEANINGS = [...SINGLE, 'parameter', 'ignore'];

/** Names under which a column is taken for what it is called, in the order in which they are looked for. */
const USUAL: Readonly<Record<(typeof SINGLE)[number], readonly string[]>> = {
  run: ['run', 'run_id', 'run_name', 'Run'],
  step: ['step', '_step', 'Step', 'global_step', 'iteration', 'epoch'],
  time: ['time', '_timestamp', 'timestamp', 'wall_time', 'Wall time', 'datetime', 'date'],
  metric: ['metric'],
  value: ['value', 'Value'],
};

/**
 * `step=epoch,time=at,parameter=lr,parameter=seed` of `--map`.
 * @throws WarrenError BAD_INPUT for other meanings, one given twice, and what is no `meaning=column`.
 */
export function parseImportColumns(text: string): ImportColumns {
  const columns: ImportColumns = { parameter: [], ignore: [] };
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const meaning = part.slice(0, Math.max(0, equals)).trim();
    const column = part.slice(equals + 1).trim();
    if (!MEANINGS.includes(meaning) || column === '') {
      const near = didYouMean(meaning, MEANINGS);
      throw badInput(`"${part}": expected ${MEANINGS.map((name) => `${name}=…`).join(', ')}.${near}`, '--map');
    }
    if (meaning === 'parameter' || meaning === 'ignore') {
      columns[meaning].push(column);
      continue;
    }
    const single = SINGLE.find((name) => name === meaning)!;
    if (columns[single] !== undefined) throw badInput(`${single} is given twice`, '--map');
    columns[single] = column;
  }
  return columns;
}

/**
 * The mapping with what the names of the other columns say.
 * @throws WarrenError BAD_INPUT when a column is named that is not there.
 */
export function resolveColumns(given: ImportColumns, header: readonly string[], path: string): ImportColumns {
  const named = [...SINGLE.flatMap((name) => given[name] ?? []), ...given.parameter, ...given.ignore];
  for (const column of named) {
    if (header.includes(column)) continue;
    const near = didYouMean(column, header) || ` It has ${header.slice(0, 20).join(', ')}.`;
    throw badInput(`${path}: there is no column "${column}".${near}`, '--map');
  }
  const free = header.filter((column) => !named.includes(column));
  const usual = (name: (typeof SINGLE)[number]) => given[name] ?? USUAL[name].find((known) => free.includes(known));
  const columns: ImportColumns = { parameter: given.parameter, ignore: given.ignore };
  for (const name of ['run', 'step', 'time'] as const) {
    const column = usual(name);
    if (column !== undefined) columns[name] = column;
  }
  const [metric, value] = [usual('metric'), usual('value')];
  if (metric !== undefined && value !== undefined) return { ...columns, metric, value };
  if (given.metric === undefined) return columns;
  throw badInput(`${path}: metric=${given.metric} needs value=…, the column of the values`, '--map');
}
