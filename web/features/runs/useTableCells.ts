import { useDeferredValue, useMemo } from 'react';
import { type ByRun, useColumnCurves, useColumnMetrics } from '#web/features/metrics/useColumnMetrics.ts';
import type { MetricSummary, RunRow } from './useRuns.ts';
import { metricOfColumn, metricOfCurve, pathOfColumn } from '#web/lib/runColumn.ts';
import { columnDecimals } from '#web/lib/alignedNumber.ts';
import { type ParameterDigits, parameterDigits } from '#web/lib/parameterNumber.ts';
import { cellNumber, holdsNumbers, summaryOf } from './cellNumber.ts';
import { heatScale } from './heatScale.ts';

export type HeatScales = ReadonlyMap<string, (value: number) => number | null>;

export interface TableCells {
  /** Of columns beyond those whose metrics come with the runs. */
  metrics: ByRun<MetricSummary>;
  curves: ByRun<readonly number[]>;
  scales: HeatScales;
  /** Decimals of a metric's column, so that its numbers stand under each other; counted when it comes in sight. */
  decimalsOf(column: string): number | null;
  /** How the numbers of a parameter's column are shown. */
  digitsOf(column: string): ParameterDigits;
  /** Of the drawn columns of parameters those that hold numbers. */
  numeric: ReadonlySet<string>;
}

export interface CellsInSight {
  runs: RunRow[];
  /** Metrics that come with the runs. */
  eager: readonly string[];
  inTrash: boolean;
  /** Rows that are drawn, the last one not among them. */
  rows: readonly [from: number, to: number];
  /** All columns, of which those that are drawn are asked for. */
  columns: readonly string[];
  drawn: readonly string[];
  shaded: ReadonlySet<string>;
}

/** Rows and columns are asked for in blocks of so many, so that scrolling a little asks nothing new. */
const ROWS = 50;
const COLUMNS = 20;
const SAMPLED = 500;

/** What the cells in sight show beyond what comes with the runs: metrics of further columns, curves, shades. */
export function useTableCells({ runs, eager, inTrash, rows, columns, drawn, shaded }: CellsInSight): TableCells {
  const from = useDeferredValue(Math.floor(rows[0] / ROWS) * ROWS);
  const to = useDeferredValue(Math.ceil(rows[1] / ROWS) * ROWS);
  const inSight = useMemo(() => runs.slice(from, to), [runs, from, to]);
  const later = useMemo(() => {
    const known = new Set(eager);
    return columns.map(metricOfColumn).filter((name) => name !== null && !known.has(name)) as string[];
  }, [columns, eager]);
  const names = useDeferredValue(blockText(later, drawn.map(metricOfColumn)));
  const curveNames = useDeferredValue(drawn.flatMap((column) => metricOfCurve(column) ?? []).join('\n'));
  const metrics = useColumnMetrics({ inTrash, runs: inSight, names: useMemo(() => lines(names), [names]) });
  const curves = useColumnCurves({ runs: inSight, names: useMemo(() => lines(curveNames), [curveNames]) });
  const sample = useMemo(() => sampleOf(runs, inSight), [runs, inSight]);
  const decimalsOf = useMemo(() => {
    const counted = new Map<string, number | null>();
    return (column: string): number | null => {
      let found = counted.get(column);
      if (found === undefined) {
        const among = eager.includes(metricOfColumn(column) ?? '') ? sample : inSight;
        found = columnDecimals(among.flatMap((run) => cellNumber(run, column, metrics.get(run.id)) ?? []));
        counted.set(column, found);
      }
      return found;
    };
  }, [eager, sample, inSight, metrics]);
  const digitsOf = useMemo(() => {
    const counted = new Map<string, ParameterDigits>();
    return (column: string): ParameterDigits => {
      if (pathOfColumn(column) === null) return 'written';
      const found = counted.get(column) ?? parameterDigits(sample.flatMap((run) => cellNumber(run, column) ?? []));
      counted.set(column, found);
      return found;
    };
  }, [sample]);
  const scales = useMemo(() => {
    const found = new Map<string, (value: number) => number | null>();
    for (const column of drawn) {
      if (!shaded.has(column)) continue;
      const name = metricOfColumn(column);
      const summaries = sample.map((run) => (name === null ? undefined : summaryOf(run, name, metrics.get(run.id))));
      const direction = summaries.find((summary) => summary !== undefined)?.direction ?? null;
      const values = sample.flatMap((run) => cellNumber(run, column, metrics.get(run.id)) ?? []);
      const scale = heatScale(values, direction);
      if (scale !== null) found.set(column, scale);
    }
    return found;
  }, [drawn, shaded, sample, metrics]);
  const isNumeric = useMemo(() => {
    const known = new Map<string, boolean>();
    return (column: string): boolean => {
      const found = known.get(column) ?? holdsNumbers(runs, column);
      known.set(column, found);
      return found;
    };
  }, [runs]);
  // as one text, so that rows are not drawn anew whenever runs change
  const numericText = drawn.filter(isNumeric).join('\n');
  const numeric = useMemo(() => new Set(lines(numericText)), [numericText]);
  return { metrics, curves, scales, decimalsOf, digitsOf, numeric };
}

/** Runs by which a column's shades and decimals are chosen: those in sight, and of very many loaded ones every so many. */
function sampleOf(runs: RunRow[], inSight: RunRow[]): RunRow[] {
  if (runs.length <= SAMPLED) return runs;
  const stride = Math.ceil(runs.length / SAMPLED);
  return [...new Set([...runs.filter((_, index) => index % stride === 0), ...inSight])];
}

/** The blocks of `later` that hold one of the names, as one text that stays equal while they stay the same. */
function blockText(later: readonly string[], drawn: readonly (string | null)[]): string {
  const places = drawn.flatMap((name) => (name === null ? [] : later.indexOf(name))).filter((place) => place >= 0);
  const blocks = [...new Set(places.map((place) => Math.floor(place / COLUMNS)))].sort((a, b) => a - b);
  return blocks.flatMap((block) => later.slice(block * COLUMNS, (block + 1) * COLUMNS)).join('\n');
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
