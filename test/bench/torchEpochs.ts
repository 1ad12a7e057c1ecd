import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { splitSequences } from '#workers/data/split/splitSequences.ts';
import { type EpochTask, epochData } from './epochProbe.ts';
import { PEER_ENVIRONMENT, PEER_PYTHON } from './peerPython.ts';

export interface TorchTask extends Omit<EpochTask, 'backend'> {
  /** As PyTorch names it. */
  device: 'cpu' | 'cuda';
  /** Of an epoch: as many as ours has. */
  steps: number;
  /** How sequences are put together: to the longest there may be, or by length within a batch. */
  form: 'padded' | 'grouped';
}

const HOUR_MS = 3_600_000;

const replySchema = z.object({
  seconds: z.array(z.number()).min(1),
  processorSeconds: z.array(z.number()),
  losses: z.array(z.number()),
  torch: z.string(),
  device: z.string(),
  peakTensorBytes: z.number(),
});
export type TorchTimes = z.output<typeof replySchema>;

/** What of a kind's parameters the script is told; what a kind lacks is not read there. */
const parametersSchema = z.object({
  dimension: z.number(),
  batchSize: z.number().default(2048), // what mf-bpr takes where none is given
  maximumLength: z.number().default(50),
  heads: z.number().default(1),
  blocks: z.number().default(1),
  layers: z.number().default(1),
  dropout: z.number().default(0),
  maskRate: z.number().default(0),
  recent: z.number().default(0),
  channels: z.number().default(0),
  layout: z.string().default('sequence'),
  tower: z.array(z.number()).default([]),
});

/** Epochs of `torchEpochs.py`, or why there are none. */
export async function torchEpochs(name: string, task: TorchTask, limitMs = HOUR_MS): Promise<TorchTimes | string> {
  const { configuration, dataset, split } = await epochData(task);
  const training = splitSequences(dataset, split);
  const { dimension, batchSize, maximumLength, layout, ...rest } = parametersSchema.parse(configuration.parameters);
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    const known = Array.from({ length: dataset.userCount }, (_, user) => trainingItems(training, user));
    const offsets = new Float64Array(known.length + 1);
    for (const [user, items] of known.entries()) offsets[user + 1] = offsets[user]! + items.length;
    const items = Float64Array.from(known.flatMap((one) => [...one]));
    writeFileSync(join(folder, 'offsets.npy'), encodeNpy(offsets, [offsets.length]));
    writeFileSync(join(folder, 'items.npy'), encodeNpy(items, [items.length]));
    const { device, threads, steps, epochs, form } = task;
    const shape = { ...rest, width: dimension, batch: batchSize, length: maximumLength, image: layout === 'image' };
    const told = { case: name, device, threads, steps, epochs, form, items: dataset.itemCount, ...shape };
    const given = [join(projectRoot(), 'test', 'bench', 'torchEpochs.py'), folder, JSON.stringify(told)];
    const { status, error, stdout, stderr } = spawnSync(PEER_PYTHON, given, {
      encoding: 'utf8',
      env: PEER_ENVIRONMENT,
      timeout: limitMs,
    });
    if (error !== undefined) return error.message;
    if (status !== 0) return stderr.trim().split('\n').at(-1) || `ended with ${status}`;
    return replySchema.parse(JSON.parse(stdout));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
