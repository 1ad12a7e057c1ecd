import { z } from 'zod';
import type { WordVectorState } from '#workers/features/wordVectors.ts';
import { decodeCheckpoint, encodeCheckpoint } from '#workers/training/checkpointFile.ts';
import { decodeStudy, encodeStudy } from '../studies/studyCheckpoint.ts';

const losses = z.array(z.number());
const word = z.int().min(0).max(0xffffffff);
const wordVectorSchema = z.object({
  trainer: z.literal('item2vec-pairs-1'),
  losses,
  lanes: z.array(z.tuple([word, word, word, word])),
});
const adamSchema = z.object({ trainer: z.literal('item2vec-adam-1'), losses });

/** A pretraining pair by pair: the losses of its epochs, and where it stands. */
export interface InterruptedWordVectors {
  losses: readonly number[];
  state: WordVectorState;
}

/** A pretraining with Adam: the losses of its epochs, and the checkpoint of its network. */
export interface InterruptedAdam {
  losses: readonly number[];
  bytes: Uint8Array;
}

export function encodeWordVectors({ losses, state }: InterruptedWordVectors): Uint8Array {
  return encodeCheckpoint({
    values: { trainer: 'item2vec-pairs-1', losses, lanes: state.lanes },
    arrays: state.tables,
  });
}

/** Null where the file is damaged or another's. */
export function decodeWordVectors(file: Uint8Array): InterruptedWordVectors | null {
  const found = decodeCheckpoint(file);
  const values = wordVectorSchema.safeParse(found?.values);
  const [input, output] = found?.arrays ?? [];
  if (!values.success || input === undefined || output === undefined) return null;
  const { losses, lanes } = values.data;
  return { losses, state: { epoch: losses.length, lanes, tables: [input, output] } };
}

export function encodeAdam({ losses, bytes }: InterruptedAdam): Uint8Array {
  return encodeStudy({ trainer: 'item2vec-adam-1', losses }, bytes);
}

/** Null where the file is another's; whether its network is whole is told when that is restored. */
export function decodeAdam(file: Uint8Array): InterruptedAdam | null {
  const found = decodeStudy(file, adamSchema);
  return found && { losses: found.header.losses, bytes: found.training };
}
