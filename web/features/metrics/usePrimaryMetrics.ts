import { useMemo } from 'react';
import { OWN_PROGRAMS } from '#src/base/lib/headlineMetrics.ts';
import { useCatalog } from '#web/features/shared/useCatalog.ts';

/** Names of the metrics by which the kinds of these runs are judged; none until the catalog is there, and none of programs of one's own. */
export function usePrimaryMetrics(
  runs: readonly { configuration: { kind: string } }[] | undefined,
): ReadonlySet<string> {
  const { data } = useCatalog();
  const kinds = [...new Set(runs?.map(({ configuration }) => configuration.kind))].sort().join('\n');
  return useMemo(() => {
    const there = new Set(kinds.split('\n').filter((kind) => !OWN_PROGRAMS.has(kind)));
    return new Set(data?.flatMap(({ kind, primaryMetric }) => (there.has(kind) ? [primaryMetric] : [])));
  }, [data, kinds]);
}

/** The metric by which runs of a kind are judged; null until the catalog is there, and of programs of one's own. */
export function usePrimaryMetric(kind: string): string | null {
  const { data } = useCatalog();
  return OWN_PROGRAMS.has(kind) ? null : (data?.find((one) => one.kind === kind)?.primaryMetric ?? null);
}
