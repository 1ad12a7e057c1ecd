import { z } from 'zod';
import { decodeCheckpoint, encodeCheckpoint } from '#workers/training/checkpointFile.ts';
import type { WordPretraining } from './pretrainWords.ts';

/** What a joint training leaves for Figure A.1. */
export interface JointTraining {
  /** After which the last hidden layer was kept, in order. */
  epochs: number[];
  /** (epochs + 1) Each (test reviews, dense units): after those epochs, and of the best. */
  hidden: Float32Array[];
}

/** Where a study of sentiment stands: what took long. */
export interface SentimentProgress {
  /** All metrics so far, as `MetricRecord` saves them. */
  metrics: unknown;
  pretrainings: WordPretraining[];
  joint: JointTraining[];
}

const valuesSchema = z.object({
  study: z.literal('sentiment-1'),
  metrics: z.unknown(),
  /** By pretraining. */
  losses: z.array(z.array(z.number())),
  /** By joint training. */
  epochs: z.array(z.array(z.int().min(1))),
});

export function encodeSentiment({ metrics, pretrainings, joint }: SentimentProgress): Uint8Array {
  const values: z.input<typeof valuesSchema> = {
    study: 'sentiment-1',
    metrics,
    losses: pretrainings.map(({ losses }) => losses),
    epochs: joint.map(({ epochs }) => epochs),
  };
  const arrays = [...pretrainings.map(({ vectors }) => vectors), ...joint.flatMap(({ hidden }) => hidden)];
  return encodeCheckpoint({ values, arrays });
}

/** The progress in `file`, or null where there is none, or it is damaged. */
export function decodeSentiment(file: Uint8Array): SentimentProgress | null {
  const found = decodeCheckpoint(file);
  const values = valuesSchema.safeParse(found?.values);
  if (found === null || !values.success) return null;
  const { metrics, losses, epochs } = values.data;
  const expected = epochs.reduce((sum, { length }) => sum + length + 1, losses.length);
  if (found.arrays.length !== expected) return null;
  let at = 0;
  const take = (): Float32Array => found.arrays[at++]!;
  return {
    metrics,
    pretrainings: losses.map((own) => ({ losses: own, vectors: take() })),
    joint: epochs.map((own) => ({ epochs: own, hidden: Array.from({ length: own.length + 1 }, take) })),
  };
}
