/**
 * Item-based nearest neighbours: M. Deshpande and G. Karypis, "Item-based top-N recommendation algorithms", ACM TOIS
 * 22(1), 2004. With U_i the users who have item i in training,
 * sim(i, j) = |U_i ∩ U_j| / (sqrt(|U_i| |U_j|) + shrinkage) or another `ShrunkSimilarity`, and the score of item c for a
 * history H is the sum of sim(j, c) over the distinct j in H that have c among their k nearest.
 */
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { incidence } from './incidence.ts';
import { largestEntries } from './largestEntries.ts';
import { SHRUNK_SIMILARITIES, type ShrunkSimilarity } from './shrunkSimilarity.ts';

export interface ItemKnnModel {
  /** (items + 1) Neighbours of item i are `neighbours[offsets[i] .. offsets[i + 1]]`, ordered by item. */
  offsets: Uint32Array;
  neighbours: Uint32Array;
  similarities: Float64Array;
}

export interface ItemKnnOptions {
  /** Neighbours kept for each item, at least 1. */
  neighbours: number;
  /** At least 0, in users. */
  shrinkage: number;
  /** Cosine where it is not said. */
  similarity?: ShrunkSimilarity | undefined;
  /** Called after each item; may throw to stop. */
  pulse?: () => void;
}

export function fitItemKnn(split: TrainingPart, options: ItemKnnOptions): ItemKnnModel {
  const { itemCount } = split.dataset;
  const { userOffsets, userItems, itemOffsets, itemUsers } = incidence(split);
  const { shrinkage, similarity = 'cosine' } = options;
  const alike = SHRUNK_SIMILARITIES[similarity];
  const shared = new Float64Array(itemCount);
  const touched = new Uint32Array(itemCount);
  const offsets = new Uint32Array(itemCount + 1);
  const rows: { neighbours: Uint32Array; similarities: Float64Array }[] = [];
  for (let item = 0; item < itemCount; item++) {
    let count = 0;
    for (let i = itemOffsets[item]!; i < itemOffsets[item + 1]!; i++) {
      const user = itemUsers[i]!;
      for (let j = userOffsets[user]!; j < userOffsets[user + 1]!; j++) {
        const other = userItems[j]!;
        if (shared[other] === 0 && other !== item) touched[count++] = other;
        shared[other]!++;
      }
    }
    const users = itemOffsets[item + 1]! - itemOffsets[item]!;
    for (let n = 0; n < count; n++) {
      const other = touched[n]!;
      const otherUsers = itemOffsets[other + 1]! - itemOffsets[other]!;
      shared[other] = alike({ common: shared[other]!, a: users, b: otherUsers, shrinkage });
    }
    const kept = touched.slice(0, count);
    const neighbours = kept.slice(0, largestEntries(kept, shared, { count, k: options.neighbours })).sort();
    rows.push({ neighbours, similarities: Float64Array.from(neighbours, (other) => shared[other]!) });
    offsets[item + 1] = offsets[item]! + neighbours.length;
    for (let n = 0; n < count; n++) shared[touched[n]!] = 0;
    shared[item] = 0;
    options.pulse?.();
  }
  return join(offsets, rows);
}

function join(
  offsets: Uint32Array,
  rows: readonly { neighbours: Uint32Array; similarities: Float64Array }[],
): ItemKnnModel {
  const total = offsets[rows.length]!;
  const neighbours = new Uint32Array(total);
  const similarities = new Float64Array(total);
  for (const [item, row] of rows.entries()) {
    neighbours.set(row.neighbours, offsets[item]!);
    similarities.set(row.similarities, offsets[item]!);
  }
  return { offsets, neighbours, similarities };
}

/** Writes the score of every item for a user with this history into `scores` (items). */
export function itemKnnScores(model: ItemKnnModel, history: Uint32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const item of new Set(history)) {
    for (let n = model.offsets[item]!; n < model.offsets[item + 1]!; n++) {
      scores[model.neighbours[n]!]! += model.similarities[n]!;
    }
  }
}
