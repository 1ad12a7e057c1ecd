/**
 * Item-based nearest neighbours: M. Deshpande and G. Karypis, "Item-based top-N recommendation algorithms", ACM TOIS
 * 22(1), 2004. With U_i the users who have item i in training,
 * sim(i, j) = |U_i ∩ U_j| / (sqrt(|U_i| |U_j|) + shrinkage) or another `ShrunkSimilarity`, and the score of item c for a
 * history H is the sum of sim(j, c) over the distinct j in H that have c among their k nearest.
 */
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { LowerCounts } from './coOccurrences.ts';
import { type Incidence, incidence } from './incidence.ts';
import { SHRUNK_SIMILARITIES, type ShrunkSimilarity } from './shrunkSimilarity.ts';
import { StrongestLinks } from './strongestLinks.ts';

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
  const met = incidence(split);
  const { itemOffsets } = met;
  const { shrinkage, similarity = 'cosine' } = options;
  const alike = SHRUNK_SIMILARITIES[similarity];
  const links = new StrongestLinks(roomOf(met, options.neighbours));
  const relate = (item: number, other: number, common: number): void => {
    const a = itemOffsets[item + 1]! - itemOffsets[item]!;
    const b = itemOffsets[other + 1]! - itemOffsets[other]!;
    const value = alike({ common, a, b, shrinkage });
    links.offer(item, other, value);
    links.offer(other, item, value);
  };
  const lower = new LowerCounts(met);
  for (let item = 0; item < itemCount; item++) {
    lower.visitNext(relate);
    options.pulse?.();
  }
  const { offsets, others, strengths } = links.packed();
  return { offsets, neighbours: others, similarities: strengths };
}

/** (items) The neighbours that each can have, `most` at most: items of its users, each counted with each of them. */
function roomOf({ userOffsets, itemOffsets, itemUsers }: Incidence, most: number): Uint32Array {
  const itemCount = itemOffsets.length - 1;
  return Uint32Array.from({ length: itemCount }, (_, item) => {
    let met = 0;
    for (let i = itemOffsets[item]!; i < itemOffsets[item + 1]!; i++) {
      met += userOffsets[itemUsers[i]! + 1]! - userOffsets[itemUsers[i]!]! - 1;
    }
    return Math.min(met, most, itemCount - 1);
  });
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
