import { z } from 'zod';

/** What a worker must have free to execute a run. What is null or empty is not asked for. */
export const runNeedsSchema = z.object({
  /** Only workers that execute commands of users take it. */
  command: z.literal(true),
  /** How many GPUs it gets for itself. */
  gpus: z.number().int().min(0),
  /** Memory in MiB: kept free for it, and more than this ends it. */
  memoryMb: z.number().int().positive().nullable(),
  cores: z.number().int().positive().nullable(),
  /** What its worker must be labelled with. */
  labels: z.array(z.string()),
  /** Seconds after which an attempt is ended. */
  seconds: z.number().int().positive().nullable(),
  /** Seconds after the end of its lease before which nobody else gets the run; left out: ten minutes. */
  releaseSeconds: z.number().int().positive().optional(),
});
export type RunNeeds = z.infer<typeof runNeedsSchema>;

/** The label of workers that run containers; a command in a container asks for it. */
export const CONTAINER_LABEL = 'container';

/** What a worker has for runs with needs. */
export const workerOffersSchema = z.object({
  command: z.literal(true),
  /** Numbers of GPUs, as the driver counts them. */
  gpus: z.array(z.number().int().min(0)),
  memoryMb: z.number().int().positive(),
  cores: z.number().int().positive(),
  labels: z.array(z.string()),
  /** Runs without a GPU at once; those with one are limited by the GPUs. */
  slots: z.number().int().positive(),
});
export type WorkerOffers = z.infer<typeof workerOffersSchema>;
