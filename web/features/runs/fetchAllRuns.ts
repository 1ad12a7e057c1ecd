import { RunMetricsDocument, RunsDocument, type RunsQuery } from '#web/generated/graphql.ts';
import { ApiError } from '#web/api/apiError.ts';
import { request } from '#web/api/request.ts';
import type { MetricSummary, RunRow, RunsQueryInput } from './useRuns.ts';

const PAGE_SIZE = 200;
const MOST_RUNS = 20_000;
/** Metrics of a page of runs in one answer. */
const METRICS_AT_ONCE = 40;

/** All runs that match with any number of metrics, page after page. @throws ApiError TOO_LARGE for more than 20,000, and what the API says. */
export async function fetchAllRuns(input: RunsQueryInput): Promise<RunRow[]> {
  const { orderBy, direction, filter, metrics, ...rest } = input;
  const names = [...new Set(metrics)];
  const runs: RunRow[] = [];
  for (let after: string | null = null; ; ) {
    const page: RunsQuery['runs'] = (
      await request(RunsDocument, {
        ...rest,
        filter: filter === '' ? null : filter,
        orderBy: { by: orderBy, direction },
        first: PAGE_SIZE,
        after,
        metrics: names.slice(0, METRICS_AT_ONCE),
      })
    ).runs;
    if (page.totalCount > MOST_RUNS) {
      throw new ApiError('TOO_LARGE', `${page.totalCount} runs match, and a table has at most ${MOST_RUNS}.`);
    }
    const rows = page.edges.map(({ node }) => node);
    for (let from = METRICS_AT_ONCE; from < names.length && rows.length > 0; from += METRICS_AT_ONCE) {
      const later = await fetchMetrics(rows, names.slice(from, from + METRICS_AT_ONCE), input.inTrash);
      for (const row of rows) row.metrics.push(...(later.get(row.id) ?? []));
    }
    runs.push(...rows);
    if (!page.pageInfo.hasNextPage) return runs;
    after = page.pageInfo.endCursor;
  }
}

async function fetchMetrics(
  runs: readonly RunRow[],
  names: string[],
  inTrash: boolean,
): Promise<Map<string, MetricSummary[]>> {
  const filter = `number in (${runs.map(({ number }) => number).join(', ')})`;
  const found = await request(RunMetricsDocument, { filter, first: runs.length, inTrash, names });
  return new Map(found.runs.edges.map(({ node }) => [node.id, node.metrics]));
}
