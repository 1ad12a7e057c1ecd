import { printable } from '#src/base/lib/printable.ts';
import { ruledName, valuesText } from '#src/base/lib/valueRules.ts';
import { shortNumerals } from '#src/base/lib/shortNumerals.ts';
import { groupName } from '#src/comparisons/groupName.ts';
import type { Comparison } from './fetchComparison.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { formatReplicates } from '#src/base/terminal/formatNumber.ts';
import { renderTable, type TableColumn } from '#src/base/terminal/table.ts';
import { textWidth } from '#src/base/terminal/textWidth.ts';

export interface ComparisonTableOptions {
  colours: Colours;
  /** Cells of a line; undefined where nothing need be cut. */
  width: number | undefined;
  /** Metrics to show, in order; without it all but `system/*`. */
  metrics?: readonly string[];
}

/** Marks the best value of a metric, for those who see no colours, too. */
const BEST = '*';
/** Longer lines are read by nobody, in a file or a pipe either: the table is turned round there too, and nothing cut. */
const LONGEST_LINE = 200;

/**
 * Lines of the comparison: one row for each configuration, replicates as mean ± standard deviation (n), the configuration
 * fields that differ, the best value of each metric marked. Turned round, metrics downwards, where that fits the screen better.
 */
export function comparisonTable(comparison: Comparison, options: ComparisonTableOptions): string[] {
  const { colours, width } = options;
  const columns = [...fieldColumns(comparison), ...metricColumns(comparison, options)];
  const heads = comparison.groups.map((group) => groupName(comparison, group));
  const upright = (): { columns: TableColumn[]; rows: string[][] } => ({
    columns: [{ header: 'RUNS' }, ...columns.map(({ header, align }) => ({ header, align }))],
    rows: heads.map((head, row) => [head, ...columns.map((column) => column.cells[row] ?? '')]),
  });
  const turned = (): { columns: TableColumn[]; rows: string[][] } => ({
    columns: [
      { header: '', minimum: 16 },
      ...heads.map((head) => ({ header: head, align: 'right' as const, minimum: 8 })),
    ],
    rows: columns.map((column) => [column.header, ...column.cells]),
  });
  const first = upright();
  const fits = lineWidth(first) <= (width ?? LONGEST_LINE);
  const { columns: shown, rows } = fits ? first : turned();
  const lines = renderTable(shown, rows, { width, styleHeader: colours.bold });
  if (!columns.some((column) => column.cells.some((cell) => cell.includes(BEST)))) return lines;
  const replicated = comparison.groups.some((group) => group.runIds.length > 1);
  const names = options.metrics ?? comparison.metrics.map(({ name }) => name);
  const rules = comparison.metrics.flatMap(({ name, rules }) => (names.includes(name) ? rules : []));
  const note = replicated
    ? `${BEST} best; ${valuesText(rules)}, mean ± standard deviation (number of seeds)`
    : `${BEST} best`;
  return [...lines, colours.dim(note)];
}

interface Strip {
  header: string;
  align: 'left' | 'right';
  /** One a group. */
  cells: string[];
}

function fieldColumns({ fields, groups, runs }: Comparison): Strip[] {
  // Seeds are said in the first column; replicates share everything else.
  const differing = fields.filter((field) => field.differs && field.path !== 'seed');
  return differing.map((field) => ({
    header: field.path.replace(/^parameters\./, '').replace(/^dataset\.name$/, 'dataset'),
    align: 'left',
    cells: shortNumerals(
      groups.map((group) => valueText(field.values[runs.findIndex((run) => run.id === group.runIds[0])])),
    ),
  }));
}

function metricColumns({ metrics, groups }: Comparison, { colours, metrics: wanted }: ComparisonTableOptions): Strip[] {
  const names = wanted ?? metrics.map((metric) => metric.name).filter((name) => !name.startsWith('system/'));
  return names.flatMap((name) => {
    const found = groups.map((group) => group.metrics.find((metric) => metric.name === name));
    if (found.every((metric) => metric === undefined)) return [];
    const direction = found.find((metric) => metric !== undefined)?.direction ?? null;
    const best = bestOf(
      found.flatMap((metric) => (metric === undefined ? [] : Number(metric.mean))),
      direction,
    );
    const cells = found.map((metric) => {
      if (metric === undefined) return '-';
      const text = formatReplicates(metric.mean, metric.standardDeviation, metric.n);
      return Number(metric.mean) === best ? `${colours.green(text)} ${BEST}` : best === null ? text : `${text}  `;
    });
    const rules = metrics.find((metric) => metric.name === name)?.rules ?? [];
    return [{ header: ruledName(name, rules), align: 'right' as const, cells }];
  });
}

/** The best of the values; null where there is nothing to choose or nobody knows which way is better. */
function bestOf(values: readonly number[], direction: 'higher' | 'lower' | null): number | null {
  const finite = values.filter((value) => Number.isFinite(value));
  if (direction === null || new Set(finite).size < 2) return null;
  return direction === 'higher' ? Math.max(...finite) : Math.min(...finite);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? printable(value) : JSON.stringify(value);
}

function lineWidth({ columns, rows }: { columns: TableColumn[]; rows: string[][] }): number {
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.header), ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + 2, -2);
}
