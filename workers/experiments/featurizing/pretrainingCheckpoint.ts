import { z } from 'zod';
import { decodeStudy, encodeStudy } from './studyCheckpoint.ts';

const losses = z.array(z.number());
const adamSchema = z.object({ trainer: z.literal('item2vec-adam-1'), losses });

/** A pretraining with Adam: the losses of its epochs, and the checkpoint of its network. */
export interface InterruptedAdam {
  losses: readonly number[];
  bytes: Uint8Array;
}

export function encodeAdam({ losses, bytes }: InterruptedAdam): Uint8Array {
  return encodeStudy({ trainer: 'item2vec-adam-1', losses }, bytes);
}

/** Null where the file is another's; whether its network is whole is told when that is restored. */
export function decodeAdam(file: Uint8Array): InterruptedAdam | null {
  const found = decodeStudy(file, adamSchema);
  return found && { losses: found.header.losses, bytes: found.training };
}
