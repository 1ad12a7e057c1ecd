import {
  CancelRunsDocument,
  DeleteRunsDocument,
  type OutcomeFragment,
  PrioritizeRunsDocument,
  RestoreRunsDocument,
  RetryRunsDocument,
} from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

/** Applies one of the mutations over many runs; each run has an outcome of its own. */
export type ActOnRuns = (api: ApiClient, ids: string[]) => Promise<OutcomeFragment[]>;

export const cancelRuns: ActOnRuns = async (api, ids) => (await api.request(CancelRunsDocument, { ids })).outcomes;

export const retryRuns: ActOnRuns = async (api, ids) => (await api.request(RetryRunsDocument, { ids })).outcomes;

export const deleteRuns: ActOnRuns = async (api, ids) => (await api.request(DeleteRunsDocument, { ids })).outcomes;

export const restoreRuns: ActOnRuns = async (api, ids) => (await api.request(RestoreRunsDocument, { ids })).outcomes;

/** Gives runs another place in the queue. */
export const prioritizeRuns =
  (priority: number): ActOnRuns =>
  async (api, ids) =>
    (await api.request(PrioritizeRunsDocument, { ids, priority })).outcomes;
