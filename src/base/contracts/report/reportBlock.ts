import {
  BAND_KINDS,
  MEDIA_SIZES,
  type MediaSettings,
  type CurveSettings,
  type Panel,
  type PanelKind,
  PANEL_KINDS,
  panelSchema,
  SMOOTHING_KINDS,
} from '../workspace.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import {
  BlockProblem,
  type BlockValue,
  listOf,
  numberValue,
  oneValue,
  readBlockLines,
  wholeValue,
  wordValue,
  yesValue,
} from './blockLines.ts';
import { numbersFilter, parseRunNumbers } from './runNumbers.ts';

/** Which runs a block shows: those of these numbers, or those of a project that meet a filter. */
export interface ShownRuns {
  runs: readonly number[] | null;
  /** Null: the project of the report. */
  project: string | null;
  filter: string;
  /** How many runs there were in all when a version was saved that shows some of them; now unless given. */
  matched?: number;
}

/** A figure, as beside the table of runs. */
export interface PanelBlock {
  type: 'panel';
  title: string | null;
  shown: ShownRuns;
  /** Fields whose values a curve stands for; none: each run has its own. */
  groupBy: readonly string[];
  /** The field whose equal values share a color, as a person names it: `dropout`, `kind`, `config.dataset`; null: each curve has its own. */
  colorBy: string | null;
  /** Which runs or groups are the first: as of a table; null: the newest runs, the best groups. */
  order: string | null;
  /** Runs or groups at most. */
  first: number;
  panel: Panel;
}

/** Runs, or groups of them, with their metrics. */
export interface TableBlock {
  type: 'table';
  title: string | null;
  shown: ShownRuns;
  /** None: a row for each run. */
  groupBy: readonly string[];
  metrics: readonly string[];
  /** `last`, `best`, or the metric at whose best step the values are. */
  values: string;
  /** Number of a run of the group that the others are tested against. */
  baseline: string | null;
  /** Of a table of runs: fields beside number, name and state. */
  columns: readonly string[];
  /** A metric of the table or, of runs, any field, with a minus before it from the greatest; null: the usual order. */
  order: string | null;
  first: number;
}

/** Configurations of chosen runs against one of them. */
export interface ComparisonBlock {
  type: 'comparison';
  title: string | null;
  runs: readonly number[];
  /** Null: the metrics by which their kinds are compared first. */
  metrics: readonly string[] | null;
  /** Number of a run of the baseline; null: the first. */
  baseline: string | null;
  perUser: boolean;
  show: 'verdict' | 'differences';
}

export type ReportBlock = PanelBlock | TableBlock | ComparisonBlock;

/** What stands behind the three back quotes of a block. */
export const BLOCK_LANGUAGES = ['warren-panel', 'warren-table', 'warren-comparison'] as const;
export type BlockLanguage = (typeof BLOCK_LANGUAGES)[number];

const SHOWN_KEYS = ['runs', 'filter', 'project', 'title'] as const;
const KEYS: Readonly<Record<BlockLanguage, readonly string[]>> = {
  'warren-panel': [
    ...['metric', 'metrics', 'kind', ...SHOWN_KEYS, 'group by', 'first', 'fields', 'height', 'x', 'log x', 'log y'],
    ...['x min', 'x max', 'y min', 'y max', 'smoothing', 'smoothness', 'band', 'ignore outliers', 'colors by'],
    ...['formula', 'order', 'step', 'size', 'of each run'],
  ],
  'warren-table': ['metrics', 'metric', ...SHOWN_KEYS, 'group by', 'values', 'baseline', 'columns', 'order', 'first'],
  'warren-comparison': ['runs', 'metrics', 'metric', 'baseline', 'pairs', 'show', 'title'],
};

const MOST_ROWS = 200;
const MOST_GROUP_FIELDS = 6;
const MOST_COMPARED_METRICS = 10;
const USUAL_CURVES = 20;
const USUAL_ROWS = 50;

export function isBlockLanguage(language: string | null | undefined): language is BlockLanguage {
  return BLOCK_LANGUAGES.some((one) => one === language);
}

/** Reads the lines of a block; what is wrong with them comes as a sentence. */
export function readReportBlock(language: BlockLanguage, text: string): ReportBlock | { problem: string } {
  try {
    const values = readBlockLines(text, KEYS[language]);
    if (language === 'warren-panel') return panelBlock(values);
    return language === 'warren-table' ? tableBlock(values) : comparisonBlock(values);
  } catch (error) {
    if (error instanceof BlockProblem) return { problem: error.message };
    throw error;
  }
}

type Values = ReadonlyMap<string, BlockValue[]>;

function panelBlock(values: Values): PanelBlock {
  const kind = wordValue(values, 'kind', PANEL_KINDS) ?? 'line';
  const metrics = metricsOf(values);
  if (metrics.length === 0) throw new BlockProblem('say which metric is drawn, such as “metric: valid/ndcg@10”');
  const fields = listOf(values, 'fields');
  const wanted = { scatter: 1, heat: 2 }[kind as string] ?? 0;
  if (fields.length < wanted) {
    const example =
      wanted === 1 ? 'config.parameters.dimension' : 'config.parameters.dimension, config.parameters.dropout';
    throw new BlockProblem(`a ${kind} panel has “fields: ${example}”, what lies along its axes`);
  }
  const panel = panelSchema.safeParse({
    id: 'report',
    kind,
    metrics,
    fields,
    width: 3,
    height: wholeValue(values, 'height', [1, 3]) ?? 1,
    settings: curveSettings(values),
    formula: formulaOf(values, kind),
    media: mediaSettings(values, kind),
  });
  if (!panel.success) {
    const [issue] = panel.error.issues;
    throw new BlockProblem(`${issue?.path.join('.') ?? 'panel'}: ${issue?.message ?? 'is not right'}`);
  }
  return {
    type: 'panel',
    title: titleOf(values),
    shown: shownRuns(values),
    groupBy: groupFields(values),
    colorBy: colorField(values, kind),
    order: oneValue(values, 'order')?.text || null,
    first: wholeValue(values, 'first', [1, MOST_ROWS]) ?? USUAL_CURVES,
    panel: panel.data,
  };
}

function formulaOf(values: Values, kind: PanelKind): string | undefined {
  const found = oneValue(values, 'formula');
  if (found === null || found.text === '') return undefined;
  if (kind === 'line') return found.text;
  throw new BlockProblem(`line ${found.line}: “formula” is of line, not of ${kind}`);
}

/** How a panel of media shows them; other kinds have none of it. */
function mediaSettings(values: Values, kind: PanelKind): MediaSettings | undefined {
  const settings = {
    step: wholeValue(values, 'step', [0, Number.MAX_SAFE_INTEGER]),
    size: wordValue(values, 'size', MEDIA_SIZES),
    first: wholeValue(values, 'of each run', [1, 20]),
  };
  const said = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  if (Object.keys(said).length === 0) return undefined;
  if (kind === 'media') return said;
  throw new BlockProblem('“step”, “size” and “of each run” are of “kind: media”');
}

/** Kinds of panels whose colors tell one curve or group from another; those of other kinds tell values. */
const COLORED_KINDS: readonly PanelKind[] = ['line', 'bar', 'box'];

function colorField(values: Values, kind: PanelKind): string | null {
  const field = oneValue(values, 'colors by');
  if (field === null || field.text === '') return null;
  if (COLORED_KINDS.includes(kind)) return field.text;
  throw new BlockProblem(`line ${field.line}: “colors by” is of ${COLORED_KINDS.join(', ')}, not of ${kind}`);
}

function curveSettings(values: Values): CurveSettings {
  const settings = {
    x: axisOf(oneValue(values, 'x')),
    logX: yesValue(values, 'log x'),
    logY: yesValue(values, 'log y'),
    xMin: numberValue(values, 'x min'),
    xMax: numberValue(values, 'x max'),
    yMin: numberValue(values, 'y min'),
    yMax: numberValue(values, 'y max'),
    ignoreOutliers: yesValue(values, 'ignore outliers'),
    smoothing: wordValue(values, 'smoothing', SMOOTHING_KINDS),
    smoothness: numberValue(values, 'smoothness'),
    band: wordValue(values, 'band', BAND_KINDS),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

/** `step`, `epoch`, `time`, `relative`, or the name of a metric. */
function axisOf(value: BlockValue | null): string | null {
  if (value === null) return null;
  if (value.text === '') throw new BlockProblem(`line ${value.line}: x is step, epoch, time, relative, or a metric`);
  return /^(step|epoch|time|relative|metric:.+)$/.test(value.text) ? value.text : `metric:${value.text}`;
}

function tableBlock(values: Values): TableBlock {
  const groupBy = groupFields(values);
  const baseline = runOf(oneValue(values, 'baseline'));
  if (baseline !== null && groupBy.length === 0) {
    throw new BlockProblem('a baseline is one of groups: add “group by: configuration”');
  }
  const which = oneValue(values, 'values')?.text || 'last';
  if (groupBy.length === 0 && which !== 'last' && which !== 'best') {
    throw new BlockProblem('values at the best step of another metric are of groups: add “group by: configuration”');
  }
  return {
    type: 'table',
    title: titleOf(values),
    shown: shownRuns(values),
    groupBy,
    baseline,
    values: which,
    metrics: metricsOf(values),
    order: oneValue(values, 'order')?.text || null,
    columns: listOf(values, 'columns'),
    first: wholeValue(values, 'first', [1, MOST_ROWS]) ?? USUAL_ROWS,
  };
}

function comparisonBlock(values: Values): ComparisonBlock {
  const runs = runsOf(values);
  if (runs === null || runs.length < 2)
    throw new BlockProblem('name the runs that are compared: “runs: 12, 14, 20-25”');
  const metrics = metricsOf(values);
  if (metrics.length > MOST_COMPARED_METRICS) throw new BlockProblem(`at most ${MOST_COMPARED_METRICS} metrics`);
  return {
    type: 'comparison',
    title: titleOf(values),
    runs,
    metrics: metrics.length === 0 ? null : metrics,
    baseline: runOf(oneValue(values, 'baseline')),
    perUser: wordValue(values, 'pairs', ['seeds', 'users']) === 'users',
    show: wordValue(values, 'show', ['verdict', 'differences']) ?? 'verdict',
  };
}

function titleOf(values: Values): string | null {
  return oneValue(values, 'title')?.text.slice(0, 200) || null;
}

function metricsOf(values: Values): string[] {
  return [...listOf(values, 'metric'), ...listOf(values, 'metrics')].slice(0, 20);
}

function groupFields(values: Values): string[] {
  const fields = listOf(values, 'group by');
  if (fields.length > MOST_GROUP_FIELDS) throw new BlockProblem(`group by at most ${MOST_GROUP_FIELDS} fields`);
  return fields;
}

function shownRuns(values: Values): ShownRuns {
  const project = oneValue(values, 'project')?.text || null;
  return { runs: runsOf(values), project, filter: oneValue(values, 'filter')?.text ?? '' };
}

function runsOf(values: Values): number[] | null {
  const found = oneValue(values, 'runs');
  if (found === null) return null;
  const numbers = parseRunNumbers(found.text);
  if ('problem' in numbers) throw new BlockProblem(`line ${found.line}: runs: ${numbers.problem}`);
  return numbers;
}

function runOf(value: BlockValue | null): string | null {
  if (value === null) return null;
  const match = /^#?(\d{1,9})$/.exec(value.text);
  if (match !== null) return match[1]!;
  throw new BlockProblem(`line ${value.line}: baseline is the number of a run, not “${value.text.slice(0, 40)}”`);
}

/** How groups are ordered: by the mean of one of their metrics; null: the best first. */
export function groupOrderOf({
  order,
  metrics,
}: Pick<TableBlock, 'order' | 'metrics'>): { by: 'mean'; metric: number; direction: 'ASC' | 'DESC' } | null {
  if (order === null) return null;
  const metric = metrics.indexOf(order.replace(/^-/, ''));
  return metric === -1 ? null : { by: 'mean', metric, direction: order.startsWith('-') ? 'DESC' : 'ASC' };
}

/** How runs are ordered, in the words of the API: by number where nothing is said, those that were chosen from the first. */
export function runOrderOf({ order, metrics, shown }: Pick<TableBlock, 'order' | 'metrics' | 'shown'>): {
  by: string;
  direction: 'ASC' | 'DESC';
} {
  if (order === null) return { by: 'number', direction: shown.runs === null ? 'DESC' : 'ASC' };
  const name = order.replace(/^-/, '');
  const by = metrics.includes(name) ? `metric."${name.replace(/["\\]/g, '\\$&')}"` : name;
  return { by, direction: order.startsWith('-') ? 'DESC' : 'ASC' };
}

/** The same of a figure: without a word the newest first, also of chosen runs. */
export function panelOrderOf({ order, panel, shown }: PanelBlock): { by: string; direction: 'ASC' | 'DESC' } {
  return order === null ? { by: 'number', direction: 'DESC' } : runOrderOf({ order, metrics: panel.metrics, shown });
}

/** The metrics that a figure of groups asks for: the one that it draws, and the one that they are ordered by. */
export function panelGroupMetrics({ order, panel }: PanelBlock): string[] {
  return [...new Set([panel.metrics[0]!, ...(order === null ? [] : [order.replace(/^-/, '')])])];
}

/** The metrics that groups are summed up over, in the words of the API. */
export function groupMetricsOf({
  metrics,
  values,
}: Pick<TableBlock, 'metrics' | 'values'>): { name: string; at: 'LAST' | 'BEST'; bestOf: string | null }[] {
  return metrics.map((name) => ({ name, ...valueChoice(values) }));
}

/** What the API is asked for: numbers of runs are found in any project. */
export function selectionOf(
  { runs, project, filter }: ShownRuns,
  own: string,
): { project: string | null; filter: string } {
  if (runs === null) return { project: project ?? own, filter };
  const numbers = numbersFilter(runs);
  return { project, filter: filter === '' ? numbers : `${numbers} and (${filter})` };
}
