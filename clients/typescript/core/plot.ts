import { Chart, counted, Table } from './media.ts';
import {
  type ClassName,
  classScores,
  confusion,
  type Predictions,
  precisionsAtRecalls,
  rocPoints,
  type ScoreOptions,
} from './scores.ts';
import { plainJson } from './values.ts';

/** Rows that a chart draws; of more, so many are picked evenly. Its table has all. */
const MOST_ROWS = 10_000;
/** Bins of a histogram. */
const BINS = 32;

type Row = Record<string, unknown>;
type Encoding = Record<string, Record<string, unknown>>;

interface Titled {
  title?: string;
}

/**
 * Charts of a table, of series and of a classifier's scores. Logged under a name, each is a Vega-Lite chart of that name and a table
 * `NAME_table` with its numbers.
 */
export const plot = {
  /** Values of a column over those of another one; `stroke` names a column with a line for each of its values. */
  line: (table: Table, columns: { x: string; y: string; stroke?: string }, { title = '' }: Titled = {}): Chart =>
    overColumns(table, 'line', { columns: { x: columns.x, y: columns.y, color: columns.stroke }, title }),
  /** A point for each row. */
  scatter: (table: Table, columns: { x: string; y: string }, { title = '' }: Titled = {}): Chart =>
    overColumns(table, 'point', { columns: { x: columns.x, y: columns.y }, title }),
  /** A bar for each row, in the order of the rows. */
  bar(table: Table, { label, value }: { label: string; value: string }, { title = '' }: Titled = {}): Chart {
    const encoding = {
      y: { type: 'nominal', sort: null, title: label },
      x: { type: 'quantitative', title: value },
    };
    return chartOf(table, rowsOf(table, { y: label, x: value }), { mark: 'bar', encoding, title });
  },
  /** How often values of a column occur, in bins of one width. */
  histogram(table: Table, { value }: { value: string }, { title = '' }: Titled = {}): Chart {
    const numbers = rowsOf(table, { value }).flatMap((row) => (typeof row.value === 'number' ? [row.value] : []));
    const { counts, edges } = counted(numbers, BINS);
    const rows = counts.map((count, i) => ({ x: edges[i], x2: edges[i + 1], y: count }));
    const encoding = {
      x: { type: 'quantitative', bin: { binned: true }, title: value },
      x2: {},
      y: { type: 'quantitative', title: 'count' },
    };
    return chartOf(table, rows, { mark: 'bar', encoding, title });
  },
  /** Several lines: `ys` is a list of lists, `xs` the same or one list for all of them, `keys` their names. */
  lineSeries(
    xs: ArrayLike<number> | readonly ArrayLike<number>[],
    ys: readonly ArrayLike<number>[],
    { keys, title = '', xname = 'x' }: Titled & { keys?: readonly string[]; xname?: string } = {},
  ): Chart {
    const data = ys.flatMap((values, i) => {
      const own: unknown = typeof xs[0] === 'number' ? xs : xs[i];
      const places = Array.from(Object(own ?? []) as ArrayLike<unknown>);
      if (places.length !== values.length || (keys !== undefined && keys.length !== ys.length)) {
        const named = `${keys?.length ?? ys.length} names for ${ys.length} lines`;
        throw new RangeError(
          `plot.lineSeries: line ${i} has ${places.length} places, ${values.length} values; ${named}`,
        );
      }
      return places.map((place, at) => [place, keys?.[i] ?? `key_${i}`, values[at]]);
    });
    const table = new Table({ columns: ['step', 'lineKey', 'lineVal'], data });
    const columns = { x: 'step', y: 'lineVal', color: 'lineKey' };
    return overColumns(table, 'line', { columns, title, named: { x: xname, y: '', color: '' } });
  },
  /** The share of a class that is found over the share of others taken for it, for each class against the others. */
  rocCurve(
    yTrue: ArrayLike<ClassName>,
    yProbas: ArrayLike<number | ArrayLike<number>>,
    { title = 'ROC Curve', ...options }: Titled & ScoreOptions = {},
  ): Chart {
    const data = classScores('rocCurve', { truth: yTrue, scores: yProbas }, options).flatMap((one) =>
      rocPoints(one).map(([fpr, tpr]) => [one.name, rounded(fpr), rounded(tpr)]),
    );
    const table = new Table({ columns: ['class', 'fpr', 'tpr'], data });
    const named = { x: 'False positive rate', y: 'True positive rate', color: 'class' };
    return overColumns(table, 'line', { columns: { x: 'fpr', y: 'tpr', color: 'class' }, title, named });
  },
  /** The best precision at each recall or a greater one, for each class against the others. */
  prCurve(
    yTrue: ArrayLike<ClassName>,
    yProbas: ArrayLike<number | ArrayLike<number>>,
    {
      title = 'Precision-Recall Curve',
      interpSize = 21,
      ...options
    }: Titled & ScoreOptions & { interpSize?: number } = {},
  ): Chart {
    const recalls = Array.from({ length: interpSize }, (_, i) => i / Math.max(1, interpSize - 1));
    const data = classScores('prCurve', { truth: yTrue, scores: yProbas }, options).flatMap((one) =>
      precisionsAtRecalls(one, recalls).map((precision, i) => [one.name, rounded(precision), rounded(recalls[i]!)]),
    );
    const table = new Table({ columns: ['class', 'precision', 'recall'], data });
    return overColumns(table, 'line', { columns: { x: 'recall', y: 'precision', color: 'class' }, title });
  },
  /** How often each class was taken for each. */
  confusionMatrix({ title = 'Confusion Matrix', ...predictions }: Titled & Predictions): Chart {
    const data = confusion(predictions);
    const table = new Table({ columns: ['Actual', 'Predicted', 'nPredictions'], data });
    const values = data.map(([y, x, n]) => ({ y, x, n }));
    const most = values.reduce((found, { n }) => Math.max(found, n), 0);
    const count = { field: 'n', type: 'quantitative' };
    const dark = { condition: { test: `datum.n > ${Math.floor(most / 2)}`, value: 'white' }, value: 'black' };
    const color = { ...count, title: 'count', scale: { scheme: 'blues' } };
    const encoding = {
      x: { field: 'x', type: 'nominal', sort: null, title: 'Predicted' },
      y: { field: 'y', type: 'nominal', sort: null, title: 'Actual' },
    };
    const layer = [
      { mark: { type: 'rect', tooltip: true }, encoding: { color } },
      { mark: 'text', encoding: { text: count, color: dark } },
    ];
    return logged(table, { data: { values }, encoding, layer }, title);
  },
};

interface Drawn {
  columns: Readonly<Record<string, string | undefined>>;
  title: string;
  /** Titles by channel, where they are not the names of the columns. */
  named?: Readonly<Record<string, string>>;
}

function overColumns(table: Table, mark: 'line' | 'point', { columns, title, named }: Drawn): Chart {
  const rows = rowsOf(table, columns);
  const encoding: Encoding = {};
  for (const [channel, column] of Object.entries(columns)) {
    if (column === undefined) continue;
    const isNumeric =
      channel !== 'color' && rows.every((row) => row[channel] === null || typeof row[channel] === 'number');
    encoding[channel] = {
      ...{ type: isNumeric ? 'quantitative' : 'nominal', title: named?.[channel] ?? column },
      ...(isNumeric ? (channel === 'x' || mark === 'point') && { scale: { zero: false } } : { sort: null }),
    };
  }
  return chartOf(table, rows, { mark, encoding, title });
}

function chartOf(
  table: Table,
  rows: readonly Row[],
  { mark, encoding, title }: { mark: string; encoding: Encoding; title: string },
): Chart {
  const step = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
  const fields = Object.entries(encoding).map(([channel, how]) => [channel, { field: channel, ...how }]);
  const values = rows.filter((_, i) => i % step === 0);
  return logged(
    table,
    { data: { values }, mark: { type: mark, tooltip: true }, encoding: Object.fromEntries(fields) },
    title,
  );
}

function logged(table: Table, spec: Row, title: string): Chart {
  const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';
  return new Chart({ $schema, title, width: 'container', height: 280, ...spec }, { kind: 'vegaLite', table });
}

function rowsOf(table: Table, columns: Readonly<Record<string, string | undefined>>): Row[] {
  const places = Object.entries(columns).flatMap(([channel, column]) => {
    if (column === undefined) return [];
    const place = table.columns.indexOf(column);
    if (place < 0)
      throw new RangeError(`plot: the table has no column '${column}'; it has ${table.columns.join(', ')}`);
    return [[channel, place] as const];
  });
  return table.data.map((row) => Object.fromEntries(places.map(([channel, place]) => [channel, plain(row[place])])));
}

function plain(cell: unknown): unknown {
  if (cell === null || cell === undefined || typeof cell === 'string') return cell ?? null;
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell === 'boolean' || typeof cell === 'bigint') return Number(cell);
  return String(plainJson(cell));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
