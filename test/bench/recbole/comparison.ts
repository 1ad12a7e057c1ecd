import { timingOf } from '../pythonPeer.ts';
import type { RunTimes } from './ownRun.ts';

/** Mean and, of several runs, standard deviation. */
export interface Spread {
  mean: number;
  deviation: number | null;
}

/** What runs that differ in their seed have shown. */
export interface RunStatistics {
  /** Median of an epoch, or of fitting at once. */
  seconds: number;
  spread: [number, number];
  /** Median of the same, all threads together. */
  processorSeconds: number;
  /** Null where no run was trained to its end. */
  metrics: Record<'ndcg@10' | 'hr@10', Spread> | null;
}

/** A kind beside a model of RecBole. */
export interface Comparison {
  kind: string;
  model: string;
  epochs: number | null;
  differs: string;
  ours: RunStatistics;
  theirs: RunStatistics | null;
}

export function statisticsOf(runs: readonly RunTimes[]): RunStatistics {
  const { median, spread } = timingOf(runs.flatMap(({ seconds }) => seconds));
  const { median: processorSeconds } = timingOf(runs.flatMap((run) => run.processorSeconds));
  const metrics = runs.flatMap((run) => run.metrics ?? []);
  const over = (name: 'ndcg@10' | 'hr@10') => spreadOf(metrics.map((found) => found[name]));
  return {
    ...{ seconds: median, spread, processorSeconds },
    metrics: metrics.length === 0 ? null : { 'ndcg@10': over('ndcg@10'), 'hr@10': over('hr@10') },
  };
}

function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, deviation: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The means of our times over RecBole's, and what we aim at; nothing where RecBole did not run. */
export function meanLines(rows: readonly Comparison[]): string[] {
  const both = rows.flatMap(({ ours, theirs }) => (theirs === null ? [] : [{ ours, theirs }]));
  if (both.length === 0) return [];
  const mean = (time: 'seconds' | 'processorSeconds'): string =>
    geometricMean(both.map(({ ours, theirs }) => ours[time] / theirs[time])).toFixed(3);
  return [
    `geometric mean of ${both.length} ratios: ${mean('seconds')} by the clock, ${mean('processorSeconds')} in processor time; our aim is .5 in every row and .25 in the mean`,
  ];
}

const COLUMNS = [
  ...['kind', 'epochs', 's/epoch', 'RecBole', 'ratio', 'processor s', 'RecBole', 'ratio'],
  ...['NDCG@10', 'RecBole', 'difference', 'HR@10', 'RecBole'],
];

/** The rows as a table in Markdown, with what the two differ in below. */
export function comparisonLines(rows: readonly Comparison[]): string[] {
  const lines = rows.map(({ kind, epochs, ours, theirs }) => {
    const cells = [kind, epochs === null ? 'fitted at once' : String(epochs)];
    for (const time of ['seconds', 'processorSeconds'] as const) {
      cells.push(ours[time].toPrecision(3));
      cells.push(theirs?.[time].toPrecision(3) ?? '', theirs === null ? '' : (ours[time] / theirs[time]).toFixed(3));
    }
    const metrics = { ours: ours.metrics, theirs: theirs?.metrics ?? null };
    cells.push(shown(metrics.ours?.['ndcg@10']), shown(metrics.theirs?.['ndcg@10']));
    cells.push(difference(metrics.ours?.['ndcg@10'], metrics.theirs?.['ndcg@10']));
    cells.push(shown(metrics.ours?.['hr@10']), shown(metrics.theirs?.['hr@10']));
    return cells;
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `| ${COLUMNS.map(() => '---').join(' | ')} |`;
  return [line(COLUMNS), rule, ...lines.map(line), ...rows.map(({ kind, differs }) => `${kind}: ${differs}`)];
}

function shown(spread: Spread | undefined): string {
  if (spread === undefined) return '';
  const { mean, deviation } = spread;
  return deviation === null ? mean.toFixed(4) : `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;
}

/** Ours less theirs, in percent of theirs. */
function difference(ours: Spread | undefined, theirs: Spread | undefined): string {
  if (ours === undefined || theirs === undefined) return '';
  const percent = 100 * (ours.mean / theirs.mean - 1);
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}
