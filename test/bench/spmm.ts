import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { SparseOperand } from '#workers/wasm/linearAlgebra/sparseOperand.ts';
import type { BenchResult } from './benchResult.ts';
import { benchGraphs } from './graphs.ts';
import { measure } from './measure.ts';
import { pythonPeer, timingOf } from './pythonPeer.ts';

const WIDTH = 64;
const RUNS = 5;

const reply = z.object({
  cases: z.array(z.object({ seconds: z.array(z.number()), absoluteSum: z.number() })),
  scipy: z.string(),
});

/** Sparse times dense (n, 64) in both precisions, on one and on two threads, beside scipy's, which has one. Target: half. */
export async function spmmBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'spmm', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  for (const [name, matrix] of Object.entries(await openGraphs())) {
    const peer = pythonPeer('spmm.py', { matrix, parameters: [WIDTH, RUNS] });
    const theirs = 'printed' in peer ? reply.parse(peer.printed) : null;
    if ('reason' in peer) result.notes.push(`no scipy peer: ${peer.reason}`);
    for (const count of [1, Math.min(2, availableParallelism())]) {
      const threads = await NumericThreads.open(count);
      try {
        for (const [at, precision] of (['float64', 'float32'] as const).entries()) {
          const key = `${name} ${precision} ${count} threads`;
          const { timing, absoluteSum } = await timed(threads, matrix, precision);
          result.ours[key] = timing.median;
          result.spread[key] = timing.spread;
          const other = theirs?.cases[at];
          if (other === undefined) continue;
          const peerTiming = timingOf(other.seconds);
          result.peers[`${key}/scipy`] = peerTiming.median;
          result.spread[`${key}/scipy`] = peerTiming.spread;
          result.ratios[`${key}/scipy`] = timing.median / peerTiming.median;
          const apart = Math.abs(absoluteSum / other.absoluteSum - 1);
          result.notes.push(`${key}: absolute sums ${apart.toExponential(1)} apart, relatively`);
        }
      } finally {
        await threads.close();
      }
    }
  }
  return result;
}

async function openGraphs(): Promise<Record<string, SparseMatrix>> {
  const threads = await NumericThreads.open(Math.min(2, availableParallelism()));
  try {
    return await benchGraphs(threads);
  } finally {
    await threads.close();
  }
}

async function timed(threads: NumericThreads, matrix: SparseMatrix, precision: 'float32' | 'float64') {
  const scope = threads.scope();
  try {
    const single = precision === 'float32';
    const values = single ? Float32Array.from(matrix.values) : matrix.values;
    const operand = new SparseOperand(scope, { ...matrix, values });
    const size = matrix.rowCount * WIDTH;
    const factor = single ? new Float32Array(size) : new Float64Array(size);
    for (let i = 0; i < size; i++) factor[i] = Math.cos(i);
    const [x, y] = [scope.place(factor), scope.reserve(factor.byteLength)];
    const timing = await measure(() => operand.multiply(x, y, WIDTH), RUNS);
    let absoluteSum = 0;
    for (const value of single ? scope.floats(y, size) : scope.doubles(y, size)) absoluteSum += Math.abs(value);
    return { timing, absoluteSum };
  } finally {
    scope.release();
  }
}
