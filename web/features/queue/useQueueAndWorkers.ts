import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QueueAndWorkersDocument, type QueueAndWorkersQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type QueuedRun = QueueAndWorkersQuery['queue']['next'][number];
export type WorkerRow = QueueAndWorkersQuery['workers'][number];

const POLL_MS = 2000;
/** Next runs shown. */
const NEXT_RUNS = 50;

/** Queue and workers, read every two seconds: heartbeats send no events. */
export function useQueueAndWorkers(includeStopped: boolean) {
  return useQuery({
    queryKey: ['queueAndWorkers', includeStopped],
    queryFn: ({ signal }) => request(QueueAndWorkersDocument, { next: NEXT_RUNS, includeStopped }, signal),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
}
