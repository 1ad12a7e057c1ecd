import {
  type InfiniteData,
  keepPreviousData,
  skipToken,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import {
  type MetricSummaryFragment,
  RunRowChangedDocument,
  type RunRowFragment,
  RunsDocument,
  type RunsQuery,
  type SortDirection,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type MetricSummary = MetricSummaryFragment;
/** Its notes, its headline and its newest texts are there where their columns are shown. */
export type RunRow = RunRowFragment & {
  metrics: MetricSummary[];
  notes?: string;
  headline?: MetricSummary | null;
  texts?: { name: string; texts: string[] }[];
};

export interface RunsQueryInput {
  project: string | null;
  filter: string;
  orderBy: string;
  direction: SortDirection;
  inTrash: boolean;
  /** Metrics shown in columns. */
  metrics: string[];
  /** Whether notes are shown: they may be long. */
  withNotes: boolean;
  /** Whether the metric that tells most of each run is shown. */
  withHeadline: boolean;
  /** Whether texts that programs logged are shown. */
  withTexts: boolean;
}

const PAGE_SIZE = 100;
/** Changes are gathered this long, then drawn at once. */
const GATHER_MS = 150;
/** What lies beyond the list (metrics of many columns, curves) is read anew at most this often. */
const REFRESH_CELLS_MS = 4000;
/** The list is read anew at most this often when runs come, go or change places. */
const REFRESH_MS = 1500;

type Pages = InfiniteData<RunsQuery, string | null>;

/**
 * Runs that match, page by page, kept current by `runChanged`: known runs change in place, others bring a new reading.
 * @param input Null: none are asked for.
 */
export function useRuns(input: RunsQueryInput | null) {
  const queryClient = useQueryClient();
  const key = useMemo(() => ['runs', input] as const, [input]);
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn:
      input === null
        ? skipToken
        : ({ pageParam, signal }) =>
            request(
              RunsDocument,
              {
                project: input.project,
                filter: input.filter === '' ? null : input.filter,
                orderBy: { by: input.orderBy, direction: input.direction },
                first: PAGE_SIZE,
                after: pageParam,
                inTrash: input.inTrash,
                metrics: input.metrics,
                withNotes: input.withNotes,
                withHeadline: input.withHeadline,
                withTexts: input.withTexts,
              },
              signal,
            ),
    getNextPageParam: ({ runs }) => (runs.pageInfo.hasNextPage ? runs.pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

  useEffect(() => {
    if (input === null) return;
    const changed = new Map<string, RunRow>();
    let gatherTimer: ReturnType<typeof setTimeout> | undefined;
    let refreshTimer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      refreshTimer ??= setTimeout(() => {
        refreshTimer = undefined;
        void queryClient.invalidateQueries({ queryKey: key });
      }, REFRESH_MS);
    };
    let cellsTimer: ReturnType<typeof setTimeout> | undefined;
    const refreshCells = () => {
      cellsTimer ??= setTimeout(() => {
        cellsTimer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['runMetrics'] });
        void queryClient.invalidateQueries({ queryKey: ['runCurves'] });
      }, REFRESH_CELLS_MS);
    };
    const apply = () => {
      gatherTimer = undefined;
      refreshCells();
      const before = queryClient.getQueryData<Pages>(key);
      const { pages, moved } = patchPages(before, changed);
      changed.clear();
      queryClient.setQueryData(key, pages);
      if (moved) refresh();
    };
    const { project, metrics, withNotes, withHeadline, withTexts } = input;
    const stop = subscribe(RunRowChangedDocument, () => ({ project, metrics, withNotes, withHeadline, withTexts }), {
      onData: ({ runChanged }) => {
        changed.set(runChanged.id, runChanged);
        gatherTimer ??= setTimeout(apply, GATHER_MS);
      },
      onReconnect: () => void queryClient.invalidateQueries({ queryKey: key }),
    });
    return () => {
      stop();
      clearTimeout(gatherTimer);
      clearTimeout(refreshTimer);
      clearTimeout(cellsTimer);
    };
  }, [key, input, queryClient]);

  return query;
}

/** Puts changed runs into their places; `moved` where a run is new, or its state says that it may belong elsewhere. */
function patchPages(data: Pages | undefined, changed: ReadonlyMap<string, RunRow>) {
  if (data === undefined) return { pages: data, moved: false };
  const unseen = new Set(changed.keys());
  let moved = false;
  const pages = data.pages.map((page) => {
    const edges = page.runs.edges.map((edge) => {
      const node = changed.get(edge.node.id);
      if (node === undefined) return edge;
      unseen.delete(node.id);
      moved ||= node.state !== edge.node.state || node.deletedAt !== edge.node.deletedAt;
      return { ...edge, node };
    });
    return { ...page, runs: { ...page.runs, edges } };
  });
  return { pages: { ...data, pages }, moved: moved || unseen.size > 0 };
}
