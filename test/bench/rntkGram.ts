import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { recurrentGram } from '#workers/kernels/recurrent/recurrentGram.ts';
import { type SeriesSet, seriesSet } from '#workers/kernels/recurrent/seriesSet.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { BenchResult } from './benchResult.ts';
import { measure, type Timing } from './measure.ts';

const CASES = [
  { series: 500, steps: 100 },
  { series: 200, steps: 500 },
] as const;
/** A grid computes hundreds of matrices; the first, in code that is not optimised yet, says little. Its time stands in a note. */
const WARM_UPS = 10;
const RUNS = 15;
const THREADS = 2;
/** Debian's interpreter has torch; another one on the path may not. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

const network = {
  activation: 'relu',
  layers: 1,
  sigmaW: Math.SQRT2,
  sigmaU: 1,
  sigmaB: 0.1,
  sigmaV: 1,
  sigmaH: 0,
} as const;

/**
 * RNTK Gram matrices of noise, one layer, ReLU, float64, on two threads, series packing and own variances included, beside
 * the same recursion vectorised over pairs in numpy and torch on two threads. Starting the threads (once for any number
 * of matrices) is told apart.
 */
export async function rntkGramBench(): Promise<BenchResult> {
  const threads = Math.min(THREADS, availableParallelism());
  const result: BenchResult = { name: 'rntk-gram', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const started = performance.now();
  const engine = await NumericThreads.openIfBuilt(threads);
  if (engine === null) throw new Error('dist/kernels.wasm is not built (npm run build)');
  result.notes.push(`${threads} threads, started in ${(performance.now() - started).toFixed(0)} ms`);
  const generator = randomGenerator(1, 'rntk-gram bench');
  for (const { series, steps } of CASES) {
    const key = `n-${series}-T-${steps}`;
    const rows = seriesSet(
      Array.from({ length: series }, () => Float64Array.from({ length: steps }, () => generator.normal())),
    );
    let values: Float64Array = new Float64Array(0);
    const work = () => {
      values = recurrentGram(engine, { rows, columns: null }, { network, kernel: 'rntk' }).values;
    };
    const first = await measure(work, 1, 0);
    const { median, spread } = await measure(work, RUNS, WARM_UPS);
    result.ours[key] = median;
    result.spread[key] = spread;
    const cells = ((series * (series + 1)) / 2) * steps;
    result.notes.push(
      `${key}: ${((median * 1e9) / cells).toFixed(2)} ns a pair and step, first matrix ${(first.median * 1e3).toFixed(0)} ms`,
    );
    const peers = inPython(rows);
    if (typeof peers === 'string') {
      result.notes.push(`no numpy and torch peers: ${peers}`);
      continue;
    }
    for (const [name, peer] of Object.entries(peers)) {
      const peerKey = `${key}/${name}`;
      result.peers[peerKey] = peer.timing.median;
      result.spread[peerKey] = peer.timing.spread;
      result.ratios[peerKey] = median / peer.timing.median;
      result.notes.push(
        `${key}: greatest relative difference from ${name} ${peer.version}: ${greatestDifference(values, peer.gram)}`,
      );
    }
  }
  await engine.close();
  result.notes.push(`peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  return result;
}

const reply = z.object({
  seconds: z.record(z.string(), z.array(z.number()).min(1)),
  versions: z.record(z.string(), z.string()),
});

interface Peer {
  timing: Timing;
  version: string;
  gram: Float64Array;
}

/** Times and matrices of `rntkGram.py`, or why there are none. */
function inPython({ values, offsets }: SeriesSet): Record<string, Peer> | string {
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    const count = offsets.length - 1;
    writeFileSync(join(folder, 'series.npy'), encodeNpy(values, [count, values.length / count]));
    const { sigmaW, sigmaU, sigmaB, sigmaV } = network;
    const squares = [sigmaW, sigmaU, sigmaB, sigmaV].map((sigma) => sigma ** 2);
    const given = [join(projectRoot(), 'test', 'bench', 'rntkGram.py'), folder, ...squares, RUNS, WARM_UPS].map(String);
    const { status, error, stdout, stderr } = spawnSync(PYTHON, given, { encoding: 'utf8' });
    if (error !== undefined) return error.message;
    if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
    const { seconds, versions } = reply.parse(JSON.parse(stdout));
    const peers: Record<string, Peer> = {};
    for (const [name, runs] of Object.entries(seconds)) {
      const sorted = runs.toSorted((a, b) => a - b);
      const bytes = readFileSync(join(folder, `${name}.bin`));
      peers[name] = {
        timing: { median: sorted[sorted.length >> 1]!, spread: [sorted[0]!, sorted.at(-1)!] },
        version: versions[name] ?? '',
        gram: new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
      };
    }
    return peers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Relative differences; the diagonal apart: it lies on ReLU's kink, where rounding alone moves the peers by 1e-7. */
function greatestDifference(ours: Float64Array, theirs: Float64Array): string {
  let greatest = 0;
  let onDiagonal = 0;
  const count = Math.sqrt(ours.length);
  for (let at = 0; at < ours.length; at++) {
    const difference = Math.abs(ours[at]! - theirs[at]!) / Math.abs(theirs[at]!);
    if (at % (count + 1) === 0) onDiagonal = Math.max(onDiagonal, difference);
    else greatest = Math.max(greatest, difference);
  }
  return `${greatest.toExponential(1)} (on the diagonal ${onDiagonal.toExponential(1)})`;
}
