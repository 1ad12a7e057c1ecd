import { useMemo } from 'react';
import { type RunRow, type RunsQueryInput, useRuns } from './useRuns.ts';

/** The pinned runs, whatever the filter leaves of the others, in the order of the table. */
export function usePinnedRuns(pins: readonly number[], input: RunsQueryInput): readonly RunRow[] {
  const asked = useMemo(
    () => (pins.length === 0 ? null : { ...input, filter: `number in (${pins.join(', ')})` }),
    [pins, input],
  );
  const { data } = useRuns(asked);
  return useMemo(
    () => (asked === null ? [] : (data?.pages.flatMap(({ runs }) => runs.edges.map(({ node }) => node)) ?? [])),
    [asked, data],
  );
}
