import type { MatchedRows } from '#workers/math/embeddings/matchRows.ts';
import type { ItemTable } from './itemTable.ts';

/** A `.npy` artifact to be fetched. */
export interface EmbeddingSource {
  url: string;
  /** Run and file, as errors name it. */
  name: string;
  sizeBytes: number;
  /** What its run tells of its rows: by the ids in it they are matched with those of another run. */
  items: { name: string; url: string } | null;
}

/** Which rows of two embeddings are the same item, by ids. */
export interface ItemMatch {
  pairs: MatchedRows;
  /** (rows of the first) Its row in the second; -1: it is not there. */
  toSecond: Int32Array<ArrayBuffer>;
  /** (rows of the second) Its row in the first; -1: it is not there. */
  toFirst: Int32Array<ArrayBuffer>;
  /** (rows of the second) What each is called. */
  secondNames: string[];
}

/** A table of what is known of the items: an artifact, or a file of the reader's own. */
export type ItemSource = { name: string } & ({ url: string } | { text: string });

/** What stands at once: one or two embeddings, by principal components. */
export interface LoadedEmbeddings {
  type: 'loaded';
  rows: number[];
  columns: number[];
  /** (rows, 3) For each embedding; along the first three axes of the first, zero where there are fewer. */
  places: Float32Array<ArrayBuffer>[];
  /** Share of the variance of the first embedding along each axis. */
  explained: number[];
  /** (rows) Of the first embedding. */
  lengths: Float32Array<ArrayBuffer>;
  clusters: Uint8Array<ArrayBuffer>;
  /** What the Procrustes fit leaves over, 0 to 1; null where it could not be made. */
  disparity: number | null;
  /** Null: one embedding, or rows of the same number are taken for the same item. */
  match: ItemMatch | null;
  /** Rows by which two embeddings are compared; null: nobody knows which belong together, or there is one. */
  compared: number | null;
  /** Why the second is not aligned with the first. */
  apart: string | null;
}

export interface Neighbours {
  rows: Int32Array;
  cosines: Float64Array;
}

/** How far two embeddings agree. */
export interface Agreement {
  type: 'compared';
  alignment: number;
  overlap: number;
  jaccard: number;
  chance: number;
  /** Rows whose neighbors were looked at. */
  looked: number;
}

export type EmbeddingRequest =
  | { type: 'load'; sources: EmbeddingSource[] }
  | { type: 'near'; row: number; count: number }
  | { type: 'compare'; count: number }
  | { type: 'items'; source: ItemSource };

export type EmbeddingAnswer =
  | LoadedEmbeddings
  | { type: 'near'; lists: Neighbours[] }
  | Agreement
  | { type: 'items'; items: ItemTable };

/** Each request is answered under its number, some after news of how far it is. */
export type FromThread<Answer> =
  | { id: number; type: 'answer'; answer: Answer }
  | { id: number; type: 'progress'; text: string; done: number }
  | { id: number; type: 'failed'; message: string };

export interface MapRequest {
  id: number;
  sources: EmbeddingSource[];
  /** Rows of the two that belong together; null: those of the same number. */
  pairs: MatchedRows | null;
  dimensions: 2 | 3;
}

export interface MapAnswer {
  /** (rows, 3) For each embedding, the second turned onto the first. */
  places: Float32Array<ArrayBuffer>[];
}
