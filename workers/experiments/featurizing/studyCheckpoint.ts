import type { z } from 'zod';

const LENGTH_BYTES = 4;

/** Length of the header (uint32, little-endian), header (JSON), then the checkpoint of the training that the study is in. */
export function encodeStudy(header: unknown, training: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(LENGTH_BYTES + text.length + training.length);
  new DataView(file.buffer).setUint32(0, text.length, true);
  file.set(text, LENGTH_BYTES);
  file.set(training, LENGTH_BYTES + text.length);
  return file;
}

/** What `encodeStudy` was given, or null where the file is none or its header another's. The training is a view into it. */
export function decodeStudy<Schema extends z.ZodType>(
  file: Uint8Array,
  schema: Schema,
): { header: z.output<Schema>; training: Uint8Array } | null {
  if (file.length < LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  if (end > file.length) return null;
  try {
    const text = new TextDecoder().decode(file.subarray(LENGTH_BYTES, end));
    return { header: schema.parse(JSON.parse(text)), training: file.subarray(end) };
  } catch {
    return null;
  }
}
