import { z } from 'zod';

/** PostgreSQL channel of the notifications between processes. */
export const CHANGE_CHANNEL = 'warren_changes';

/**
 * A small notification, sent by NOTIFY: what changed in which run. The listener reads what is new from the database.
 * `run` covers state, progress and names; `cancel` asks the worker that holds the run to stop it;
 * `sweep` covers its state and its trials, `decision` its state, looks and pairs; `views` the saved views of a
 * project; `alerts` covers rules, alerts and what became of their messages; `workers` covers pauses of the queue, too.
 */
export const changeEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), runId: z.string(), projectId: z.string() }),
  z.object({ type: z.literal('metrics'), runId: z.string(), cursor: z.number() }),
  z.object({ type: z.literal('logs'), runId: z.string() }),
  z.object({ type: z.literal('cancel'), runId: z.string() }),
  z.object({ type: z.literal('sweep'), sweepId: z.string() }),
  z.object({ type: z.literal('decision'), decisionId: z.string() }),
  z.object({ type: z.literal('views'), projectId: z.string() }),
  z.object({ type: z.literal('alerts') }),
  z.object({ type: z.literal('workers') }),
]);
export type ChangeEvent = z.infer<typeof changeEventSchema>;
