import { z } from 'zod';

export const QUEUE_NAME = 'runs';
/** Runs that need a graphics processor: only workers that have one take them. */
export const GPU_QUEUE_NAME = 'runs-gpu';

/** The queue only carries ids: a job is one attempt of one run. `attempt` is the number that the claim will give it. */
export const queuePayloadSchema = z.object({ runId: z.uuid(), attempt: z.number().int().positive() });
export type QueuePayload = z.infer<typeof queuePayloadSchema>;

/** Named by run and attempt: BullMQ silently ignores a job id that it still knows. */
export function jobIdOf(payload: QueuePayload): string {
  return `${payload.runId}-${payload.attempt}`;
}
