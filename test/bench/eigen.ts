import { availableParallelism } from 'node:os';
import { readFlags } from './readFlags.ts';
import { z } from 'zod';
import type { Eigenpairs } from '#workers/math/dense/eigenpairs.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { sparseEigenpairs } from '#workers/wasm/linearAlgebra/sparseEigenpairs.ts';
import type { BenchResult } from './benchResult.ts';
import { benchGraphs } from './graphs.ts';
import { pythonPeer, timingOf } from './pythonPeer.ts';
import { wholeNumber } from './wholeNumber.ts';

const PAIRS = 64;
const RUNS = 5;
const TOLERANCES = [1e-12, 1e-8];

const reply = z.object({
  cases: z.array(
    z.object({
      ...{ seconds: z.array(z.number()), processorSeconds: z.array(z.number()) },
      ...{ residual: z.number(), values: z.array(z.number()) },
    }),
  ),
  scipy: z.string(),
});

const OPTIONS = {
  /** Graphs by name, separated by commas; all where there are none. */
  graphs: { type: 'string' },
  /** Of both. */
  threads: { type: 'string', default: '2' },
  json: { type: 'boolean', default: false },
} as const;

/**
 * 64 smallest eigenpairs of normalised Laplacians I - A of kNN graphs, as the largest of A, beside scipy's `eigsh` (ARPACK)
 * on the same matrices, both asked for the same residual: clock and processor time. Target: half of scipy's.
 */
export async function eigenBench(flags: readonly string[]): Promise<BenchResult> {
  const options = readFlags(flags, OPTIONS);
  const result: BenchResult = { name: 'eigen', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const count = Math.min(wholeNumber('threads', options.threads), availableParallelism());
  const wanted = options.graphs?.split(',');
  const threads = await NumericThreads.open(count);
  try {
    for (const [name, matrix] of Object.entries(await benchGraphs(threads))) {
      if (wanted !== undefined && !wanted.includes(name)) continue;
      const peer = pythonPeer('eigen.py', { matrix, parameters: [PAIRS, RUNS, ...TOLERANCES], threads: count });
      const theirs = 'printed' in peer ? reply.parse(peer.printed) : null;
      if ('reason' in peer) result.notes.push(`no scipy peer: ${peer.reason}`);
      for (const [at, tolerance] of TOLERANCES.entries()) {
        const key = `${name} ${tolerance}`;
        const { found, ...times } = await ownTimes(threads, matrix, tolerance);
        const other = theirs?.cases[at];
        for (const clock of ['seconds', 'processorSeconds'] as const) {
          const [ours, label] = [timingOf(times[clock]), clock === 'seconds' ? key : `${key}, processor`];
          result.ours[label] = ours.median;
          result.spread[label] = ours.spread;
          if (other === undefined) continue;
          const peerTiming = timingOf(other[clock]);
          result.peers[`${label}/scipy`] = peerTiming.median;
          result.spread[`${label}/scipy`] = peerTiming.spread;
          result.ratios[`${label}/scipy`] = ours.median / peerTiming.median;
        }
        const { values, residuals, products } = found;
        let note = `${key}: ${matrix.rowCount} nodes, ${matrix.columns.length} entries, ${products} products, residual ${Math.max(...residuals).toExponential(1)}`;
        if (other !== undefined) {
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

/** Times of all runs but the first, which warms up. */
async function ownTimes(threads: NumericThreads, matrix: SparseMatrix, tolerance: number) {
  const search = (): Promise<Eigenpairs> =>
    sparseEigenpairs(threads, matrix, { count: PAIRS, end: 'largest', tolerance });
  let found = await search();
  const [seconds, processorSeconds]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    const [started, before] = [performance.now(), process.cpuUsage()];
    found = await search();
    const used = process.cpuUsage(before);
    seconds.push((performance.now() - started) / 1000);
    processorSeconds.push((used.user + used.system) / 1e6);
  }
  return { found, seconds, processorSeconds };
}
