import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { leaveOneOut, type LeaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { gru4Rec, initGru4Rec } from '#workers/models/gru4Rec.ts';
import { initSasRec, sasRec } from '#workers/models/sasRec.ts';
import { type SequenceLoss, type SequenceNetwork, sequenceLoss } from '#workers/models/sequenceNetwork.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { sequenceBatches } from '#workers/training/batches/sequenceBatches.ts';
import { networkLearner } from '#workers/training/networkLearner.ts';
import { quietObserver, train } from '#workers/training/trainLoop.ts';
import { realDataset } from '../oracles/realDataset.ts';
import type { BenchResult } from './benchResult.ts';
import { PEER_ENVIRONMENT, PEER_PYTHON } from './peerPython.ts';

const LENGTH = 50;
const WIDTH = 64;
const BATCH = 512;
const DROPOUT = 0.3;
const COUNTED_EPOCHS = 3;
const OPTIMIZER = {
  name: 'adamw',
  learningRate: 1e-3,
  weightDecay: 0.1,
  beta1: 0.9,
  beta2: 0.98,
  epsilon: 1e-8,
} as const;

interface Case {
  name: 'sasrec' | 'gru4rec';
  loss: SequenceLoss;
  open(itemCount: number): SequenceNetwork;
  /** Ratios that we aim at, ours to each form of PyTorch. */
  limits: { padded: number; grouped: number };
}

const CASES: Readonly<Record<'sasrec' | 'gru4rec', Case>> = {
  sasrec: {
    name: 'sasrec',
    loss: 'bce',
    open(itemCount) {
      const shape = { itemCount, dimension: WIDTH, maximumLength: LENGTH, blocks: 2, heads: 1 };
      const parameters = initSasRec(shape, { method: 'xavier-normal' }, (name) => randomGenerator(1, name));
      return sasRec(parameters, shape, { dropout: DROPOUT, pads: 'attended', residual: 'input' });
    },
    limits: { padded: 0.25, grouped: 1.5 },
  },
  gru4rec: {
    name: 'gru4rec',
    loss: 'softmax',
    open(itemCount) {
      const shape = { itemCount, dimension: WIDTH, hiddenSize: WIDTH, layers: 1, maximumLength: LENGTH };
      const parameters = initGru4Rec(shape, { method: 'xavier-normal' }, (name) => randomGenerator(1, name));
      return gru4Rec(parameters, shape, { dropout: DROPOUT });
    },
    limits: { padded: 1, grouped: 1 },
  },
};

/**
 * A training epoch on Amazon Beauty (batches of 512 users, at most 50 items, 64 columns, AdamW, dropout) beside the same
 * network in PyTorch with as many threads: padded to 50 as its users write it, and grouped by length within each batch; the
 * latter on one thread, too.
 */
export async function sequenceEpochBench(name: 'sasrec' | 'gru4rec'): Promise<BenchResult> {
  const { loss, open, limits } = CASES[name];
  const beauty = await realDataset({ name: 'amazon-beauty' });
  if (beauty === null) throw new Error('the benchmark needs amazon-beauty in a folder of WARREN_DATA');
  const split = leaveOneOut(beauty);
  const threads = availableParallelism();
  const result: BenchResult = { name: `${name}-epoch`, ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const ours = await ownEpochs(split, { loss, open, threads });
  record(result, 'ours', 'epoch', ours.seconds);
  result.notes.push(
    `backend ${ours.backend}, ${threads} threads, loss of the counted epochs ${ours.losses.map((l) => l.toFixed(4)).join(' ')}`,
  );
  for (const { form, lanes } of [
    { form: 'padded', lanes: threads },
    { form: 'grouped', lanes: threads },
    { form: 'grouped', lanes: 1 }, // small products can be slower on two threads than on one
  ] as const) {
    const theirs = inTorch(split, { name, form, threads: lanes });
    if (typeof theirs === 'string') {
      result.notes.push(`no peer: ${theirs}`);
      continue;
    }
    const key = `epoch/torch ${form}, ${lanes} ${lanes === 1 ? 'thread' : 'threads'}`;
    record(result, 'peers', key, theirs.seconds);
    result.ratios[key] = result.ours.epoch! / result.peers[key]!;
    result.notes.push(
      `torch ${theirs.torch} ${form}, threads ${lanes}: loss ${theirs.losses.map((l) => l.toFixed(4)).join(' ')}; our aim is a ratio of at most ${limits[form]}`,
    );
  }
  result.notes.push(`peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  return result;
}

function record(result: BenchResult, whose: 'ours' | 'peers', key: string, seconds: readonly number[]): void {
  const sorted = seconds.toSorted((a, b) => a - b);
  result[whose][key] = sorted[sorted.length >> 1]!;
  result.spread[key] = [sorted[0]!, sorted.at(-1)!];
}

async function ownEpochs(
  split: LeaveOneOut,
  { loss, open, threads }: { loss: SequenceLoss; open: Case['open']; threads: number },
): Promise<{ seconds: number[]; losses: number[]; backend: string }> {
  const backend = await openBackend({ forced: process.env.WARREN_BACKEND ?? null, threads });
  try {
    const network = open(split.dataset.itemCount);
    const batches = sequenceBatches(split, {
      batchSize: BATCH,
      maximumLength: LENGTH,
      samples: 'positions',
      negatives: loss === 'bce' ? 1 : 0,
    });
    const seconds: number[] = [];
    const losses: number[] = [];
    const observer = quietObserver({
      metric(metric, step, value) {
        if (step === 1) return;
        if (metric === 'time/epoch') seconds.push(value);
        if (metric === 'train/loss') losses.push(value);
      },
    });
    const epochs = COUNTED_EPOCHS + 1;
    const learner = networkLearner({
      network: { parameters: network.parameters, loss: (batch, draw) => sequenceLoss(network, batch, { loss, draw }) },
      optimizer: OPTIMIZER,
      batches,
      ...{ seed: 1, epochs, patience: 0, keepsBest: false, observer },
      throwIfCancelled: () => undefined,
    });
    await train(learner, { epochs, observer, test: async () => undefined });
    return { seconds, losses, backend: `${backend.name} (${backend.device})` };
  } finally {
    await backend.close();
  }
}

const reply = z.object({ seconds: z.array(z.number()).min(1), losses: z.array(z.number()), torch: z.string() });

/** Epochs of `sequenceEpoch.py`, or why there are none. */
function inTorch(
  split: LeaveOneOut,
  { name, form, threads }: { name: string; form: 'padded' | 'grouped'; threads: number },
): z.output<typeof reply> | string {
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    const { userCount } = split.dataset;
    const known = Array.from({ length: userCount }, (_, user) => trainingItems(split, user));
    const offsets = new Float64Array(userCount + 1);
    for (const [user, items] of known.entries()) offsets[user + 1] = offsets[user]! + items.length;
    const items = Float64Array.from(known.flatMap((one) => [...one]));
    writeFileSync(join(folder, 'offsets.npy'), encodeNpy(offsets, [offsets.length]));
    writeFileSync(join(folder, 'items.npy'), encodeNpy(items, [items.length]));
    const script = join(projectRoot(), 'test', 'bench', 'sequenceEpoch.py');
    const given = [script, folder, name, form, String(threads), String(form === 'padded' ? 2 : COUNTED_EPOCHS)];
    const { status, error, stdout, stderr } = spawnSync(PEER_PYTHON, given, {
      encoding: 'utf8',
      env: PEER_ENVIRONMENT,
    });
    if (error !== undefined) return error.message;
    if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
    return reply.parse(JSON.parse(stdout));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
