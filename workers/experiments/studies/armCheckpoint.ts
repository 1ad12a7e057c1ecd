import { z } from 'zod';

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
const LENGTH_BYTES = 4;

/** Length of the header (uint32, little-endian), header (JSON), then the training's own checkpoint. */
export function encodeArms({ bytes, ...values }: ArmCheckpoint): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify({ study: 'arms-1', ...values }));
  const file = new Uint8Array(LENGTH_BYTES + header.length + bytes.length);
  new DataView(file.buffer).setUint32(0, header.length, true);
  file.set(header, LENGTH_BYTES);
  file.set(bytes, LENGTH_BYTES + header.length);
  return file;
}

/** The checkpoint in `file`, or null where there is none. */
export function decodeArms(file: Uint8Array): ArmCheckpoint | null {
  if (file.length < LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  if (end > file.length) return null;
  try {
    const text = new TextDecoder().decode(file.subarray(LENGTH_BYTES, end));
    const { place, metrics, step } = headerSchema.parse(JSON.parse(text));
    return { place, metrics, step, bytes: file.subarray(end) };
  } catch {
    return null;
  }
}
