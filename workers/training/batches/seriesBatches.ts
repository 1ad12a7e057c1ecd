import type { NetworkSeries } from '#workers/data/series/networkSeries.ts';
import { chosenSeries } from '#workers/data/series/networkSeries.ts';
import type { SeriesBatch } from '#workers/models/seriesClassifier.ts';
import { sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import { shuffledSlices } from './shuffledSlices.ts';
import type { BatchSource } from '../trainableNetwork.ts';

/** The series packed as one batch. */
export function packSeries({ values, offsets, labels }: NetworkSeries): SeriesBatch {
  const lengths = Array.from(labels, (_, i) => offsets[i + 1]! - offsets[i]!);
  return { values, layout: sequenceLayout(lengths), labels: Int32Array.from(labels) };
}

/** Batches of labelled series: an epoch visits each series once, in a new order; the last batch has what is left. */
export function seriesBatches(series: NetworkSeries, batchSize: number): BatchSource<SeriesBatch> {
  const count = series.labels.length;
  return {
    batchesPerEpoch: Math.ceil(count / batchSize),
    sizeOf: ({ labels, layout }) => ({ positions: labels.length, tokens: layout.tokens }),
    *epoch({ order }) {
      for (const chosen of shuffledSlices(count, batchSize, order)) yield packSeries(chosenSeries(series, chosen));
    },
  };
}
