import { z } from 'zod';
import { decodeStudy, encodeStudy } from './studyCheckpoint.ts';

/** Where a study stands that trains in several ways, one after the other. */
export interface ArmCheckpoint {
  /** Of the way that is in training, in their order; those before it are finished. */
  place: number;
  /** All metrics so far, as `MetricRecord` saves them. */
  metrics: unknown;
  /** The checkpoint of the way in training, and its step. */
  step: number;
  bytes: Uint8Array;
}

const headerSchema = z.object({
  study: z.literal('arms-1'),
  place: z.int().min(0),
  metrics: z.unknown(),
  step: z.int().min(0),
});

export function encodeArms({ bytes, ...values }: ArmCheckpoint): Uint8Array {
  return encodeStudy({ study: 'arms-1', ...values }, bytes);
}

/** The checkpoint in `file`, or null where there is none. Views into it. */
export function decodeArms(file: Uint8Array): ArmCheckpoint | null {
  const found = decodeStudy(file, headerSchema);
  if (found === null) return null;
  const { place, metrics, step } = found.header;
  return { place, metrics, step, bytes: found.training };
}
