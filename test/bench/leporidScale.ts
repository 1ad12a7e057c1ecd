import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { powerLaw } from '#workers/data/generate/powerLaw.ts';
import { graphReport } from '#workers/graphs/graphReport.ts';
import { normalisedAdjacency } from '#workers/graphs/laplacian.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { sparseEigenpairs } from '#workers/wasm/linearAlgebra/sparseEigenpairs.ts';
import type { BenchResult } from './benchResult.ts';
import { pythonPeer } from './pythonPeer.ts';

/** The size of Anime in LEPORID, Table 2, whose user graph of 1000 neighbours has some 70 million entries. */
const USERS = 47_143;
const ITEMS = 6_535;
const MEAN_ITEMS = 131.5;
const FEWEST_ITEMS = 20;
const CLUSTERS = 20;
/** Part of a user's items that come from its cluster. */
const OWN_SHARE = 0.6;
const NEIGHBOURS = 1000;
const DIMENSIONS = 64;
const ALPHA = 0.5;
const TOLERANCE = 1e-8;
const TARGET_BYTES = 20e9;

const eigenReply = z.object({
  cases: z.tuple([z.object({ seconds: z.array(z.number()), residual: z.number(), values: z.array(z.number()) })]),
});

/** (users, items) Users of unequal activity (20 items and a log-normal number more) in clusters, items of unequal popularity. */
function generatedSets(): SparseMatrix {
  const generator = randomGenerator(1, 'leporid scale');
  const popularity = powerLaw(ITEMS, 0.7);
  const inCluster = powerLaw(Math.ceil(ITEMS / CLUSTERS), 0.6);
  const extra = (MEAN_ITEMS - FEWEST_ITEMS) / Math.exp(0.5);
  const offsets = new Uint32Array(USERS + 1);
  const rows: Uint32Array[] = [];
  for (let user = 0; user < USERS; user++) {
    const wanted = Math.min(ITEMS / 4, FEWEST_ITEMS + Math.floor(extra * Math.exp(generator.normal())));
    const own = new Set<number>();
    const cluster = user % CLUSTERS;
    for (let draws = 0; own.size < wanted && draws < 20 * wanted; draws++) {
      const isOwn = generator.nextFloat() < OWN_SHARE;
      const item = isOwn ? cluster + CLUSTERS * inCluster.draw(generator) : popularity.draw(generator);
      if (item < ITEMS) own.add(item);
    }
    rows.push(Uint32Array.from(own).sort());
    offsets[user + 1] = offsets[user]! + own.size;
  }
  const columns = new Uint32Array(offsets[USERS]!);
  for (const [user, row] of rows.entries()) columns.set(row, offsets[user]!);
  return { rowCount: USERS, columnCount: ITEMS, offsets, columns, values: new Float64Array(columns.length).fill(1) };
}

/**
 * The user graph of a generated set of the size of Anime and 64 dimensions of LEPORID of it, once, cold, beside scipy's
 * `eigsh` of the same matrix asked for the same residual. Target: within 20 GB.
 */
export async function leporidScaleBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'leporid-scale', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const add = (table: 'ours' | 'peers', key: string, seconds: number): void => {
    result[table][key] = seconds;
    result.spread[key] = [seconds, seconds];
  };
  const sets = generatedSets();
  result.notes.push(`${USERS} users, ${ITEMS} items, ${sets.columns.length} interactions`);
  const lanes = Math.min(2, availableParallelism());
  const threads = await NumericThreads.open(lanes);
  try {
    let start = performance.now();
    const graph = nearestNeighbourGraph(threads, sets, { neighbours: NEIGHBOURS });
    add('ours', 'graph', (performance.now() - start) / 1000);
    const { isolated, components } = graphReport(graph);
    result.notes.push(
      `graph: ${graph.columns.length} entries, ${components} components, ${isolated} isolated; peak memory ${gigabytes()} GB`,
    );
    start = performance.now();
    const matrix = normalisedAdjacency(graph, ALPHA);
    const request = { count: DIMENSIONS, end: 'largest', tolerance: TOLERANCE } as const;
    const found = await sparseEigenpairs(threads, matrix, request);
    add('ours', 'eigenvectors', (performance.now() - start) / 1000);
    const residual = Math.max(...found.residuals).toExponential(1);
    const share = process.resourceUsage().maxRSS / (TARGET_BYTES / 1024);
    result.notes.push(
      `eigenvectors: ${found.products} products, residual ${residual}; peak memory ${gigabytes()} GB, ${Math.round(100 * share)} % of the target`,
    );
    const peer = pythonPeer('eigen.py', { matrix, parameters: [DIMENSIONS, 0, TOLERANCE] });
    if ('reason' in peer) {
      result.notes.push(`no scipy peer: ${peer.reason}`);
      return result;
    }
    const [theirs] = eigenReply.parse(peer.printed).cases;
    add('peers', 'eigenvectors/scipy', theirs.seconds[0]!);
    result.ratios['eigenvectors/scipy'] = result.ours.eigenvectors! / theirs.seconds[0]!;
    const apart = Math.max(...theirs.values.map((value, i) => Math.abs(value - found.values[i]!)));
    result.notes.push(
      `scipy's residual ${theirs.residual.toExponential(1)}, values at most ${apart.toExponential(1)} apart`,
    );
  } finally {
    await threads.close();
  }
  result.notes.push(`${lanes} threads, scipy has one; each timed once, cold`);
  return result;
}

function gigabytes(): string {
  return (process.resourceUsage().maxRSS / 1024 ** 2).toFixed(1);
}
