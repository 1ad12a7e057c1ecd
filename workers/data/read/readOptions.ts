import type { ColumnMapping } from './tableColumns.ts';

/** How a file of interactions is read. */
export interface ReadOptions {
  /** Skip lines that cannot be read and keep count of them; otherwise they are refused, all at once. Off. */
  lenient?: boolean;
  /** Refuse data without a time order. On. */
  needsTime?: boolean;
  /** Where the columns are; by their usual names where it says nothing. */
  mapping?: ColumnMapping;
  /** Whether the first line of a table names its columns; found out where it says nothing. */
  header?: boolean;
  /** What stands between the columns of a table; found out where it says nothing. */
  separator?: string;
  /** Whether quotes enclose fields of a table. On. */
  quotes?: boolean;
  /** `none`: no time is read; `line`: the order of the lines is the order. */
  time?: 'none' | 'line';
  /** The form of the times, as `namedTimeForm` knows it; the first of them decides where it says nothing. */
  timeFormat?: string;
  /** A user without items is none, rather than a fault: of lists that a split leaves empty. Off. */
  emptyLists?: boolean;
  /** Only rows that meet this condition, in the language of filters, over the names of the columns or their places from 1. */
  where?: string;
  /** How the bytes become text; UTF-8, or what a byte order mark says. */
  encoding?: string;
  /** The file of an archive that is meant. */
  member?: string;
  /** Told the name of the member of an archive that is read. */
  onMember?: (name: string) => void;
  /** Largest file, in bytes after decompression. */
  maximumBytes?: number;
  /** Refuse a file whose last line has no line end: it is cut off. Off. */
  wholeLines?: boolean;
  /** Read these, plain or gzipped, in place of the file, whose path is then only a name. */
  bytes?: Uint8Array;
}
