import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { interactionMatrix } from '#workers/graphs/featureSets.ts';
import { normalisedAdjacency } from '#workers/graphs/laplacian.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import type { Eigenpairs } from '#workers/math/dense/eigenpairs.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { sparseEigenpairs } from '#workers/wasm/linearAlgebra/sparseEigenpairs.ts';
import { realDataset } from '../oracles/realDataset.ts';
import type { BenchResult } from './benchResult.ts';
import { measure, type Timing } from './measure.ts';
import { pythonPeer, timingOf } from './pythonPeer.ts';

const NEIGHBOURS = 1000;
const DIMENSIONS = 64;
const TOLERANCE = 1e-8;
const RUNS = 3;
/** Laplacian Eigenmaps and LEPORID with the paper's α. */
const ALPHAS = { le: 0, leporid: 0.5 };

const graphReply = z.object({
  seconds: z.array(z.number()),
  entries: z.number(),
  checksum: z.number(),
  scipy: z.string(),
});
const eigenReply = z.object({
  cases: z.array(z.object({ seconds: z.array(z.number()), residual: z.number(), values: z.array(z.number()) })),
});

/**
 * ML-1M as LEPORID Table 2 counts it, its training part (the first 70 % of each user): user and item graphs of 1000
 * neighbours, and 64 dimensions of LE (L_sym) and LEPORID (L_regsym, α = 0.5) of each, beside scipy: the same graphs from
 * its sparse product, the same eigenvectors from its `eigsh` (ARPACK) asked for the same residual. Targets: a third of
 * scipy's time for graphs, half for eigenvectors.
 */
export async function leporidBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'leporid', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const dataset = await realDataset({ name: 'ml-1m', core: 20, coreRule: 'one-pass', split: 'ratio-by-time' });
  if (dataset === null) throw new Error('the benchmark needs ml-1m in a folder of WARREN_DATA');
  const { trainEnd: ends } = ratioByTime(dataset, { train: 0.7, validation: 0.1, test: 0.2 });
  const users = interactionMatrix({ dataset, ends });
  result.notes.push(`ml-1m: ${users.rowCount} users, ${users.columnCount} items, ${users.columns.length} to train on`);
  const lanes = Math.min(2, availableParallelism());
  const threads = await NumericThreads.open(lanes);
  try {
    for (const [side, sets] of Object.entries({ users, items: transposeSparse(users) })) {
      const graph = await graphCase(result, { threads, side, sets });
      for (const [method, alpha] of Object.entries(ALPHAS)) {
        await eigenCase(result, { threads, name: `${side} ${method}`, matrix: normalisedAdjacency(graph, alpha) });
      }
    }
  } finally {
    await threads.close();
  }
  result.notes.push(`${lanes} threads; peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
  return result;
}

/** Sum over entries of w_ij ((i + 1)(j + 1) mod 97). */
export function graphChecksum({ rowCount, offsets, columns, values }: SparseMatrix): number {
  let sum = 0;
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      sum += values[at]! * (((row + 1) * (columns[at]! + 1)) % 97);
    }
  }
  return sum;
}

function add(result: BenchResult, key: string, { ours, peer }: { ours: Timing; peer: Timing | null }): void {
  result.ours[key] = ours.median;
  result.spread[key] = ours.spread;
  if (peer === null) return;
  result.peers[`${key}/scipy`] = peer.median;
  result.spread[`${key}/scipy`] = peer.spread;
  result.ratios[`${key}/scipy`] = ours.median / peer.median;
}

async function graphCase(
  result: BenchResult,
  { threads, side, sets }: { threads: NumericThreads; side: string; sets: SparseMatrix },
): Promise<SparseMatrix> {
  const key = `${side} graph`;
  const peer = pythonPeer('neighbourGraph.py', { matrix: sets, parameters: [sets.columnCount, NEIGHBOURS, RUNS] });
  const theirs = 'printed' in peer ? graphReply.parse(peer.printed) : null;
  if ('reason' in peer) result.notes.push(`no scipy peer: ${peer.reason}`);
  let graph: SparseMatrix | null = null;
  const timing = await measure(() => {
    graph = nearestNeighbourGraph(threads, sets, { neighbours: NEIGHBOURS });
  }, RUNS);
  const found: SparseMatrix = graph!;
  add(result, key, { ours: timing, peer: theirs === null ? null : timingOf(theirs.seconds) });
  let note = `${key}: ${found.rowCount} nodes, ${found.columns.length} entries`;
  if (theirs !== null) {
    const apart = Math.abs(graphChecksum(found) / theirs.checksum - 1);
    note += `; scipy ${theirs.scipy} has ${theirs.entries}, checksums ${apart.toExponential(1)} apart, relatively`;
  }
  result.notes.push(note);
  return found;
}

async function eigenCase(
  result: BenchResult,
  { threads, name, matrix }: { threads: NumericThreads; name: string; matrix: SparseMatrix },
): Promise<void> {
  const peer = pythonPeer('eigen.py', { matrix, parameters: [DIMENSIONS, RUNS, TOLERANCE] });
  const theirs = 'printed' in peer ? eigenReply.parse(peer.printed).cases[0]! : null;
  if ('reason' in peer) result.notes.push(`no scipy peer: ${peer.reason}`);
  let found: Eigenpairs | null = null;
  const timing = await measure(async () => {
    const request = { count: DIMENSIONS, end: 'largest', tolerance: TOLERANCE } as const;
    found = await sparseEigenpairs(threads, matrix, request);
  }, RUNS);
  add(result, name, { ours: timing, peer: theirs === null ? null : timingOf(theirs.seconds) });
  const { values, residuals, products } = found!;
  let note = `${name}: ${products} products, residual ${Math.max(...residuals).toExponential(1)}`;
  if (theirs !== null) {
    const apart = Math.max(...theirs.values.map((value, i) => Math.abs(value - values[i]!)));
    note += `; scipy's ${theirs.residual.toExponential(1)}, values at most ${apart.toExponential(1)} apart`;
  }
  result.notes.push(note);
}
