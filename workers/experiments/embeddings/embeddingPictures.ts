import type { EmbeddingKindParameters } from '#src/catalog/kinds/embedding.ts';
import { reportGraphPicture } from '#workers/figures/graphPicture.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import { graphLayout, rankLayout } from '#workers/graphs/graphLayout.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { SideEmbedding } from '#workers/training/start/computedEmbeddings.ts';
import type { Side } from '#workers/training/start/startRequest.ts';
import type { ExperimentContext } from '../experiment.ts';

type Context = Pick<ExperimentContext<EmbeddingKindParameters>, 'parameters' | 'reporter' | 'seed' | 'cancellation'>;

/** Dimensions of the picture. */
const DRAWN = 4;

/** LEPORID, Figure 1: the first dimensions as bars on the nodes of the graph, or of a sample of them. */
export async function drawFirstDimensions(
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

/** The eigenvalues of both sides over their dimension. */
export async function drawEigenvalues(
  { parameters, reporter }: Pick<Context, 'parameters' | 'reporter'>,
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
