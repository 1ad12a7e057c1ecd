import type { ColumnMapping } from './tableColumns.ts';

/** How a file of interactions is read. */
export interface ReadOptions {
  /** Skip lines that cannot be read and keep count of them; otherwise they are refused, all at once. Off. */
  lenient?: boolean;
  /** Refuse data without a time order. On. */
  needsTime?: boolean;
  /** Where the columns are; by their usual names where it says nothing. */
  mapping?: ColumnMapping;
  /** Largest file, in bytes after decompression. */
  maximumBytes?: number;
  /** Refuse a file whose last line has no line end: it is cut off. Off. */
  wholeLines?: boolean;
  /** Read these, plain or gzipped, in place of the file, whose path is then only a name. */
  bytes?: Uint8Array;
}
