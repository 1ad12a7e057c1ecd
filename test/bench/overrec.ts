import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../../src/lib/projectRoot.ts';
import type { SequenceDataset } from '../../workers/data/sequenceDataset.ts';
import { neighbourRows } from '../../workers/kernels/neighbourRows.ts';
import { nearestRowSearch } from '../../workers/kernels/nearestRowSearch.ts';
import type { NearestRows, Queries } from '../../workers/kernels/nearestRows.ts';
import { patternKernel } from '../../workers/kernels/patternKernel.ts';
import { sparseNearestRows } from '../../workers/kernels/sparseNearestRows.ts';
import { realDataset } from '../oracles/realDataset.ts';
import type { BenchResult } from './benchResult.ts';
import { PEER_PYTHON } from './peerPython.ts';
import { measure, type Timing } from './measure.ts';

const MAXIMUM_LENGTH = 50;
const COUNT = 11;
/** The dense computation is quadratic in users: it gets the first of them. */
const DENSE_USERS = 1000;
const DENSE_RUNS = 3;
/** The authors' memory for the dense matrices is 100 to 300 GB; the target here, in seconds. */
const LIMIT_SECONDS = 3;

const network = { activation: 'relu', layers: 1, sigmaW: 1, sigmaU: 1, sigmaV: 1, sigmaB: 0, sigmaH: 0 } as const;

/**
 * OverRec's neighbours on Amazon Beauty, index, kernel and search: in WebAssembly threads and in the single-threaded
 * TypeScript twin on the whole, and beside the dense computation in numpy on the first users, with equal results.
 */
export async function overrecBench(): Promise<BenchResult> {
  const beauty = await realDataset({ name: 'amazon-beauty' });
  if (beauty === null) throw new Error('the benchmark needs amazon-beauty in a folder of WARREN_DATA');
  const few = firstUsers(beauty, DENSE_USERS);
  const threads = availableParallelism();
  const result: BenchResult = { name: 'overrec', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const ours = (key: string, { median, spread }: Timing) => {
    result.ours[key] = median;
    result.spread[key] = spread;
  };
  const peer = (key: string, { median, spread }: Timing) => {
    result.peers[key] = median;
    result.spread[key] = spread;
    result.ratios[key] = (result.ours[key.split('/')[0]!] ?? Number.NaN) / median;
  };

  ours('beauty', await measure(async () => void (await search(beauty, threads))));
  peer('beauty/typescript-1-thread', await measure(async () => void (await search(beauty, 0))));
  peer('beauty/target', { median: LIMIT_SECONDS, spread: [LIMIT_SECONDS, LIMIT_SECONDS] });
  result.notes.push(`${threads} threads; ${JSON.stringify(sizes(await search(beauty, threads)))}`);
  result.notes.push(`peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);

  const caseName = `beauty-first-${DENSE_USERS}`;
  ours(caseName, await measure(async () => void (await search(few, threads))));
  const dense = denseInNumpy(few);
  if (typeof dense === 'string') result.notes.push(`no numpy peer: ${dense}`);
  else {
    peer(`${caseName}/numpy-dense`, dense.timing);
    result.notes.push(
      `greatest difference from numpy's values: ${greatestDifference(await search(few, threads), dense.values)}`,
    );
  }
  return result;
}

function sizes({ matchedPairs, distinctPatterns }: NearestRows): { matchedPairs: number; distinctPatterns: number } {
  return { matchedPairs, distinctPatterns };
}

/** With 0 threads the TypeScript twin. */
async function search(dataset: SequenceDataset, threads: number): Promise<NearestRows> {
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

function firstUsers(dataset: SequenceDataset, count: number): SequenceDataset {
  const offsets = dataset.offsets.slice(0, count + 1);
  return { ...dataset, offsets, items: dataset.items.slice(0, offsets[count]!), userCount: count };
}

const denseReply = z.object({ seconds: z.array(z.number()).min(1), values: z.array(z.array(z.number())) });

/** Times and values of `denseRntk.py`, or why there are none. */
function denseInNumpy(dataset: SequenceDataset): { timing: Timing; values: number[][] } | string {
  const padded = (start: number, end: number) => {
    const items = [...dataset.items.subarray(Math.max(start, end - MAXIMUM_LENGTH), end)].map((item) => item + 1);
    return [...new Array<number>(MAXIMUM_LENGTH - items.length).fill(0), ...items];
  };
  const queries: number[][] = [];
  const rows: number[][] = [];
  for (let user = 0; user < dataset.userCount; user++) {
    const [start, end] = [dataset.offsets[user]!, dataset.offsets[user + 1]!];
    queries.push(padded(start, end - 1));
    for (let q = 1; q <= end - start - 3; q++) rows.push(padded(start, start + q));
  }
  const input = JSON.stringify({ queries, rows, count: COUNT, runs: DENSE_RUNS });
  const script = join(projectRoot(), 'test', 'bench', 'denseRntk.py');
  const { status, error, stdout, stderr } = spawnSync(PEER_PYTHON, [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) return error.message;
  if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
  const { seconds, values } = denseReply.parse(JSON.parse(stdout));
  seconds.sort((a, b) => a - b);
  const timing: Timing = { median: seconds[seconds.length >> 1]!, spread: [seconds[0]!, seconds.at(-1)!] };
  return { timing, values };
}

function greatestDifference(nearest: NearestRows, values: number[][]): number {
  let greatest = 0;
  for (const [query, row] of values.entries()) {
    for (const [at, value] of row.entries()) {
      greatest = Math.max(greatest, Math.abs(value - nearest.values[query * COUNT + at]!));
    }
  }
  return greatest;
}
