import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { leaveOneOut, type LeaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { transitionGraph } from '#workers/graphs/transitionGraph.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import {
  disposeSmoothing,
  type GraphSmoothing,
  graphSmoothing,
  smoothVariation,
} from '#workers/training/smoothing/graphSmoothing.ts';
import { realDataset } from '../oracles/realDataset.ts';
import type { BenchResult } from './benchResult.ts';
import { measure, type Timing } from './measure.ts';
import { pythonPeer, timingOf } from './pythonPeer.ts';
import { SEVO_STEPS, stepSeconds } from './sevoSteps.ts';

const WIDTH = 64;
const RUNS = 15;
const TRANSFORMATION = { form: 'rescaled', beta: 0.99, layers: 3 } as const;
const TARGET_SECONDS = 0.01;

const reply = z.record(
  z.string(),
  z.object({ seconds: z.array(z.number()).min(1), absoluteSum: z.number(), version: z.string() }),
);

/**
 * SEvo's smoothing alone on Amazon Beauty's graph of items (12,101 × 64, L = 3) beside scipy's and torch's, and the time of a
 * training step with it beside one without: SASRec (batch 512), GRU4Rec (512 prefixes), MF-BPR (2,048 triples).
 */
export async function sevoOverheadBench(): Promise<BenchResult> {
  const beauty = await realDataset({ name: 'amazon-beauty' });
  if (beauty === null) throw new Error('the benchmark needs amazon-beauty in a folder of WARREN_DATA');
  const split = leaveOneOut(beauty);
  const options = { end: 'last', items: 50, pathLength: 1, weighting: 'distance' } as const;
  const graph = transitionGraph({ dataset: beauty, ends: split.trainEnd }, options);
  const threads = availableParallelism();
  const result: BenchResult = { name: 'sevo-overhead', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const backend = await openBackend({ forced: process.env.WARREN_BACKEND ?? null, threads });
  try {
    const smoothing = graphSmoothing(graph, TRANSFORMATION);
    await smoothingAlone(result, { smoothing, graph, threads });
    await steps(result, split, smoothing);
    disposeSmoothing(smoothing);
    result.notes.unshift(`${backend.name} (${backend.device}); ${graph.columns.length} non-zeros`);
  } finally {
    await backend.close();
  }
  return result;
}

function add(result: BenchResult, whose: 'ours' | 'peers', key: string, { median, spread }: Timing): void {
  result[whose][key] = median;
  result.spread[key] = spread;
}

async function smoothingAlone(
  result: BenchResult,
  { smoothing, graph, threads }: { smoothing: GraphSmoothing; graph: SparseMatrix; threads: number },
): Promise<void> {
  const key = 'smoothing';
  const values = Float32Array.from({ length: graph.rowCount * WIDTH }, (_, index) => Math.cos(index));
  const variation = tf.tensor2d(values, [graph.rowCount, WIDTH]);
  const once = async (): Promise<void> => {
    const smoothed = smoothVariation(smoothing, variation);
    // on a graphics processor it is only queued until something is read
    if (tf.getBackend() !== 'wasm') await tf.slice(smoothed, [0, 0], [1, 1]).data();
    smoothed.dispose();
  };
  for (let warm = 0; warm < 10; warm++) await once();
  add(result, 'ours', key, await measure(once, RUNS));
  const smoothed = smoothVariation(smoothing, variation);
  const absoluteSum = (await smoothed.data<'float32'>()).reduce((sum, value) => sum + Math.abs(value), 0);
  tf.dispose([variation, smoothed]);
  const { beta, layers } = TRANSFORMATION;
  const parameters = [WIDTH, layers, beta, RUNS, threads];
  const peer = pythonPeer('sevoOverhead.py', { matrix: symmetricNormalisation(graph), parameters });
  const theirs = 'printed' in peer ? reply.parse(peer.printed) : {};
  if ('reason' in peer) result.notes.push(`no peer: ${peer.reason}`);
  for (const [name, { seconds, version, absoluteSum: sum }] of Object.entries(theirs)) {
    const timing = timingOf(seconds);
    add(result, 'peers', `${key}/${name}`, timing);
    result.ratios[`${key}/${name}`] = result.ours[key]! / timing.median;
    result.notes.push(
      `${name} ${version}: absolute sums ${Math.abs(absoluteSum / sum - 1).toExponential(1)} apart, relatively`,
    );
  }
  result.peers[`${key}/target`] = TARGET_SECONDS;
  result.ratios[`${key}/target`] = result.ours[key]! / TARGET_SECONDS;
}

async function steps(result: BenchResult, split: LeaveOneOut, smoothing: GraphSmoothing): Promise<void> {
  for (const [name, step] of Object.entries(SEVO_STEPS)) {
    const { plain, smoothed } = await stepSeconds(split, step, smoothing);
    add(result, 'ours', `${name} step`, timingOf(smoothed));
    add(result, 'peers', `${name} step/without SEvo`, timingOf(plain));
    result.ratios[`${name} step/without SEvo`] = timingOf(smoothed).median / timingOf(plain).median;
  }
  result.notes.push('our aim for a step of SASRec is a ratio of at most 1.25 on the CPU, 1.05 on a GPU');
}
