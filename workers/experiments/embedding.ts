import { reportItemAttributes } from '../training/itemAttributes.ts';
import type { EmbeddingKindParameters } from '#src/catalog/kinds/embedding.ts';
import { encodeNpy } from '../data/read/npyFile.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
import { splitSequences } from '../data/split/splitSequences.ts';
import type { GraphReport } from '../graphs/graphReport.ts';
import { EmbeddingNotConverged, type SpectralEmbedding } from '../graphs/spectralEmbedding.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { computedEmbeddings, type SideEmbedding } from '../training/start/computedEmbeddings.ts';
import { SideFailure } from '../training/start/neighbourEmbeddings.ts';
import { SIDES, type Side } from '../training/start/startRequest.ts';
import { drawEigenvalues, drawFirstDimensions } from './embeddings/embeddingPictures.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';

type Context = ExperimentContext<EmbeddingKindParameters>;

const NPY = 'application/octet-stream';
const FILES: Readonly<Record<Side, string>> = { users: 'user-embeddings', items: 'item-embeddings' };

/**
 * LEPORID, Sections 3 and 5.2: embeddings of users and items from the training part of the split, as artifacts. Metrics of a side
 * stand under its name: `users/eigenvalue` and `users/residual` at their dimension from 1, sizes of its graph at 0. An eigensolver
 * that does not converge fails the run, and what did converge is left as `user-embeddings-partial.npy` or the same of items.
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
    await drawFirstDimensions(context, side, one);
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
