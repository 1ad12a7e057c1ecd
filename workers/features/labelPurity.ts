import type { NearestEmbeddings } from './nearestEmbeddings.ts';

/**
 * How often the nearest rows have the label of the row: the mean, over rows with a label (from 0; -1 is none) and a labelled
 * neighbour, of the share of their labelled neighbours that have it, too. NaN where there is no such row.
 */
export function labelPurity({ rows, count, neighbours }: NearestEmbeddings, labels: Int32Array): number {
  let [sum, counted] = [0, 0];
  for (let row = 0; row < rows; row++) {
    if (labels[row]! < 0) continue;
    let [labelled, alike] = [0, 0];
    for (let place = row * count; place < (row + 1) * count; place++) {
      const label = labels[neighbours[place]!]!;
      if (label >= 0) labelled++;
      if (label === labels[row]) alike++;
    }
    if (labelled === 0) continue;
    sum += alike / labelled;
    counted++;
  }
  return sum / counted;
}

/** What `labelPurity` is expected to be where neighbours are drawn at random: the share of pairs of labelled rows that agree. */
export function chancePurity(labels: Int32Array): number {
  const counts = new Map<number, number>();
  for (const label of labels) if (label >= 0) counts.set(label, (counts.get(label) ?? 0) + 1);
  const sizes = [...counts.values()];
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.reduce((sum, size) => sum + size * (size - 1), 0) / (all * (all - 1));
}
