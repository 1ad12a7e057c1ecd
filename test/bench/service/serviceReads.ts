import type { BenchRow } from '../benchResult.ts';
import { call, type CallTimes, type Service, timeCalls } from './serviceCalls.ts';
import { LONG_METRIC, metricNames, PROJECT, type ServiceSize } from './serviceData.ts';

const PAGE = `query ($filter: String, $orderBy: RunOrder, $names: [String!]) {
  runs(project: "${PROJECT}", filter: $filter, orderBy: $orderBy, first: 100) {
    edges { cursor node { id number name state tags seed createdAt configuration { hash kind datasetName parameters }
      metrics(names: $names) { name lastValue minimum maximum pointCount } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const GROUPS = `query ($groupBy: [String!]!, $metrics: [GroupMetricInput!]) {
  runGroups(project: "${PROJECT}", groupBy: $groupBy, metrics: $metrics, first: 100) {
    edges { node { id values runCount metrics { name n mean standardDeviation low high minimum maximum isBest } } }
    totalCount runCount
  }
}`;
const COLUMNS = `{ runColumns(project: "${PROJECT}") { metrics configuration tags } }`;
const HISTORY = `query ($run: ID!, $names: [String!]) {
  metricHistory(runIds: [$run], names: $names, maxPoints: 500) { steps values times minimum maximum pointCount }
}`;

/** The rows of reads, every call over HTTP. @param calls How often each is measured. */
export async function serviceReads(
  service: Service,
  { size, calls, longRun }: { size: ServiceSize; calls: number; longRun: string },
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const row = (work: string, { p50, p95, processorMs }: CallTimes, aim: { p50: number; p95?: number }) => {
    rows.push({ work, value: p50, unit: 'ms', aim: aim.p50, processorMs, also: `p95 ${p95.toFixed(0)} ms` });
    if (aim.p95 === undefined) return;
    rows.push({ work: `${work}, p95`, value: p95, unit: 'ms', aim: aim.p95, processorMs: null, also: '' });
  };
  const timed = (query: string, variables: Record<string, unknown> = {}) =>
    timeCalls(service, calls, () => call(service, query, variables));
  const names = metricNames(size.metrics).slice(0, 5);
  const [first = '', second = ''] = names;
  const page = (variables: Record<string, unknown> = {}) => timed(PAGE, { names, ...variables });

  row('page of 100 runs with 5 metrics', await page(), { p50: 15, p95: 25 });
  row('ordered by a metric', await page({ orderBy: { by: `metric."${first}"`, direction: 'DESC' } }), { p50: 25 });
  row('filtered by a metric', await page({ filter: `metric."${first}" > 0.99` }), { p50: 25 });
  const either = `config.optimizer.learningRate = 0.003 or metric."${second}" < 0.01`;
  row('filtered by configuration or metric', await page({ filter: either }), { p50: 25 });
  row('page of 100 runs with all metrics', await page({ names: null }), { p50: 50 });
  row('runColumns', await timed(COLUMNS), { p50: 15 });
  const long = { run: longRun, names: [LONG_METRIC] };
  row(`metricHistory, ${size.longPoints} points to 500`, await timed(HISTORY, long), { p50: 25 });
  const groupAim = size.runs > 10_000 ? 1_000 : 150;
  const metrics = [{ name: first }, { name: second }];
  const byConfiguration = await timed(GROUPS, { groupBy: ['configuration'], metrics });
  row('grouped by configuration, 2 metrics', byConfiguration, { p50: groupAim, p95: groupAim });
  const byPaths = await timed(GROUPS, { groupBy: ['model', 'optimizer.learningRate'], metrics });
  row('grouped by 2 parameters, 2 metrics', byPaths, { p50: groupAim, p95: groupAim });
  return rows;
}
