import { assertNever } from './assertNever.ts';
import { csvLine } from './csvLine.ts';
import { shortNumeralCells } from './shortNumerals.ts';
import { latexText, markdownText, type TextTable } from './tableText.ts';

/** A metric over a group of runs; numbers may be infinite or NaN. */
export interface TableStatistics {
  n: number;
  mean: number | null;
  standardDeviation: number | null;
  standardError: number | null;
  low: number | null;
  high: number | null;
  minimum: number | null;
  maximum: number | null;
  isBest: boolean;
  verdict: string | null;
  p: number | null;
}

/** Groups of runs with their metrics, as text. */
export interface GroupedTable {
  heads: readonly string[];
  metrics: readonly string[];
  rows: readonly { cells: readonly string[]; runs: number; metrics: readonly TableStatistics[] }[];
  /** Whether groups were tested against one of them. */
  tested: boolean;
  /** What CSV has for the heads and the cells of each row, where these are shortened for people. */
  whole?: { heads: readonly string[]; cells: readonly (readonly string[])[] };
}

export const TABLE_FORMATS = ['md', 'latex', 'csv'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

const DIGITS = 4;
const MOST_DECIMALS = 12;
/** A dash where there is no value. */
const NOTHING = '–';

/** Markdown, LaTeX with booktabs (the best of each metric in bold), or CSV with every aggregate in full. */
export function writeGroupedTable(table: GroupedTable, format: TableFormat): string {
  switch (format) {
    case 'csv':
      return csvTable(table);
    case 'md':
      return markdownText(textOf(table));
    case 'latex':
      return latexText(textOf(table));
    default:
      return assertNever(format);
  }
}

/** Decimals that give the greatest of the values four significant digits, so that numbers stand under each other. */
export function alignedDecimals(values: readonly (number | null)[]): number {
  const sizes = values.flatMap((value) =>
    value !== null && Number.isFinite(value) && value !== 0 ? [Math.abs(value)] : [],
  );
  if (sizes.length === 0) return 0;
  return Math.min(MOST_DECIMALS, Math.max(0, DIGITS - 1 - Math.floor(Math.log10(Math.max(...sizes)))));
}

/** `0.03127`, or `0.03127 ± 0.00042` where there is a deviation, with so many decimals. */
export function meanText(mean: number | null, deviation: number | null, decimals: number): string {
  if (mean === null) return NOTHING;
  return deviation === null ? fixed(mean, decimals) : `${fixed(mean, decimals)} ± ${fixed(deviation, decimals)}`;
}

function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const text =
    size >= 1e7 || (size > 0 && decimals >= MOST_DECIMALS) ? size.toExponential(DIGITS - 1) : size.toFixed(decimals);
  return value < 0 ? `−${text}` : text;
}

/** Texts of the cells of one metric, one a row. */
export function metricTexts(table: Pick<GroupedTable, 'rows'>, metric: number): string[] {
  const found = table.rows.map((row) => row.metrics[metric]);
  const decimals = alignedDecimals(found.map((one) => one?.mean ?? null));
  return found.map((one) => meanText(one?.mean ?? null, one?.standardDeviation ?? null, decimals));
}

function csvTable({ heads: shown, metrics, rows, tested, whole }: GroupedTable): string {
  const heads = whole?.heads ?? shown;
  const names = ['n', 'mean', 'sd', 'se', 'low95', 'high95', 'min', 'max', ...(tested ? ['verdict', 'p'] : [])];
  const header = csvLine([...heads, 'runs', ...metrics.flatMap((metric) => names.map((name) => `${metric} ${name}`))]);
  const lines = rows.map((row, index) =>
    csvLine(
      [
        ...(whole?.cells[index] ?? row.cells),
        row.runs,
        ...row.metrics.flatMap((one) => [
          ...[one.n, one.mean, one.standardDeviation, one.standardError, one.low, one.high, one.minimum, one.maximum],
          ...(tested ? [one.verdict === null ? null : verdictWords(one.verdict), one.p] : []),
        ]),
      ].map((value) => value ?? ''),
    ),
  );
  return [header, ...lines].join('');
}

/** Without metrics that no row has: a paper has no empty columns. */
function withoutEmpty(table: GroupedTable): GroupedTable {
  const full = table.metrics.map((_, metric) => table.rows.some((row) => (row.metrics[metric]?.n ?? 0) > 0));
  const kept = <Value>(values: readonly Value[]): Value[] => values.filter((_, metric) => full[metric]);
  const rows = table.rows.map((row) => ({ ...row, metrics: kept(row.metrics) }));
  return { ...table, metrics: kept(table.metrics), rows };
}

/** Heads and cells as text. */
function textOf(whole: GroupedTable): TextTable {
  const table = withoutEmpty(whole);
  const texts = table.metrics.map((_, metric) => metricTexts(table, metric));
  const heads = [
    ...table.heads,
    'runs',
    ...table.metrics.flatMap((metric) => (table.tested ? [metric, 'verdict (p)'] : [metric])),
  ];
  const cells = shortNumeralCells(table.rows.map((row) => row.cells));
  const rows = table.rows.map((row, index) => [
    ...cells[index]!.map((text) => ({ text })),
    { text: String(row.runs) },
    ...row.metrics.flatMap((one, metric) => {
      const cell = { text: texts[metric]![index]!, isBest: one.isBest };
      return table.tested ? [cell, { text: verdictText(one) }] : [cell];
    }),
  ]);
  return { heads, rows, numbersFrom: table.heads.length };
}

/** A verdict as people read it. */
export function verdictWords(verdict: string): string {
  return verdict === 'modelsDiffer' ? 'these two trained models differ' : verdict;
}

/** `better (0.0021)`; empty for the baseline and where there is no test. */
export function verdictText({ verdict, p }: Pick<TableStatistics, 'verdict' | 'p'>): string {
  if (verdict === null) return '';
  const words = verdictWords(verdict);
  return p === null ? words : `${words} (${p < 1e-4 ? '<0.0001' : p.toFixed(4)})`;
}
