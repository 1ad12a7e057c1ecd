import { useMemo } from 'react';
import { useCatalog } from './useCatalog.ts';

/** Names of the metrics by which kinds are judged; none until the catalog is there. */
export function usePrimaryMetrics(): ReadonlySet<string> {
  const { data } = useCatalog();
  return useMemo(() => new Set(data?.map(({ primaryMetric }) => primaryMetric)), [data]);
}
