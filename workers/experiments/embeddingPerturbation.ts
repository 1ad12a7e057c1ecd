import { z } from 'zod';
import type { EmbeddingPerturbationParameters } from '#src/catalog/kinds/embeddingPerturbation.ts';
import { barabasiAlbert } from '../data/generate/generateGraph.ts';
import type { CurveFigure } from '../figures/figure.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { procrustesRotation } from '../graphs/procrustes.ts';
import { spectralEmbedding } from '../graphs/spectralEmbedding.ts';
import { type RandomGenerator, randomGenerator } from '../math/random/randomGenerator.ts';
import { sparseFromTriplets } from '../math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../training/checkpointFile.ts';
import { NumericThreads } from '../wasm/threads/numericThreads.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

type Context = ExperimentContext<EmbeddingPerturbationParameters>;

const METHODS = ['le', 'leporid'] as const;
const MEASURES = ['raw', 'aligned', 'norm'] as const;
type Method = (typeof METHODS)[number];
type Measure = (typeof MEASURES)[number];

const sumsSchema = z.record(z.string(), z.record(z.string(), z.tuple([z.number(), z.number()])));
/** By `method/measure` and degree: how many nodes, and the sum of their means. */
type Sums = z.output<typeof sumsSchema>;
const stateSchema = z.object({
  study: z.literal('embedding-perturbation-1'),
  graphs: z.int().min(0),
  sums: sumsSchema,
});

/**
 * LEPORID, Figure 2 and Appendix E: for every node of random graphs the mean over some edges added to it of how far its
 * embedding moves, averaged by its degree before. `le/raw_difference`, `leporid/aligned_difference` and so on stand at the
 * degree.
 */
export const embeddingPerturbation: Experiment<EmbeddingPerturbationParameters> = async (context) => {
  const { parameters, reporter } = context;
  const start = performance.now();
  let { graphs: done, sums } = restored(context);
  // graphs this small gain nothing from more threads
  const threads = await NumericThreads.open(1);
  try {
    for (; done < parameters.graphs; ) {
      await studyGraph(context, { threads, graph: done, sums });
      done++;
      const values = { study: 'embedding-perturbation-1' as const, graphs: done, sums };
      reporter.checkpoint(done, encodeCheckpoint({ values, arrays: [] }));
    }
  } finally {
    await threads.close();
  }
  reporter.timing('compute', (performance.now() - start) / 1000);
  await report(context, sums);
  reporter.progress(1, 'done');
};

function restored({ checkpoint, reporter }: Context): { graphs: number; sums: Sums } {
  if (checkpoint === null) return { graphs: 0, sums: {} };
  const state = stateSchema.safeParse(decodeCheckpoint(checkpoint.bytes)?.values);
  if (!state.success) {
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: the study starts anew`);
    return { graphs: 0, sums: {} };
  }
  reporter.log('info', `goes on after graph ${state.data.graphs}`);
  return state.data;
}

interface Edges {
  nodes: number;
  rows: number[];
  columns: number[];
}

/** The graph with one more edge, or a loop, which counts once. */
function withEdge({ nodes, rows, columns }: Edges, added: readonly [number, number] | null): SparseMatrix {
  const [a, b] = added ?? [0, 0];
  const more = added === null ? [] : a === b ? [a] : [a, b];
  return sparseFromTriplets({
    rowCount: nodes,
    columnCount: nodes,
    rows: [...rows, ...more],
    columns: [...columns, ...more.toReversed()],
  });
}

async function studyGraph(
  context: Context,
  { threads, graph, sums }: { threads: NumericThreads; graph: number; sums: Sums },
): Promise<void> {
  const { parameters, seed, reporter, cancellation } = context;
  const { nodes, edges, insertions, graphs, selfLoops, dimension } = parameters;
  const drawn = barabasiAlbert(nodes, edges, randomGenerator(seed, `perturbation graph ${graph}`));
  const base: Edges = { nodes, rows: [...drawn.from, ...drawn.to], columns: [...drawn.to, ...drawn.from] };
  const before = withEdge(base, null);
  const generator = randomGenerator(seed, `perturbation edges ${graph}`);
  const signs = randomGenerator(seed, `perturbation signs ${graph}`);
  const embed = (method: Method, of: SparseMatrix) => embedded(threads, of, { method, parameters, signs });
  const starts = { le: await embed('le', before), leporid: await embed('leporid', before) };
  for (let node = 0; node < nodes; node++) {
    cancellation.throwIfCancelled();
    reporter.progress((graph + node / nodes) / graphs, `graph ${graph + 1} of ${graphs}`);
    const [first, last] = [before.offsets[node]!, before.offsets[node + 1]!];
    const neighbours = new Set(before.columns.subarray(first, last));
    const free = Array.from({ length: nodes }, (_, other) => other).filter(
      (other) => !neighbours.has(other) && (selfLoops || other !== node),
    );
    if (free.length === 0) continue;
    const totals: Record<string, number> = {};
    for (let i = 0; i < insertions; i++) {
      const other = free[generator.nextInt(free.length)]!;
      // D - W does not see a loop
      const isUnseen = other === node && parameters.laplacian === 'unnormalised';
      const after = isUnseen ? before : withEdge(base, [node, other]);
      for (const method of METHODS) {
        const moved = movement(starts[method], await embed(method, after), { node, dimension });
        for (const measure of MEASURES) {
          totals[`${method}/${measure}`] = (totals[`${method}/${measure}`] ?? 0) + moved[measure] / insertions;
        }
      }
    }
    for (const [name, mean] of Object.entries(totals)) {
      const [count, sum] = sums[name]?.[last - first] ?? [0, 0];
      sums[name] = { ...sums[name], [last - first]: [count + 1, sum + mean] };
    }
  }
}

/** (nodes, dimension) */
async function embedded(
  threads: NumericThreads,
  graph: SparseMatrix,
  given: { method: Method; parameters: EmbeddingPerturbationParameters; signs: RandomGenerator },
): Promise<Float64Array> {
  const { dimension: dimensions, alpha, laplacian, signs } = given.parameters;
  const request = { dimensions, alpha: given.method === 'le' ? 0 : alpha, laplacian };
  const { vectors } = await spectralEmbedding(threads, graph, request);
  if (signs === 'rule') return vectors;
  const flips = Array.from({ length: dimensions }, () => (given.signs.nextInt(2) === 0 ? -1 : 1));
  return vectors.map((value, at) => value * flips[at % dimensions]!);
}

/** How far a node's embedding moves between two of a graph (nodes, dimension). */
function movement(
  before: Float64Array,
  after: Float64Array,
  { node, dimension }: { node: number; dimension: number },
): Record<Measure, number> {
  const rotation = procrustesRotation(before, after, dimension);
  const own = before.subarray(node * dimension, (node + 1) * dimension);
  const moved = after.subarray(node * dimension, (node + 1) * dimension);
  let [raw, aligned] = [0, 0];
  for (let j = 0; j < dimension; j++) {
    let turned = 0;
    for (let i = 0; i < dimension; i++) turned += moved[i]! * rotation[i * dimension + j]!;
    raw += (moved[j]! - own[j]!) ** 2;
    aligned += (turned - own[j]!) ** 2;
  }
  const norm = Math.abs(Math.hypot(...moved) - Math.hypot(...own));
  return { raw: Math.sqrt(raw), aligned: Math.sqrt(aligned), norm };
}

async function report({ reporter, parameters }: Context, sums: Sums): Promise<void> {
  const curves = new Map<string, { x: number[]; y: number[] }>();
  for (const [name, byDegree] of Object.entries(sums)) {
    const x = Object.keys(byDegree)
      .map(Number)
      .sort((a, b) => a - b);
    const y = x.map((degree) => byDegree[degree]![1] / byDegree[degree]![0]);
    for (const [i, degree] of x.entries()) reporter.metric(`${name}_difference`, degree, y[i]!);
    curves.set(name, { x, y });
  }
  const [, counts] = Object.entries(sums)[0] ?? ['', {}];
  reporter.note(
    'nodesByDegree',
    Object.fromEntries(Object.entries(counts).map(([degree, [count]]) => [degree, count])),
  );
  const figure = (title: string, measures: readonly Measure[]): CurveFigure => ({
    form: 'curves',
    title,
    x: { title: 'degree before the edge is added' },
    y: { title: 'mean change of the node’s embedding' },
    series: METHODS.flatMap((method) =>
      measures.map((measure) => ({
        form: 'line' as const,
        name: `${method}, ${measure}`,
        ...(curves.get(`${method}/${measure}`) ?? { x: [], y: [] }),
        isDashed: measure === 'norm',
      })),
    ),
  });
  const of = `${parameters.nodes} nodes, ${parameters.dimension} dimensions`;
  await reportFigure(reporter, 'figure-2-raw', { figure: figure(`One edge more, as computed: ${of}`, ['raw']) });
  const aligned = figure(`One edge more, aligned: ${of}`, ['aligned', 'norm']);
  await reportFigure(reporter, 'figure-2-aligned', { figure: aligned });
}
