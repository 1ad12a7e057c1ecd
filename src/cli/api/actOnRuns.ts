import { z } from 'zod';
import type { ApiClient } from '../apiClient.ts';

const outcomeSchema = z.object({
  id: z.string(),
  done: z.boolean(),
  message: z.string().nullable(),
  run: z.object({ number: z.number(), name: z.string(), state: z.string() }).nullable(),
});
export type RunOutcome = z.infer<typeof outcomeSchema>;

/** Applies one of the mutations over many runs; each run has an outcome of its own. */
export async function actOnRuns(
  api: ApiClient,
  action: 'cancelRuns' | 'retryRuns',
  ids: readonly string[],
): Promise<RunOutcome[]> {
  const query = `mutation Act($ids: [ID!]!) { outcomes: ${action}(ids: $ids) { id done message run { number name state } } }`;
  return (await api.request(query, { ids }, z.object({ outcomes: z.array(outcomeSchema) }))).outcomes;
}
