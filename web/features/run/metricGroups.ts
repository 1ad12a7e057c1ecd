import type { RunDetail } from '#web/api/useRun.ts';
import { compareHeadlines } from '#src/lib/headlineMetrics.ts';

export type MetricSummary = RunDetail['metrics'][number];

export interface MetricGroup {
  /** What stands before the first slash: `train`; empty for names without one. */
  prefix: string;
  /** Series that have a course, to be drawn. */
  curves: MetricSummary[];
}

/** System metrics stand last: they tell of the machine, not of the model. */
const LAST = 'system';

/** Up to this many curves stand together in one group: a head for each would only take room. */
const TOGETHER = 12;

/** Metrics with more than one point by the part before the first slash, what tells most of the run first; few of them in one group. */
export function groupMetrics(metrics: readonly MetricSummary[], primary: string | null): MetricGroup[] {
  const inOrder = compareHeadlines(primary);
  const curves = metrics.filter((metric) => metric.pointCount >= 2).sort((a, b) => inOrder(a.name, b.name));
  const together = curves.filter((metric) => prefixOf(metric.name) !== LAST).length <= TOGETHER;
  const groups = new Map<string, MetricSummary[]>();
  for (const metric of curves) {
    const own = prefixOf(metric.name);
    const prefix = together && own !== LAST ? '' : own;
    groups.set(prefix, [...(groups.get(prefix) ?? []), metric]);
  }
  return [...groups]
    .map(([prefix, curves]) => ({ prefix, curves }))
    .sort((a, b) => Number(a.prefix === LAST) - Number(b.prefix === LAST));
}

function prefixOf(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? '' : name.slice(0, slash);
}
