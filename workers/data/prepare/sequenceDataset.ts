import type { Preparation } from './preparation.ts';

/**
 * Users' interactions in time order, as compressed rows: user `u` has `items[offsets[u] .. offsets[u + 1]]`. Users are
 * numbered from 0 by first appearance in the file, items by the rule of the reader: files of one user per line (whose ids are
 * whole numbers) by id, tables by first appearance among the interactions that preprocessing leaves. `itemIds` and
 * `userIds` map back.
 */
export interface SequenceDataset {
  name: string;
  /** sha256 of the canonical content: the interactions after reading, before preprocessing. */
  fingerprint: string;
  /** (users + 1) */
  offsets: Uint32Array;
  /** (interactions) */
  items: Uint32Array;
  /** (interactions) When each took place, on a clock that users share; missing where the file does not say. */
  times?: Float64Array;
  /** (interactions) The part of a given split, a place in `PARTS`; missing where the dataset came with none. */
  parts?: Uint8Array;
  userCount: number;
  itemCount: number;
  userIds: readonly string[];
  itemIds: readonly string[];
  /** What reading and preprocessing met and did; missing for datasets that were made in memory. */
  preparation?: Preparation;
}
