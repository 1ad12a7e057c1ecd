import type { MetricDirection } from '#src/catalog/kind.ts';
import type { RunResultJson } from './runResultJson.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { formatDuration, formatNumber, formatReplicates } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

interface ResultTableOptions {
  terminal: Pick<Terminal, 'colours' | 'width'>;
  directionOf(metric: string): MetricDirection | null;
}

/** Lines with the last metrics of runs that differ in their seed, one column per seed, and how they were made. */
export function resultTable(
  results: readonly RunResultJson[],
  { terminal, directionOf }: ResultTableOptions,
): string[] {
  const names = [...new Set(results.flatMap((result) => Object.keys(result.metrics)))];
  const { colours } = terminal;
  const rows = names.map((name) => {
    const arrow = { higher: '↑', lower: '↓', none: '' }[directionOf(name) ?? 'none'];
    return [
      `${name} ${colours.dim(arrow)}`.trim(),
      ...results.map((result) => formatNumber(numberOf(result.metrics[name]))),
      ...meanOf(results, name),
    ];
  });
  const heads = [...results.map((result) => `SEED ${result.seed}`), ...(results.length > 1 ? ['MEAN ± SD (N)'] : [])];
  const columns = [{ header: 'METRIC' }, ...heads.map((header) => ({ header, align: 'right' as const }))];
  const lines = renderTable(columns, rows, { width: terminal.width(), styleHeader: colours.bold });
  const first = results[0];
  if (first === undefined) return lines;
  const phases = Object.entries(first.timings).map(([phase, seconds]) => `${phase} ${formatDuration(seconds * 1000)}`);
  const peak = first.peakRssMb === null ? [] : [`peak memory ${formatBytes(first.peakRssMb * 1024 * 1024)}`];
  const where = [first.backend, first.device].filter((part) => part !== null).join(' on ');
  return [...lines, colours.dim([...phases, ...peak, where].filter((part) => part !== '').join(', '))];
}

/** Mean and spread over the seeds; no cell for a single one. */
function meanOf(results: readonly RunResultJson[], name: string): string[] {
  if (results.length < 2) return [];
  const values = results.flatMap((result) => numberOf(result.metrics[name]) ?? []);
  if (values.length === 0) return ['-'];
  const { mean, standardDeviation, n } = summarizeReplicates(values);
  return [formatReplicates(mean, standardDeviation, n)];
}

function numberOf(value: number | string | undefined): number | null {
  return value === undefined ? null : Number(value);
}
