import type { RunDetail } from './useRun.ts';
import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { counterNames } from '#web/lib/counters.ts';

export type MetricSummary = RunDetail['metrics'][number];

export interface MetricGroup {
  /** What stands before the first slash: `train`; empty for names without one. */
  prefix: string;
  /** Series that have a course, to be drawn. */
  curves: MetricSummary[];
  /** Whether it is open at first. */
  isOpen: boolean;
}

/** These stand last, folded: they tell how far the run is, and of the machine, not of the model. */
const COUNTERS = 'counters';
const LAST: readonly string[] = [COUNTERS, 'system'];

/** Up to this many curves stand together in one group: a head for each would only take room. */
const TOGETHER = 12;

/** Metrics with more than one point by the part before the first slash, what tells most of the run first; few of them in one group. */
export function groupMetrics(metrics: readonly MetricSummary[], primary: string | null): MetricGroup[] {
  const inOrder = compareHeadlines(primary);
  const curves = metrics.filter((metric) => metric.pointCount >= 2).sort((a, b) => inOrder(a.name, b.name));
  const counters = counterNames(metrics);
  const groupOf = ({ name }: MetricSummary) => (counters.has(name) ? COUNTERS : prefixOf(name));
  const together = curves.filter((metric) => !LAST.includes(groupOf(metric))).length <= TOGETHER;
  const groups = new Map<string, MetricSummary[]>();
  for (const metric of curves) {
    const own = groupOf(metric);
    const prefix = together && !LAST.includes(own) ? '' : own;
    groups.set(prefix, [...(groups.get(prefix) ?? []), metric]);
  }
  return [...groups]
    .map(([prefix, curves]) => ({ prefix, curves, isOpen: !LAST.includes(prefix) }))
    .sort((a, b) => LAST.indexOf(a.prefix) - LAST.indexOf(b.prefix));
}

function prefixOf(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? '' : name.slice(0, slash);
}
