import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { embeddingRanking } from '#workers/evaluation/embeddings/embeddingRanking.ts';
import { embeddingRankingReference } from '#workers/evaluation/embeddings/embeddingRankingReference.ts';
import type { EmbeddingQueries, EmbeddingScores } from '#workers/evaluation/embeddings/embeddingQueries.ts';
import type { RankedUsers } from '#workers/evaluation/ranking/rankedUsers.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { BenchResult } from './benchResult.ts';
import { PEER_PYTHON } from './peerPython.ts';
import { measure, type Timing } from './measure.ts';

/** Users and items of Amazon Beauty. */
const USERS = 22_363;
const ITEMS = 12_101;
const DIMENSION = 64;
const LIST_LENGTH = 50;
const LIMIT_SECONDS = 2;
const REFERENCE_USERS = 1000;
/** Rows of scores that numpy holds at once: 50 MB. */
const NUMPY_BLOCK = 1024;
const NUMPY_RUNS = 3;

/**
 * The 50 best of 12,101 items for 22,363 users from embeddings with 64 columns, and the rank of a target each, beside
 * numpy's product and `argpartition` on the same embeddings, and the TypeScript reference implementation on the first users.
 */
export async function rankingBench(): Promise<BenchResult> {
  const generator = randomGenerator(1, 'ranking bench');
  const table = (rows: number) => Float32Array.from({ length: rows * DIMENSION }, () => generator.normal());
  const model: EmbeddingScores = { users: table(USERS), items: table(ITEMS), dimension: DIMENSION };
  const queriesOf = (count: number): EmbeddingQueries => ({
    users: Uint32Array.from({ length: count }, (_, user) => user),
    targets: Uint32Array.from({ length: count }, (_, user) => (user * 7) % ITEMS),
    excluded: null,
    listLength: LIST_LENGTH,
  });
  const threads = availableParallelism();
  const result: BenchResult = { name: 'ranking', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const ours = (key: string, { median, spread }: Timing) => {
    result.ours[key] = median;
    result.spread[key] = spread;
  };
  const peer = (key: string, { median, spread }: Timing) => {
    result.peers[key] = median;
    result.spread[key] = spread;
    result.ratios[key] = (result.ours[key.split('/')[0]!] ?? Number.NaN) / median;
  };

  let ranked: RankedUsers | null = null;
  ours(
    'top-50',
    await measure(async () => {
      ranked = await embeddingRanking(model, queriesOf(USERS), threads);
    }),
  );
  peer('top-50/target', { median: LIMIT_SECONDS, spread: [LIMIT_SECONDS, LIMIT_SECONDS] });
  const products = (2 * USERS * ITEMS * DIMENSION) / 1e9;
  result.notes.push(
    `${threads} threads, ${(products / result.ours['top-50']!).toFixed(1)} GFLOP/s, thread start included`,
  );
  const numpy = inNumpy(model);
  if (typeof numpy === 'string') result.notes.push(`no numpy peer: ${numpy}`);
  else {
    peer('top-50/numpy product and argpartition', numpy.all);
    peer('top-50/numpy argpartition alone', numpy.partition);
    result.notes.push(`numpy ${numpy.version}; ${differences(ranked!, numpy.lists)}`);
  }
  const few = `top-50 of ${REFERENCE_USERS} users`;
  ours(few, await measure(async () => void (await embeddingRanking(model, queriesOf(REFERENCE_USERS), threads)), 3));
  peer(
    `${few}/typescript reference implementation`,
    await measure(() => void embeddingRankingReference(model, queriesOf(REFERENCE_USERS)), 3),
  );
  result.notes.push(`peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  return result;
}

const reply = z.object({
  seconds: z.array(z.number()).min(1),
  partition: z.array(z.number()).min(1),
  numpy: z.string(),
});

/** Times and lists of `ranking.py`, or why there are none. */
function inNumpy(
  model: EmbeddingScores,
): { all: Timing; partition: Timing; version: string; lists: Int32Array } | string {
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    writeFileSync(join(folder, 'users.npy'), encodeNpy(model.users, [USERS, DIMENSION]));
    writeFileSync(join(folder, 'items.npy'), encodeNpy(model.items, [ITEMS, DIMENSION]));
    const script = join(projectRoot(), 'test', 'bench', 'ranking.py');
    const given = [script, folder, LIST_LENGTH, NUMPY_BLOCK, NUMPY_RUNS].map(String);
    const { status, error, stdout, stderr } = spawnSync(PEER_PYTHON, given, { encoding: 'utf8' });
    if (error !== undefined) return error.message;
    if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
    const { seconds, partition, numpy } = reply.parse(JSON.parse(stdout));
    const bytes = readFileSync(join(folder, 'lists.bin'));
    const lists = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return { all: timingOf(seconds), partition: timingOf(partition), version: numpy, lists };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timingOf(seconds: readonly number[]): Timing {
  const sorted = seconds.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, spread: [sorted[0]!, sorted.at(-1)!] };
}

/** Numpy sums in another order, so that near ties may stand otherwise. */
function differences({ lists }: RankedUsers, theirs: Int32Array): string {
  let other = 0;
  for (let place = 0; place < lists.length; place++) if (lists[place] !== theirs[place]) other++;
  return `${other} of ${lists.length} places hold another item than numpy's (sums in another order)`;
}
