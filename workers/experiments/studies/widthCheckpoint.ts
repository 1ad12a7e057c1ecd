import { z } from 'zod';

/** Where a study of several widths stands. */
export interface WidthCheckpoint {
  /** Of the network in training; narrower ones are finished. */
  width: number;
  /** All metrics so far, as `MetricRecord` saves them. */
  metrics: unknown;
  /** The checkpoint of the network in training. */
  training: Uint8Array;
}

const headerSchema = z.object({ study: z.literal('widths-1'), width: z.int().min(1), metrics: z.unknown() });
const LENGTH_BYTES = 4;

/** Length of the header (uint32, little-endian), header (JSON), then the training's own checkpoint. */
export function encodeWidths({ width, metrics, training }: WidthCheckpoint): Uint8Array {
  const values: z.input<typeof headerSchema> = { study: 'widths-1', width, metrics };
  const header = new TextEncoder().encode(JSON.stringify(values));
  const file = new Uint8Array(LENGTH_BYTES + header.length + training.length);
  new DataView(file.buffer).setUint32(0, header.length, true);
  file.set(header, LENGTH_BYTES);
  file.set(training, LENGTH_BYTES + header.length);
  return file;
}

/** The checkpoint in `file`, or null where there is none. Views into it. */
export function decodeWidths(file: Uint8Array): WidthCheckpoint | null {
  if (file.length < LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  if (end > file.length) return null;
  try {
    const { width, metrics } = headerSchema.parse(
      JSON.parse(new TextDecoder().decode(file.subarray(LENGTH_BYTES, end))),
    );
    return { width, metrics, training: file.subarray(end) };
  } catch {
    return null;
  }
}
