import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { neighbourRows } from '#workers/kernels/neighbours/neighbourRows.ts';
import { nearestRowSearch } from '#workers/kernels/neighbours/nearestRowSearch.ts';
import type { NearestSequences, Queries } from '#workers/kernels/neighbours/nearestSequences.ts';
import { patternKernel } from '#workers/kernels/pattern/patternKernel.ts';
import { sparseNearestRows } from '#workers/kernels/neighbours/sparseNearestRows.ts';
import { realDataset } from '../oracles/realDataset.ts';
import type { BenchResult } from './benchResult.ts';
import { measure, type Timing } from './measure.ts';
import { PEER_PYTHON } from './peerPython.ts';
import { timingOf } from './pythonPeer.ts';

const MAXIMUM_LENGTH = 50;
const COUNT = 11;
const THREADS = 2;
const DENSE_RUNS = 1;
/** Queries that the dense computation is timed on, against all rows: its time is proportional to them. */
const DENSE_QUERIES = 48;
/** Queries that it takes at a time: of 1, 2, 4, 8 and 16 the fastest. */
const DENSE_BLOCK = 8;
/** Limits in seconds. The authors' memory for the dense matrices of Beauty is 100 to 300 GB. */
const LIMITS = { beauty: 3, 'ml-1m': 60 } as const;
const MEMORY_LIMIT_MB = 150;

const network = { activation: 'relu', layers: 1, sigmaW: 1, sigmaU: 1, sigmaV: 1, sigmaB: 0, sigmaH: 0 } as const;

/**
 * OverRec's neighbours, index, kernel and search: on ml-100k beside the dense computation in torch, on as many threads, with
 * equal values; on Beauty beside the single-threaded TypeScript reference implementation; on ML-1M beside the time that it may take. Memory is
 * the peak of this process over that before it had read anything, after a first search.
 */
export async function overrecBench(): Promise<BenchResult> {
  const idle = peakMegabytes();
  const threads = Math.min(THREADS, availableParallelism());
  const result: BenchResult = { name: 'overrec', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  result.notes.push(`${threads} threads`);
  const time = async (key: string, dataset: SequenceDataset, runs?: number): Promise<NearestSequences> => {
    const nearest = await search(dataset, threads);
    const over = Math.round(peakMegabytes() - idle);
    const sizes = `${nearest.matchedPairs} matched pairs, ${nearest.distinctPatterns} patterns`;
    const limited = key === 'ml-100k' ? ` (limit ${MEMORY_LIMIT_MB})` : '';
    result.notes.push(`${key}: ${sizes}; peak memory so far ${over} MB over an idle process${limited}`);
    const { median, spread } = await measure(async () => void (await search(dataset, threads)), runs);
    result.ours[key] = median;
    result.spread[key] = spread;
    return nearest;
  };
  const peer = (key: string, { median, spread }: Timing) => {
    result.peers[key] = median;
    result.spread[key] = spread;
    result.ratios[key] = (result.ours[key.split('/')[0]!] ?? Number.NaN) / median;
  };
  const limit = (seconds: number): Timing => ({ median: seconds, spread: [seconds, seconds] });

  const small = await required('ml-100k', 5);
  const nearest = await time('ml-100k', small);
  const dense = denseInTorch(small, threads);
  if (typeof dense === 'string') result.notes.push(`no torch peer: ${dense}`);
  else {
    const share = DENSE_QUERIES / small.userCount;
    result.notes.push(
      `dense: ${DENSE_QUERIES} of ${small.userCount} queries against all rows, its time divided by that share`,
    );
    for (const { name, timing: timed, values } of dense) {
      const timing: Timing = {
        median: timed.median / share,
        spread: [timed.spread[0] / share, timed.spread[1] / share],
      };
      peer(`ml-100k/torch-dense-${name}`, timing);
      result.notes.push(`greatest difference from torch's ${name}: ${greatestDifference(nearest, values)}`);
    }
  }

  const beauty = await required('amazon-beauty', 0);
  await time('beauty', beauty);
  peer('beauty/typescript-1-thread', await measure(async () => void (await search(beauty, 0)), 3));
  peer('beauty/limit', limit(LIMITS.beauty));
  await time('ml-1m', await required('ml-1m', 5), 1);
  peer('ml-1m/limit', limit(LIMITS['ml-1m']));
  return result;
}

async function required(name: string, core: number): Promise<SequenceDataset> {
  const found = await realDataset({ name, core });
  if (found === null) throw new Error(`the benchmark needs ${name} in a folder of WARREN_DATA`);
  return found;
}

function peakMegabytes(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** With 0 threads the TypeScript reference implementation. */
async function search(dataset: SequenceDataset, threads: number): Promise<NearestSequences> {
  const rows = neighbourRows(dataset, (n) => ({ first: 1, last: n - 3 }), MAXIMUM_LENGTH);
  const kernel = patternKernel({ network, kernel: 'rntk', variant: 'exact', maximumLength: MAXIMUM_LENGTH });
  const queries = testInputs(dataset);
  if (threads === 0) return sparseNearestRows(rows, queries, { kernel, count: COUNT });
  return nearestRowSearch(rows, queries, { kernel, count: COUNT, threads });
}

function testInputs(dataset: SequenceDataset): Queries {
  const starts = new Uint32Array(dataset.userCount);
  const lengths = new Uint16Array(dataset.userCount);
  for (let user = 0; user < dataset.userCount; user++) {
    const end = dataset.offsets[user + 1]! - 1;
    lengths[user] = Math.min(end - dataset.offsets[user]!, MAXIMUM_LENGTH);
    starts[user] = end - lengths[user]!;
  }
  return { items: dataset.items, starts, lengths };
}

const denseReply = z.object({
  seconds: z.strictObject({ float64: z.array(z.number()).min(1), float32: z.array(z.number()).min(1) }),
});

interface Dense {
  name: 'float64' | 'float32';
  timing: Timing;
  /** (queries, count) */
  values: ArrayLike<number>;
}

/** Times and values of `denseRntk.py`, or why there are none. */
function denseInTorch(dataset: SequenceDataset, threads: number): Dense[] | string {
  const queries: number[] = [];
  const rows: number[] = [];
  const padded = (into: number[], start: number, end: number) => {
    const items = dataset.items.subarray(Math.max(start, end - MAXIMUM_LENGTH), end);
    for (let place = items.length; place < MAXIMUM_LENGTH; place++) into.push(0);
    for (const item of items) into.push(item + 1);
  };
  for (let user = 0; user < dataset.userCount; user++) {
    const [start, end] = [dataset.offsets[user]!, dataset.offsets[user + 1]!];
    if (user < DENSE_QUERIES) padded(queries, start, end - 1);
    for (let q = 1; q <= end - start - 3; q++) padded(rows, start, start + q);
  }
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    for (const [name, items] of Object.entries({ queries, rows })) {
      const table = encodeNpy(Int32Array.from(items), [items.length / MAXIMUM_LENGTH, MAXIMUM_LENGTH]);
      writeFileSync(join(folder, `${name}.npy`), table);
    }
    const script = join(projectRoot(), 'test', 'bench', 'denseRntk.py');
    const given = [script, folder, ...[COUNT, threads, DENSE_BLOCK, DENSE_RUNS].map(String)];
    const { status, error, stdout, stderr } = spawnSync(PEER_PYTHON, given, { encoding: 'utf8' });
    if (error !== undefined) return error.message;
    if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
    const { seconds } = denseReply.parse(JSON.parse(stdout));
    return (['float64', 'float32'] as const).map((name) => {
      const { values } = decodeNpyTable(readFileSync(join(folder, `${name}.npy`)), name);
      return { name, timing: timingOf(seconds[name]), values };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function greatestDifference(nearest: NearestSequences, values: ArrayLike<number>): string {
  let greatest = 0;
  for (let at = 0; at < values.length; at++) greatest = Math.max(greatest, Math.abs(values[at]! - nearest.values[at]!));
  return greatest.toExponential(1);
}
