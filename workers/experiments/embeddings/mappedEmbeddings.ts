import type { MapSettings } from '#src/catalog/parameters/mapParameters.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { chancePurity, labelPurity } from '#workers/features/labelPurity.ts';
import { nearestEmbeddings, type RowMetric } from '#workers/features/nearestEmbeddings.ts';
import { reportScatterPicture, SCATTER_COLOURS } from '#workers/figures/scatterPicture.ts';
import { umapLayout } from '#workers/math/embeddings/umapLayout.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { ItemLabels } from './itemLabels.ts';

/** Embeddings of all items, row by row. */
export interface NamedEmbedding {
  /** In the names of its metrics. */
  name: string;
  /** Above its panel. */
  label: string;
  /** (items, width) */
  values: ArrayLike<number>;
  width: number;
}

export interface MapRequest {
  embeddings: readonly NamedEmbedding[];
  labels: ItemLabels;
  settings: MapSettings;
  title: string;
  /** Told the part of the maps that is done, from 0 to 1. */
  progress: (done: number, message: string) => void;
}

type Context = Pick<ExperimentContext<unknown>, 'seed' | 'compute' | 'cancellation' | 'reporter'>;

/** How the items of one embedding lie. */
export interface MappedEmbedding {
  /** Share of the nearest items that have the item's label: in the embedding, and in the map. */
  purity: number;
  mapPurity: number;
}

/**
 * Maps of embeddings of the same items, side by side (SEvo, Figure 8), each by UMAP from the same random start, as the artifacts
 * `map.svg`, `.png`, `.json` and `.csv`. Metrics, at step 0: `NAME/purity`, `NAME/map-purity` and, of neighbours drawn at
 * random, `chance/purity`. Throws BAD_INPUT for numbers that are not finite or too few items.
 */
export async function mapEmbeddings(
  context: Context,
  request: MapRequest,
): Promise<ReadonlyMap<string, MappedEmbedding>> {
  const { reporter } = context;
  const { embeddings, labels, title } = request;
  const found = new Map<string, MappedEmbedding>();
  const panels = [];
  reporter.metric('chance/purity', 0, chancePurity(labels.labelOf));
  for (const [index, embedding] of embeddings.entries()) {
    const { places, ...one } = await mapEmbedding(context, request, { embedding, index });
    found.set(embedding.name, one);
    reporter.metric(`${embedding.name}/purity`, 0, one.purity);
    reporter.metric(`${embedding.name}/map-purity`, 0, one.mapPurity);
    panels.push({
      title: `${embedding.label}: purity ${one.purity.toFixed(3)}, map ${one.mapPurity.toFixed(3)}`,
      places: Array.from(labels.labelOf, (_, item): [number, number] => [places[2 * item]!, places[2 * item + 1]!]),
    });
  }
  const { names, labelOf, titles } = labels;
  const isCrowded = names.length > SCATTER_COLOURS;
  const coloured = isCrowded ? [...names.slice(0, SCATTER_COLOURS - 1), 'others'] : names;
  const groupOf = Array.from(labelOf, (label) => Math.min(label, coloured.length - 1));
  await reportScatterPicture(reporter, 'map', { title, names: titles, groups: coloured, groupOf, panels });
  return found;
}

async function mapEmbedding(
  { seed, compute: { threads }, cancellation, reporter }: Context,
  { labels: { labelOf }, settings, embeddings, progress }: MapRequest,
  { embedding, index }: { embedding: NamedEmbedding; index: number },
): Promise<MappedEmbedding & { places: Float64Array }> {
  const { name, label, values, width } = embedding;
  const { neighbours, minimumDistance, mapEpochs, metric, purityNeighbours } = settings;
  const items = labelOf.length;
  if (items <= Math.max(neighbours, purityNeighbours)) {
    const field = neighbours >= items ? 'neighbours' : 'purityNeighbours';
    throw badInput(
      `parameters.${field}: received ${settings[field]}, but there are only ${items} items; expected less`,
      `parameters.${field}`,
    );
  }
  if (!Array.prototype.every.call(values, Number.isFinite)) {
    throw badInput(`embeddings ${name}: there are numbers that are not finite; expected finite ones`, `inputs.${name}`);
  }
  const pulse = (): void => cancellation.throwIfCancelled();
  const tell = (done: number): void => {
    cancellation.throwIfCancelled();
    progress((index + done) / embeddings.length, `map of ${label}`);
  };
  const start = performance.now();
  const nearest = (of: ArrayLike<number>, columns: number, by: RowMetric, count: number) =>
    nearestEmbeddings(of, columns, { count, metric: by, threads, pulse });
  const near = await nearest(values, width, metric, neighbours - 1);
  const counted = await nearest(values, width, metric, purityNeighbours);
  const searched = performance.now();
  const generator = randomGenerator(seed, 'umap');
  const places = umapLayout(near, { dimensions: 2, minimumDistance, epochs: mapEpochs, generator, pulse: tell });
  reporter.timing('neighbours', (searched - start) / 1000);
  reporter.timing('layout', (performance.now() - searched) / 1000);
  const mapped = await nearest(places, 2, 'euclidean', purityNeighbours);
  return { purity: labelPurity(counted, labelOf), mapPurity: labelPurity(mapped, labelOf), places };
}
