import { z } from 'zod';
import { decodeStudy, encodeStudy } from './studyCheckpoint.ts';

/** Where a study stands that trains in several ways, one after the other. */
export interface ArmCheckpoint {
  /** Of the way that is in training, in their order; those before it are finished. */
  place: number;
  /** All metrics so far, as `MetricRecord` saves them. */
  metrics: unknown;
  /** Embeddings of items that finished ways left, `.npy` files by the name of the way; only where the study draws them. */
  embeddings: ReadonlyMap<string, Uint8Array>;
  /** The checkpoint of the way in training, and its step. */
  step: number;
  bytes: Uint8Array;
}

const headerSchema = z.object({
  study: z.literal('arms-1'),
  place: z.int().min(0),
  metrics: z.unknown(),
  embeddings: z.record(z.string(), z.base64()).default({}),
  step: z.int().min(0),
});

export function encodeArms({ bytes, embeddings, ...values }: ArmCheckpoint): Uint8Array {
  const files = [...embeddings].map(([name, file]) => [name, Buffer.from(file).toString('base64')]);
  return encodeStudy({ study: 'arms-1', ...values, embeddings: Object.fromEntries(files) }, bytes);
}

/** The checkpoint in `file`, or null where there is none. Views into it. */
export function decodeArms(file: Uint8Array): ArmCheckpoint | null {
  const found = decodeStudy(file, headerSchema);
  if (found === null) return null;
  const { place, metrics, step } = found.header;
  const files = Object.entries(found.header.embeddings).map(([name, text]): [string, Uint8Array] => {
    return [name, Buffer.from(text, 'base64')];
  });
  return { place, metrics, step, embeddings: new Map(files), bytes: found.training };
}
