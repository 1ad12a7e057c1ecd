import { z } from 'zod';
import { decodeStudy, encodeStudy } from './studyCheckpoint.ts';

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

export function encodeWidths({ width, metrics, training }: WidthCheckpoint): Uint8Array {
  const header: z.input<typeof headerSchema> = { study: 'widths-1', width, metrics };
  return encodeStudy(header, training);
}

/** The checkpoint in `file`, or null where there is none. Views into it. */
export function decodeWidths(file: Uint8Array): WidthCheckpoint | null {
  const found = decodeStudy(file, headerSchema);
  if (found === null) return null;
  const { width, metrics } = found.header;
  return { width, metrics, training: found.training };
}
