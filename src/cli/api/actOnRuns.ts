import { CancelRunsDocument, type OutcomeFragment, RetryRunsDocument } from '#src/generated/api.ts';
import type { ApiClient } from '../apiClient.ts';

const ACTIONS = { cancelRuns: CancelRunsDocument, retryRuns: RetryRunsDocument };

/** Applies one of the mutations over many runs; each run has an outcome of its own. */
export async function actOnRuns(
  api: ApiClient,
  action: keyof typeof ACTIONS,
  ids: readonly string[],
): Promise<OutcomeFragment[]> {
  return (await api.request(ACTIONS[action], { ids: [...ids] })).outcomes;
}
