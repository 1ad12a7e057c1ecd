import { reportItemAttributes } from '../training/itemAttributes.ts';
import type { EmbeddingKindParameters } from '#src/catalog/kinds/embedding.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { reportGraphPicture } from '../figures/graphPicture.ts';
import { encodeNpy } from '../data/read/npyFile.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
import { splitSequences } from '../data/split/splitSequences.ts';
import { graphLayout, rankLayout } from '../graphs/graphLayout.ts';
import type { GraphReport } from '../graphs/graphReport.ts';
import { EmbeddingNotConverged, type SpectralEmbedding } from '../graphs/spectralEmbedding.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { computedEmbeddings, type SideEmbedding } from '../training/start/computedEmbeddings.ts';
import { SideFailure } from '../training/start/neighbourEmbeddings.ts';
import { SIDES, type Side } from '../training/start/startRequest.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

type Context = ExperimentContext<EmbeddingKindParameters>;

const NPY = 'application/octet-stream';
const FILES: Readonly<Record<Side, string>> = { users: 'user-embeddings', items: 'item-embeddings' };
/** Dimensions of the picture. */
const DRAWN = 4;

/**
 * Embeddings of users and items from the training part of the split, as artifacts. Metrics of a side stand under its name:
 * `users/eigenvalue` and `users/residual` at their dimension from 1, sizes of its graph at 0. An eigensolver that does not
 * converge fails the run, and what did converge is left as `user-embeddings-partial.npy` or the same of items.
 */
export const embedding: Experiment<EmbeddingKindParameters> = async (context) => {
  const { parameters, reporter } = context;
  const part = splitSequences(await context.data.sequences(), context.data.split);
  const start = performance.now();
  const { method, dimension } = parameters;
  const onGraph = (side: Side, { report }: { report: GraphReport }): void => reportGraph(context, side, report);
  let found: Map<Side, SideEmbedding>;
  try {
    found =
      method === 'random'
        ? drawn(context, part.dataset)
        : await computedEmbeddings(context, { method, part, dimension, settings: parameters, sides: SIDES, onGraph });
  } catch (error) {
    if (error instanceof SideFailure && error.cause instanceof EmbeddingNotConverged) {
      keepPartial(context, error.side, error.cause.partial);
    }
    throw error;
  }
  reporter.metric('time/embed', 0, (performance.now() - start) / 1000);
  for (const [side, one] of found) {
    reporter.artifact(`${FILES[side]}.npy`, encodeNpy(Float32Array.from(one.vectors), [one.rows, dimension]), NPY);
    if (one.spectrum !== undefined) reportSpectrum(context, side, one.spectrum);
    const norms = rowNorms(one);
    reporter.metric(`${side}/norm_mean`, 0, norms.reduce((sum, norm) => sum + norm, 0) / norms.length);
    await draw(context, side, one);
  }
  if (found.has('items')) await reportItemAttributes(context, part);
  await drawEigenvalues(context, found);
  reporter.progress(1, 'done');
};

function drawn({ parameters, seed }: Context, dataset: SequenceDataset): Map<Side, SideEmbedding> {
  const { dimension, deviation } = parameters;
  const counts = { users: dataset.userCount, items: dataset.itemCount };
  return new Map(
    SIDES.map((side) => {
      const generator = randomGenerator(seed, `embedding ${side}`);
      const vectors = Float64Array.from({ length: counts[side] * dimension }, () => deviation * generator.normal());
      return [side, { vectors, rows: counts[side], dimension }];
    }),
  );
}

function keepPartial({ reporter }: Context, side: Side, partial: SpectralEmbedding): void {
  const { vectors, dimensions, eigenvalues } = partial;
  if (dimensions === 0) return;
  const rows = vectors.length / dimensions;
  reporter.artifact(`${FILES[side]}-partial.npy`, encodeNpy(Float32Array.from(vectors), [rows, dimensions]), NPY);
  for (const [index, value] of eigenvalues.entries()) reporter.metric(`${side}/eigenvalue`, index + 1, value);
  reporter.log('warn', `${side}: the ${dimensions} dimensions that converged are in ${FILES[side]}-partial.npy`);
}

function reportGraph({ reporter }: Context, side: Side, report: GraphReport): void {
  const { edges, components, largestComponent, isolated, neighbours, weightedDegree } = report;
  const values = {
    edges,
    components,
    largest_component: largestComponent,
    isolated,
    neighbours_mean: neighbours.mean,
    neighbours_most: neighbours.greatest,
    degree_mean: weightedDegree.mean,
    degree_most: weightedDegree.greatest,
  };
  for (const [name, value] of Object.entries(values)) reporter.metric(`${side}/${name}`, 0, value);
  reporter.note(`${side}Graph`, report);
}

function reportSpectrum(
  { reporter }: Context,
  side: Side,
  { eigenvalues, residuals, products }: SpectralEmbedding,
): void {
  for (const [index, value] of eigenvalues.entries()) {
    reporter.metric(`${side}/eigenvalue`, index + 1, value);
    reporter.metric(`${side}/residual`, index + 1, residuals[index]!);
  }
  reporter.metric(`${side}/products`, 0, products);
}

function rowNorms({ vectors, rows, dimension }: SideEmbedding): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    return Math.hypot(...vectors.subarray(row * dimension, (row + 1) * dimension));
  });
}

/** Figure 1: the first dimensions as bars on the nodes of the graph, or of a sample of them. */
async function draw(
  { parameters, reporter, seed, cancellation }: Context,
  side: Side,
  one: SideEmbedding,
): Promise<void> {
  const { pictureNodes, method } = parameters;
  const { vectors, rows, dimension, graph, spectrum } = one;
  if (pictureNodes === 0 || graph === undefined) return;
  cancellation.throwIfCancelled();
  const isWhole = rows <= pictureNodes;
  const count = Math.min(rows, pictureNodes);
  const chosen = Array.from({ length: count }, (_, i) => Math.floor((i * rows) / count));
  const generator = randomGenerator(seed, `picture ${side}`);
  const byRank = () => rankLayout(vectors, dimension, dimension < 3 ? [0, dimension - 1] : [1, 2]);
  const places = isWhole ? graphLayout(graph.matrix, generator) : byRank();
  const shown = Math.min(DRAWN, dimension);
  await reportGraphPicture(reporter, `first-dimensions-${side}`, {
    title: `${method} of ${side}: first ${shown} dimensions${isWhole ? '' : `, ${count} of ${rows}, placed by their ranks in two of them`}`,
    names: chosen,
    places: chosen.map((node) => [places[2 * node]!, places[2 * node + 1]!]),
    edges: isWhole ? edgesOf(graph.matrix) : [],
    dimensions: Array.from({ length: shown }, (_, d) => ({
      title: spectrum === undefined ? `dimension ${d + 1}` : `λ${d + 1} = ${spectrum.eigenvalues[d]!.toPrecision(4)}`,
      values: chosen.map((node) => vectors[node * dimension + d]!),
    })),
  });
}

function edgesOf({ rowCount, offsets, columns }: SparseMatrix): [number, number][] {
  const edges: [number, number][] = [];
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (columns[at]! < row) edges.push([row, columns[at]!]);
    }
  }
  return edges;
}

async function drawEigenvalues(
  { parameters, reporter }: Context,
  found: ReadonlyMap<Side, SideEmbedding>,
): Promise<void> {
  const series = [...found].flatMap(([side, { spectrum }]) => {
    if (spectrum === undefined) return [];
    const y = Array.from(spectrum.eigenvalues);
    return [{ form: 'line' as const, name: side, x: y.map((_, i) => i + 1), y }];
  });
  if (series.length === 0) return;
  await reportFigure(reporter, 'eigenvalues', {
    figure: {
      form: 'curves',
      title: `Eigenvalues of the Laplacian, ${parameters.method}`,
      x: { title: 'dimension' },
      y: { title: 'λ' },
      series,
    },
  });
}
