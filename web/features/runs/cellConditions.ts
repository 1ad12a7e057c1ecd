import type { MetricSummary, RunRow } from './useRuns.ts';
import { configurationValue, metricOfColumn, pathOfColumn, textOfColumn } from '#web/lib/runColumn.ts';
import { standingRule, summaryValue } from '#web/lib/summaryValue.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { summaryOf } from './cellNumber.ts';
import { columnTitle } from './columnTitle.ts';
import { isRunField, type RunField } from './columnChoice.ts';
import { textOf } from './textOf.ts';

/** Runs like that of a cell, or unlike it: in words, and as the filter language says it. */
export interface CellCondition {
  label: string;
  condition: string;
}

/** A cell's value as filters name it. */
interface FilteredValue {
  field: string;
  value: string | number | boolean | null;
  /** For people. */
  text: string;
}

/** Fields of runs whose cells show what filters ask for, and that many runs share. */
const ASKED_FIELDS = ['kind', 'dataset', 'project', 'user', 'seed', 'state', 'configuration', 'attempt', 'priority'];
/** Fields that runs are grouped by, by the columns that show them. */
const GROUPED_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['kind', 'dataset', 'project', 'user', 'state', 'seed'].map((field) => [field, field] as const),
  ['tags', 'tag'],
  ['configuration', 'configuration'],
]);
const LONGEST_VALUE = 24;

/** The field by which a column groups runs; null where its values are each run's own. */
export function groupFieldOf(column: string): string | null {
  return column.startsWith('config.') ? column : (GROUPED_FIELDS.get(column) ?? null);
}

/** By what a cell can narrow the table; empty where its value is the run's own. */
export function cellConditions(
  run: RunRow,
  column: string,
  later: ReadonlyMap<string, MetricSummary> | undefined,
): CellCondition[] {
  const metric = metricOfColumn(column);
  if (metric !== null) return metricConditions(column, summaryOf(run, metric, later));
  if (column === 'tags') {
    return run.tags.flatMap((tag) => {
      const condition = `tag = ${literal(tag)}`;
      // whole, so that no two entries are called the same
      return [
        { label: `Only runs tagged ${tag}`, condition },
        { label: `No runs tagged ${tag}`, condition: `not ${condition}` },
      ];
    });
  }
  const found = askedValue(run, column);
  if (found === null) return [];
  const { field, value, text } = found;
  const title = columnTitle(column);
  if (value === null) {
    return [
      { label: `Only runs without ${title}`, condition: `${field} is null` },
      { label: `Only runs with ${title}`, condition: `not (${field} is null)` },
    ];
  }
  const condition = `${field} = ${literal(value)}`;
  const shown = shorten(text, LONGEST_VALUE);
  return [
    { label: `Only ${title} ${shown}`, condition },
    // with `!=` runs without a value would go, too
    { label: `All but ${title} ${shown}`, condition: `not (${condition})` },
    ...(typeof value === 'number' && column.startsWith('config.')
      ? [
          { label: `${title} ≥ ${shown}`, condition: `${field} >= ${value}` },
          { label: `${title} ≤ ${shown}`, condition: `${field} <= ${value}` },
        ]
      : []),
  ];
}

/** The filter with one more condition; one that it ends with already is not added again. */
export function withCondition(filter: string, condition: string): string {
  const before = filter.trim();
  if (before === '' || before === condition) return condition;
  if (before.endsWith(` and ${condition}`)) return before;
  return /(^|[\s)])or([\s(]|$)/i.test(before) ? `(${before}) and ${condition}` : `${before} and ${condition}`;
}

function metricConditions(column: string, summary: MetricSummary | undefined): CellCondition[] {
  const title = columnTitle(column);
  const has = { label: `Only runs with ${title}`, condition: `not (${column} is null)` };
  if (summary === undefined) return [has];
  const field = fieldOfSummary(column, summary);
  const value = summaryValue(summary);
  if (field === null || !Number.isFinite(value)) return [has];
  const shown = formatNumber(value);
  return [
    { label: `${title} ≥ ${shown}`, condition: `${field} >= ${value}` },
    { label: `${title} ≤ ${shown}`, condition: `${field} <= ${value}` },
    has,
  ];
}

/** What filters call the value that the cell shows; null for one that they do not know, such as a mean. */
function fieldOfSummary(column: string, summary: MetricSummary): string | null {
  const rule = standingRule(summary);
  if (rule === 'last') return column;
  return rule === 'max' || rule === 'min' ? column.replace('metric.', `${rule}.`) : null;
}

function askedValue(run: RunRow, column: string): FilteredValue | null {
  const path = pathOfColumn(column);
  if (path !== null) {
    const value = configurationValue(run.configuration, path) ?? null;
    const field = column === 'config.dataset.name' ? 'dataset' : column;
    if (value === null) return { field, value, text: '' };
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
    return { field, value, text: typeof value === 'number' ? formatNumber(value) : formatValue(value) };
  }
  const name = textOfColumn(column);
  if (name !== null) {
    const text = textOf(run, name);
    return text.includes('\n') ? null : { field: column, value: text === '' ? null : text, text };
  }
  if (!isRunField(column) || !ASKED_FIELDS.includes(column)) return null;
  const value = fieldValue(run, column);
  return { field: column, value, text: String(value) };
}

function fieldValue(run: RunRow, field: RunField): string | number | null {
  switch (field) {
    case 'kind':
      return run.configuration.kind;
    case 'dataset':
      return run.configuration.datasetName;
    case 'configuration':
      return run.configuration.hash;
    case 'project':
      return run.project.name;
    case 'user':
      return run.user;
    case 'state':
      return run.state;
    case 'seed':
      return run.seed;
    case 'attempt':
      return run.attempt;
    case 'priority':
      return run.priority;
    default:
      return null;
  }
}

function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
