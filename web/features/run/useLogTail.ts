import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LogTailDocument, type LogTailQuery, type RunState } from '#web/generated/graphql.ts';
import { isLive } from '#web/lib/runStates.ts';
import { request } from '#web/api/request.ts';

export type TailLine = NonNullable<LogTailQuery['run']>['logTail'][number];

/** While the run goes on. */
const POLL_MS = 3_000;

/** The last lines of a run's log, read again while it is live. */
export function useLogTail(runId: string, { lines, state }: { lines: number; state: RunState }) {
  return useQuery({
    // Read anew when the run ends.
    queryKey: ['logTail', runId, lines, state],
    queryFn: async ({ signal }) =>
      (await request(LogTailDocument, { id: runId, first: lines }, signal)).run?.logTail ?? [],
    refetchInterval: isLive(state) ? POLL_MS : false,
    placeholderData: keepPreviousData,
  });
}
