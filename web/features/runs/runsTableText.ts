import { tellsProgress } from '#src/base/contracts/runProgress.ts';
import { csvLine } from '#src/base/lib/csvLine.ts';
import type { TableFormat } from '#src/base/lib/groupedTable.ts';
import { latexText, markdownText } from '#src/base/lib/tableText.ts';
import type { RunRow } from './useRuns.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { configurationValue, metricOfColumn, metricOfCurve, pathOfColumn, textOfColumn } from '#web/lib/runColumn.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { bestOfLikeData, dataOf } from '#web/lib/bestOfLikeData.ts';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { cellNumber } from './cellNumber.ts';
import { textOf } from './textOf.ts';
import { columnTitle } from './columnTitle.ts';

/**
 * Runs as a table of text, with the columns in their order: CSV with numbers in full; Markdown and LaTeX with numbers that
 * stand under each other, the best of a metric in bold among runs that saw the same data. Curves are left out.
 */
export function runsTableText(runs: readonly RunRow[], columns: readonly string[], format: TableFormat): string {
  const fields = columns.filter((column) => metricOfColumn(column) === null && metricOfCurve(column) === null);
  const metrics = columns.filter((column) => metricOfColumn(column) !== null);
  const heads = ['number', ...fields, ...metrics].map(columnTitle);
  const cellsOf = (run: RunRow) => [String(run.number), ...fields.map((column) => fieldText(run, column))];
  const values = metrics.map((column) => runs.map((run) => cellNumber(run, column, undefined)));
  if (format === 'csv') {
    const lines = runs.map((run, row) => csvLine([...cellsOf(run), ...values.map((column) => column[row] ?? '')]));
    return [csvLine(heads), ...lines].join('');
  }
  const decimals = values.map((column) => columnDecimals(column.filter((value) => value !== null)));
  const data = runs.map(({ configuration }) => dataOf(configuration));
  const best = metrics.map((column, index) => bestOfLikeData(values[index]!, directionOf(runs, column), data));
  const rows = runs.map((run, row) => [
    ...cellsOf(run).map((text) => ({ text })),
    ...values.map((column, index) => ({
      text: numberText(column[row] ?? null, decimals[index] ?? null),
      isBest: best[index]!.has(row),
    })),
  ]);
  const table = { heads, rows, numbersFrom: heads.length - metrics.length };
  return format === 'md' ? markdownText(table) : latexText(table);
}

function directionOf(runs: readonly RunRow[], column: string): 'higher' | 'lower' | null {
  const name = metricOfColumn(column);
  for (const run of runs) {
    const summary = run.metrics.find((one) => one.name === name);
    if (summary !== undefined) return summary.direction ?? null;
  }
  return null;
}

function numberText(value: number | null, decimals: number | null): string {
  return value === null ? '–' : alignedNumber(value, decimals);
}

function fieldText(run: RunRow, column: string): string {
  const name = textOfColumn(column);
  if (name !== null) return textOf(run, name);
  const path = pathOfColumn(column);
  if (path !== null) return formatValue(configurationValue(run.configuration, path));
  switch (column) {
    case 'name':
      return run.name;
    case 'state':
      return run.state;
    case 'progress':
      return tellsProgress(run) ? `${Math.round(run.progress * 100)} %` : '';
    case 'kind':
      return run.configuration.kind;
    case 'dataset':
      return run.configuration.datasetName ?? '';
    case 'headline':
      return run.headline == null ? '' : `${run.headline.name} ${summaryValue(run.headline)}`;
    case 'created':
      return run.createdAt;
    case 'started':
      return run.startedAt ?? '';
    case 'ended':
      return run.endedAt ?? '';
    case 'project':
      return run.project.name;
    case 'user':
      return run.user ?? '';
    case 'tags':
      return run.tags.join(' ');
    case 'notes':
      return run.notes ?? '';
    case 'configuration':
      return run.configuration.hash;
    case 'duration': {
      const milliseconds = cellNumber(run, column, undefined);
      return milliseconds === null ? '' : String(milliseconds / 1000);
    }
    default: {
      const value = cellNumber(run, column, undefined);
      return value === null ? '' : String(value);
    }
  }
}
