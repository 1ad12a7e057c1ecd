import { useQueries } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { type MetricSummaryFragment, RunCurvesDocument, RunMetricsDocument } from '#web/generated/graphql.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { request } from '#web/api/request.ts';

/** By run, then by metric. */
export type ByRun<Value> = ReadonlyMap<string, ReadonlyMap<string, Value>>;

export interface ColumnRows {
  inTrash: boolean;
  /** Runs in sight, in the order of the table. */
  runs: readonly { id: string; number: number }[];
  /** Metrics of columns in sight. */
  names: readonly string[];
}

/** Points of a curve in a cell. */
const CURVE_POINTS = 40;

/** Summaries of metrics whose columns are too many to come with the runs: of the rows and columns in sight alone. */
export function useColumnMetrics({ inTrash, runs, names }: ColumnRows): ByRun<MetricSummaryFragment> {
  const blocks = useMemo(() => blocksOf(runs, names, { rows: 50, columns: 20 }), [runs, names]);
  const shown = useRef<ByRun<MetricSummaryFragment>>(new Map());
  const found = useQueries({
    queries: blocks.map((block) => ({
      queryKey: ['runMetrics', inTrash, block],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Entry<MetricSummaryFragment>[]> => {
        const filter = `number in (${block.numbers.join(', ')})`;
        const variables = { filter, first: block.numbers.length, inTrash, names: block.names };
        const { runs: found } = await request(RunMetricsDocument, variables, signal);
        return found.edges.flatMap(({ node }) =>
          node.metrics.map((value) => ({ runId: node.id, name: value.name, value })),
        );
      },
      staleTime: 30_000,
      placeholderData: () => entriesOf(shown, block),
    })),
    combine: gatherSummaries,
  });
  useEffect(() => {
    shown.current = found;
  }, [found]);
  return found;
}

/** Curves of metrics in few points, of the rows in sight alone. */
export function useColumnCurves({ runs, names }: Omit<ColumnRows, 'inTrash'>): ByRun<readonly number[]> {
  const blocks = useMemo(() => blocksOf(runs, names, { rows: 25, columns: 1 }), [runs, names]);
  const shown = useRef<ByRun<readonly number[]>>(new Map());
  const found = useQueries({
    queries: blocks.map((block) => ({
      queryKey: ['runCurves', block],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Entry<readonly number[]>[]> => {
        const variables = { runIds: block.ids, names: block.names, maxPoints: CURVE_POINTS };
        const { metricHistory } = await request(RunCurvesDocument, variables, signal);
        return metricHistory.map(({ runId, name, values }) => ({ runId, name, value: values.map(toNumber) }));
      },
      staleTime: 30_000,
      placeholderData: () => entriesOf(shown, block),
    })),
    combine: gatherCurves,
  });
  useEffect(() => {
    shown.current = found;
  }, [found]);
  return found;
}

interface Entry<Value> {
  runId: string;
  name: string;
  value: Value;
}

/** What is already shown of a block: a new run moves all below it into other blocks, and their cells stay meanwhile. */
function entriesOf<Value>({ current }: RefObject<ByRun<Value>>, { ids, names }: Block): Entry<Value>[] | undefined {
  const entries = ids.flatMap((runId) =>
    names.flatMap((name) => {
      const value = current.get(runId)?.get(name);
      return value === undefined ? [] : [{ runId, name, value }];
    }),
  );
  return entries.length === 0 ? undefined : entries;
}

/** One function for all renderings: another one would gather anew each time. */
const gatherSummaries = (results: readonly { data?: Entry<MetricSummaryFragment>[] | undefined }[]) => gather(results);
const gatherCurves = (results: readonly { data?: Entry<readonly number[]>[] | undefined }[]) => gather(results);

function gather<Value>(results: readonly { data?: Entry<Value>[] | undefined }[]): ByRun<Value> {
  const byRun = new Map<string, Map<string, Value>>();
  for (const { runId, name, value } of results.flatMap(({ data = [] }) => data)) {
    const ofRun = byRun.get(runId) ?? new Map<string, Value>();
    byRun.set(runId, ofRun.set(name, value));
  }
  return byRun;
}

interface Block {
  ids: string[];
  numbers: number[];
  names: string[];
}

/** Rows and columns in rectangles that stay the same while one scrolls through them. */
function blocksOf(
  runs: ColumnRows['runs'],
  names: readonly string[],
  size: { rows: number; columns: number },
): Block[] {
  const blocks: Block[] = [];
  for (let row = 0; row < runs.length; row += size.rows) {
    const rows = runs.slice(row, row + size.rows);
    for (let column = 0; column < names.length; column += size.columns) {
      const ids = rows.map(({ id }) => id);
      blocks.push({
        ids,
        numbers: rows.map(({ number }) => number),
        names: names.slice(column, column + size.columns),
      });
    }
  }
  return blocks;
}
