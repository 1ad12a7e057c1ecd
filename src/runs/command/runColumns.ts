import { printable, singleLine } from '#src/base/lib/printable.ts';
import { badInput, type WarrenError } from '#src/base/contracts/errors.ts';
import { fieldsNamed } from '#src/base/contracts/runFilter/meantFields.ts';
import { configurationPath } from '#src/base/contracts/runFilter/fields.ts';
import type { UsedNames } from '#src/base/contracts/runFilter/filterHints.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { valueAt } from '#src/base/lib/plainObject.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import {
  formatAge,
  formatDuration,
  formatNumber,
  formatProgress,
  millisecondsBetween,
} from '#src/base/terminal/formatNumber.ts';
import { runStateText } from '#src/base/terminal/runStateText.ts';
import type { TableColumn } from '#src/base/terminal/table.ts';
import type { ListRunsQuery } from '#src/generated/api.ts';

/** A run with the metrics that a list asks for. */
export type ListedRun = ListRunsQuery['runs']['edges'][number]['node'];

interface CellContext {
  colours: Colours;
  now: Date;
}

export interface RunColumn extends TableColumn {
  cell(run: ListedRun, context: CellContext): string;
  /** Name of the metric that it shows. */
  metric?: string;
  /** Whether it may be a text, or nothing: a word that is no other column. */
  isGuess?: boolean;
  /** What is read for it alone, since it may be long or takes long. */
  reads?: 'notes' | 'headline' | 'texts';
}

const NAMED: Readonly<Record<string, Omit<RunColumn, 'header'>>> = {
  number: { align: 'right', cell: (run) => `#${run.number}` },
  id: { cell: (run) => run.id },
  state: { cell: stateCell },
  name: { minimum: 12, cell: (run) => printable(run.name) },
  kind: { cell: (run) => run.configuration.kind },
  dataset: { minimum: 10, cell: (run) => run.configuration.datasetName ?? '-' },
  headline: { minimum: 14, reads: 'headline', cell: headlineCell },
  seed: { align: 'right', cell: (run) => String(run.seed) },
  user: { minimum: 6, cell: (run) => printable(run.user ?? '-') },
  project: { minimum: 8, cell: (run) => printable(run.project.name) },
  tags: { minimum: 8, cell: (run) => printable(run.tags.join(' ')) },
  notes: { minimum: 12, reads: 'notes', cell: (run) => printable(run.notes?.trim().split('\n')[0] ?? '') },
  progress: { align: 'right', cell: (run) => formatProgress(run) || '-' },
  created: { cell: (run, { now }) => formatAge(run.createdAt, now) },
  started: { cell: (run, { now }) => (run.startedAt === null ? '-' : formatAge(run.startedAt, now)) },
  ended: { cell: (run, { now }) => (run.endedAt === null ? '-' : formatAge(run.endedAt, now)) },
  duration: { align: 'right', cell: durationCell },
  attempt: { align: 'right', cell: (run) => String(run.attempt) },
  priority: { align: 'right', cell: (run) => String(run.priority) },
  configuration: { cell: (run) => run.configuration.hash.slice(0, 8) },
};

function stateCell(run: ListedRun, { colours }: CellContext): string {
  const text = runStateText(run.state, colours);
  return run.state === 'RUNNING' ? `${text} ${formatProgress(run)}`.trimEnd() : text;
}

/** The metric that tells most of a run, with its name, since each run has its own. */
function headlineCell({ headline }: ListedRun): string {
  return headline == null ? '-' : `${formatNumber(headline.summary)} ${singleLine(headline.name)}`;
}

function durationCell(run: ListedRun, { now }: CellContext): string {
  if (run.startedAt === null) return '-';
  return formatDuration(millisecondsBetween(run.startedAt, run.endedAt ?? now));
}

/** Names of columns that every run has; the table of the dashboard has the same. */
export const RUN_COLUMNS: readonly string[] = Object.keys(NAMED);

/** Columns of `--columns`: names, `config.PATH`, names of metrics and of texts, with or without `metric.` or `text.` before them. */
export function parseColumns(text: string): RunColumn[] {
  return text.split(',').map((part) => parseColumn(part.trim()) ?? guessedColumn(part.trim()));
}

/** Columns by names, which may have commas in them; those that a terminal does not show are left out. */
export function namedColumns(names: readonly string[]): RunColumn[] {
  return names.flatMap((name) => parseColumn(name) ?? []);
}

/** The column of a parameter, whatever its name; long values may be cut. */
export function parameterColumn(path: string): RunColumn {
  return { ...configColumn(`parameters.${path}`), header: path, minimum: 8 };
}

/**
 * The columns, guessed ones of which no run shown has a metric or text as the parameters that they name.
 * @throws WarrenError BAD_INPUT for one that names nothing, or several.
 */
export function meantColumns(
  columns: readonly RunColumn[],
  used: Pick<UsedNames, 'metrics' | 'configuration' | 'texts'>,
): RunColumn[] {
  const named = fieldsNamed(used);
  return columns.map((column) => {
    const { metric } = column;
    if (metric === undefined || used.metrics.includes(metric)) return column;
    const fields = named(metric);
    const path = /^config\.(.+)$/s.exec(fields[0] ?? '')?.[1];
    if (fields.length === 1 && path !== undefined) return { ...configColumn(path.replaceAll('"', '')), header: metric };
    if (fields.length > 1) throw badInput(`"${metric}" may be ${fields.join(', ')}: name one of them`, '--columns');
    throw unknownColumn(metric, used);
  });
}

function unknownColumn(wrong: string, used: Pick<UsedNames, 'metrics'>): WarrenError {
  const hint = didYouMean(wrong, [...Object.keys(NAMED), ...used.metrics]);
  const message = `there is no column "${wrong}", and no run has a metric of that name.${hint}`;
  return badInput(`${singleLine(message)} \`warren ls --help\` lists the columns`, '--columns');
}

/** Null for a word that is no column of its own. */
function parseColumn(text: string): RunColumn | null {
  const named = NAMED[text];
  if (named !== undefined) return { header: text.toUpperCase(), ...named };
  const path = /^(?:config|parameters?)\.(.+)$/s.exec(text)?.[1];
  if (path !== undefined) return configColumn(path);
  const logged = /^texts?\."?(.+?)"?$/s.exec(text)?.[1];
  if (logged !== undefined) return textColumn(logged);
  const metric = /^metrics?\."?(.+?)"?$/s.exec(text)?.[1] ?? (text.includes('/') ? text : null);
  return metric === null ? null : metricColumn(metric);
}

function metricColumn(name: string): RunColumn {
  const find = (run: ListedRun) => run.metrics.find((metric) => metric.name === name);
  return { header: name, align: 'right', metric: name, cell: (run) => formatNumber(find(run)?.summary) };
}

/** A metric where the run has one of that name, else its newest texts. */
function guessedColumn(name: string): RunColumn {
  const column = metricColumn(name);
  const texts = textColumn(name);
  return {
    ...column,
    isGuess: true,
    minimum: 10,
    reads: 'texts',
    cell: (run, context) => (run.metrics.some((metric) => metric.name === name) ? column : texts).cell(run, context),
  };
}

function textColumn(name: string): RunColumn {
  const textsOf = (run: ListedRun) => run.texts?.find((one) => one.name === name)?.texts;
  return { header: name, minimum: 10, reads: 'texts', cell: (run) => textsOf(run)?.map(printable).join(', ') ?? '-' };
}

function configColumn(path: string): RunColumn {
  const { root, path: names } = configurationPath(path.split('.'));
  return {
    header: path,
    align: 'right',
    cell: (run) => {
      // names of parameters may themselves hold dots
      const value = valueAt(run.configuration[root], names.join('.'));
      if (value === undefined) return '-';
      return typeof value === 'string' ? printable(value) : JSON.stringify(value);
    },
  };
}
