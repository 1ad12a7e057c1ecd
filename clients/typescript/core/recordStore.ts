import type { AsideStore } from './aside.ts';
import type { JournalRecord, Position } from './records.ts';

/** Where records wait until the server has them: files, or a page's memory. */
export interface RecordStore extends AsideStore {
  /** Whole records from an offset on, the offset after them, and how many lines between them are none. */
  read(offset: number): { records: JournalRecord[]; end: number; damaged: number };
  /** What was read last is sent. */
  taken?(): void;
  position(): Position;
  move(position: Position): void;
  /** As if nothing had been sent, until the position moves. */
  restart(): void;
  /** A content that a record names; null where it is gone, which it is once the server has it. */
  content(file: string): Promise<Blob | null>;
  /** Takes a record that the server refuses for good, and says what becomes of it. */
  refuse(record: unknown, reason: string): string;
}
