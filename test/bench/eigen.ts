import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { Eigenpairs } from '#workers/math/dense/eigenpairs.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { sparseEigenpairs } from '#workers/wasm/linearAlgebra/sparseEigenpairs.ts';
import type { BenchResult } from './benchResult.ts';
import { benchGraphs } from './graphs.ts';
import { measure } from './measure.ts';
import { pythonPeer, timingOf } from './pythonPeer.ts';

const PAIRS = 64;
const RUNS = 5;
const TOLERANCES = [1e-12, 1e-8];

const reply = z.object({
  cases: z.array(z.object({ seconds: z.array(z.number()), residual: z.number(), values: z.array(z.number()) })),
  scipy: z.string(),
});

/**
 * 64 smallest eigenpairs of normalised Laplacians I - A of kNN graphs, as the largest of A, beside scipy's `eigsh` (ARPACK)
 * on the same matrices, both asked for the same residual. Target: half of scipy's time.
 */
export async function eigenBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'eigen', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const count = Math.min(2, availableParallelism());
  const threads = await NumericThreads.open(count);
  try {
    for (const [name, matrix] of Object.entries(await benchGraphs(threads))) {
      const peer = pythonPeer('eigen.py', { matrix, parameters: [PAIRS, RUNS, ...TOLERANCES] });
      const theirs = 'printed' in peer ? reply.parse(peer.printed) : null;
      if ('reason' in peer) result.notes.push(`no scipy peer: ${peer.reason}`);
      for (const [at, tolerance] of TOLERANCES.entries()) {
        const key = `${name} ${tolerance}`;
        let found: Eigenpairs | null = null;
        const timing = await measure(async () => {
          found = await sparseEigenpairs(threads, matrix, { count: PAIRS, end: 'largest', tolerance });
        }, RUNS);
        result.ours[key] = timing.median;
        result.spread[key] = timing.spread;
        const { values, residuals, products } = found!;
        let note = `${key}: ${matrix.rowCount} nodes, ${matrix.columns.length} entries, ${products} products, residual ${Math.max(...residuals).toExponential(1)}`;
        const other = theirs?.cases[at];
        if (other !== undefined) {
          const peerTiming = timingOf(other.seconds);
          result.peers[`${key}/scipy`] = peerTiming.median;
          result.spread[`${key}/scipy`] = peerTiming.spread;
          result.ratios[`${key}/scipy`] = timing.median / peerTiming.median;
          const apart = Math.max(...other.values.map((value, i) => Math.abs(value - values[i]!)));
          note += `; scipy's ${other.residual.toExponential(1)}, values at most ${apart.toExponential(1)} apart`;
        }
        result.notes.push(note);
      }
      if (theirs !== null) result.notes.push(`scipy ${theirs.scipy}`);
    }
    result.notes.push(`${count} threads; a check for missed copies of multiple eigenvalues is included`);
  } finally {
    await threads.close();
  }
  return result;
}
