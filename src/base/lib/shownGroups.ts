import type { GroupedTable, TableStatistics } from './groupedTable.ts';
import { fieldTitle, groupLabels, type LabelledGroup } from './groupLabels.ts';
import { fieldValueText, type LabelPart, wholeValueText } from './labels.ts';
import { type MetricValue, toNumber } from './metricValue.ts';

/** A group of runs as the API answers it, in what tables show. */
export interface AnsweredGroup extends LabelledGroup {
  runCount: number;
  isBaseline: boolean;
  metrics: readonly {
    n: number;
    mean?: MetricValue | null;
    standardDeviation?: MetricValue | null;
    standardError?: MetricValue | null;
    low?: MetricValue | null;
    high?: MetricValue | null;
    minimum?: MetricValue | null;
    maximum?: MetricValue | null;
    isBest: boolean;
    test?: { verdict?: string | null; pHolm?: number | null; test?: { p: number } | null } | null;
  }[];
}

/** The grouped table as it is drawn and exported: a label and cells for each group. */
export interface ShownGroups extends GroupedTable {
  labels: string[];
}

/** So many varying fields stand in columns of their own; more are told by one label. */
const MOST_COLUMNS = 6;

/** What varies between the groups in columns, their metrics as numbers. */
export function shownGroups(
  groups: readonly AnsweredGroup[],
  fields: readonly string[],
  metrics: readonly string[],
): ShownGroups {
  const labels = groupLabels(groups, fields);
  const paths = fields.includes('configuration')
    ? [...new Set(labels.flatMap(({ parts }) => parts.map(({ path }) => path)))]
    : [...fields];
  const inColumns = paths.length > 0 && paths.length <= MOST_COLUMNS;
  const valuesOf = (row: number, parts: readonly LabelPart[]) =>
    fields.includes('configuration')
      ? paths.map((path) => parts.find((part) => part.path === path)?.value)
      : groups[row]!.values;
  const told = groups.map((_, row) => valuesOf(row, labels[row]!.parts));
  const titles = paths.map(fieldTitle);
  const cellsWith = (text: (path: string, value: unknown) => string) =>
    told.map((values) => values.map((value, index) => text(paths[index] ?? '', value)));
  const cells = cellsWith(fieldValueText);
  return {
    labels: labels.map(({ text }) => text),
    heads: inColumns ? titles : ['group'],
    ...(paths.length > 0 && { whole: { heads: titles, cells: cellsWith(wholeValueText) } }),
    metrics,
    tested: groups.some((group) => group.isBaseline || group.metrics.some(({ test }) => test != null)),
    rows: groups.map((group, row) => ({
      cells: inColumns ? cells[row]! : [labels[row]!.text],
      runs: group.runCount,
      metrics: group.metrics.map(statistics),
    })),
  };
}

function statistics(metric: AnsweredGroup['metrics'][number]): TableStatistics {
  const number = (value: MetricValue | null | undefined) => (value == null ? null : toNumber(value));
  return {
    n: metric.n,
    mean: number(metric.mean),
    standardDeviation: number(metric.standardDeviation),
    standardError: number(metric.standardError),
    low: number(metric.low),
    high: number(metric.high),
    minimum: number(metric.minimum),
    maximum: number(metric.maximum),
    isBest: metric.isBest,
    verdict: metric.test?.verdict ?? null,
    p: metric.test?.pHolm ?? metric.test?.test?.p ?? null,
  };
}
