import type { SkippedLines } from '../read/badLines.ts';
import type { Understanding } from '../read/understanding.ts';

/** The parts of a split that a dataset comes with, in the order of time. */
export const PARTS = ['train', 'valid', 'test'] as const;

/**
 * Interactions as a reader finds them, in the order of the file: user `users[i]` met item `items[i]`. Users and items are
 * numbered from 0 by first appearance in the file.
 */
export interface Interactions {
  /** (interactions) */
  users: Uint32Array;
  /** (interactions) */
  items: Uint32Array;
  /** (interactions) What puts a user's interactions in order, such as Unix time; null where the file's order is the order. */
  times: Float64Array | null;
  /** `times` is a clock that users share; otherwise it is a place in each user's own order, or there is none. */
  clock?: boolean;
  /** (interactions) NaN where there is none; null or missing where the file has no ratings. */
  ratings?: Float32Array | null;
  /** (interactions) The part of a given split, a place in `PARTS`; missing where the file has none. */
  parts?: Uint8Array;
  userIds: readonly string[];
  itemIds: readonly string[];
  /**
   * How items are numbered in the dataset: `number` by the number that their id is, `appearance` by first appearance among
   * the interactions that preprocessing leaves.
   */
  itemOrder: 'number' | 'appearance';
  /** Lines that were left out since they could not be read; only a lenient reader leaves any. */
  skipped?: SkippedLines;
  /** What the reader took the file for. */
  understanding?: Understanding;
}
