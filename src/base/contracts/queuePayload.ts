import { z } from 'zod';

const QUEUE_NAME = 'runs';
/** Runs that need a graphics processor: only workers that have one take them. */
const GPU_QUEUE_NAME = 'runs-gpu';

/** Which of the queues a run goes through, by what a worker must have or know to take it. */
export interface QueueSort {
  /** A graphics processor. */
  requiresGpu?: boolean;
  /** A kind that a module of WARREN_KINDS has added; null for those that every worker knows. */
  addedKind?: string | null;
}

/** The queue of runs of this sort. Each has its own, so that no worker is ever given a run that it cannot execute. */
export function queueNameOf({ requiresGpu = false, addedKind = null }: QueueSort): string {
  const name = requiresGpu ? GPU_QUEUE_NAME : QUEUE_NAME;
  return addedKind === null ? name : `${name}-kind-${addedKind}`;
}

/**
 * The queue only carries ids: a job is one attempt of one run. `attempt` is the number that the claim will give it; `trace` the
 * span of who queued it, as a W3C `traceparent`, where it is traced.
 */
export const queuePayloadSchema = z.object({
  runId: z.uuid(),
  attempt: z.number().int().positive(),
  trace: z.string().max(100).optional(),
});
export type QueuePayload = z.infer<typeof queuePayloadSchema>;

/** Named by run and attempt: BullMQ silently ignores a job id that it still knows. */
export function jobIdOf(payload: QueuePayload): string {
  return `${payload.runId}-${payload.attempt}`;
}
