import type { BenchRow } from '../benchResult.ts';
import { call, type Service, timeCalls } from './serviceCalls.ts';
import { LONG_METRIC, metricNames, PROJECT, type ServiceSize } from './serviceData.ts';

const PAGE = `query ($project: String, $filter: String, $orderBy: RunOrder, $names: [String!]) {
  runs(project: $project, filter: $filter, orderBy: $orderBy, first: 100) {
    edges { cursor node { id number name state tags seed createdAt configuration { hash kind datasetName parameters }
      metrics(names: $names) { name lastValue minimum maximum pointCount } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const COUNT = `query ($project: String, $filter: String) {
  runs(project: $project, filter: $filter, first: 0) { totalCount pageInfo { hasNextPage } }
}`;
const GROUPS = `query ($project: String, $groupBy: [String!]!, $metrics: [GroupMetricInput!]) {
  runGroups(project: $project, groupBy: $groupBy, metrics: $metrics, first: 100) {
    edges { node { id values runCount metrics { name n mean standardDeviation low high minimum maximum isBest } } }
    totalCount runCount
  }
}`;
const COLUMNS = `query ($project: String) { runColumns(project: $project) { metrics configuration tags } }`;
const HISTORY = `query ($run: ID!, $names: [String!]) {
  metricHistory(runIds: [$run], names: $names, maxPoints: 500) { steps values times minimum maximum pointCount }
}`;

/** What Home asks of runs that ended since a time. */
const BUNDLES = `query ($filter: String!) {
  runBundles(filter: $filter, first: 9) { runCount edges { node { runCount failedCount study newest { id headline { name lastValue } } } } }
}`;
const WITH_FILES = `query { runsWithFiles(ending: ".npy", text: "run 77", first: 50) { id number artifacts { name } } }`;

export interface ReadsOptions {
  size: ServiceSize;
  /** How often each is measured. */
  calls: number;
  longRun: string;
  /** What the names of the rows contain; all when empty. */
  only: string;
}

/** The rows of reads, every call over HTTP. */
export async function serviceReads(
  service: Service,
  { size, calls, longRun, only }: ReadsOptions,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const row = async (
    work: string,
    { query = PAGE, ...variables }: { query?: string } & Record<string, unknown>,
    aim: { p50: number; p95?: number },
  ) => {
    if (!work.includes(only)) return;
    const measured = await timeCalls(service, calls, () => call(service, query, { project: PROJECT, ...variables }));
    const { p50, p95, processorMs, ofEach } = measured;
    const also = `API ${ofEach[0]?.toFixed(1)}, PostgreSQL ${ofEach[1]?.toFixed(1)} ms of it; p95 ${p95.toFixed(0)} ms`;
    rows.push({ work, value: p50, unit: 'ms', aim: aim.p50, processorMs, also });
    if (aim.p95 === undefined) return;
    rows.push({ work: `${work}, p95`, value: p95, unit: 'ms', aim: aim.p95, processorMs: null, also: '' });
  };
  const names = metricNames(size.metrics).slice(0, 5);
  const [first = '', second = ''] = names;
  const groupAim = size.runs > 10_000 ? 1_000 : 150;
  const groups = { query: GROUPS, metrics: [{ name: first }, { name: second }] };
  const grouped = { p50: groupAim, p95: groupAim };

  await row('page of 100 runs with 5 metrics', { names }, { p50: 15, p95: 25 });
  await row('ordered by a metric', { names, orderBy: { by: `metric."${first}"`, direction: 'DESC' } }, { p50: 25 });
  await row('filtered by a metric', { names, filter: `metric."${first}" > 0.99` }, { p50: 25 });
  const either = `config.optimizer.learningRate = 0.003 or metric."${second}" < 0.01`;
  await row('count of a filter by a metric', { query: COUNT, filter: `metric."${first}" > 0.99` }, { p50: 50 });
  await row('filtered by configuration or metric', { names, filter: either }, { p50: 25 });
  await row('page of 100 runs with all metrics', { names: null }, { p50: 50 });
  await row('runColumns', { query: COLUMNS }, { p50: 15 });
  const long = { query: HISTORY, run: longRun, names: [LONG_METRIC] };
  await row(`metricHistory, ${size.longPoints} points to 500`, long, { p50: 25 });
  await row('grouped by configuration, 2 metrics', { ...groups, groupBy: ['configuration'] }, grouped);
  await row('grouped by 2 parameters, 2 metrics', { ...groups, groupBy: ['model', 'optimizer.learningRate'] }, grouped);
  const all = 'state in (SUCCEEDED, PRUNED, CANCELLED) and ended > "2020-01-01"';
  await row('runs that ended last, with their number', { query: BUNDLES, filter: all }, grouped);
  await row('runs with files of an ending, by words', { query: WITH_FILES }, grouped);
  return rows;
}
