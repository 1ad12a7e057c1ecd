import { appendFileSync, existsSync, openAsBlob, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Aside } from '../core/aside.ts';
import { type JournalRecord, recordOf, START } from '../core/records.ts';
import type { RecordStore } from '../core/recordStore.ts';
import { keepAside, readAside, readPosition, readRecords, remove, replace } from './journal.ts';

/** Records that the file does not hold, sent at once. */
const MOST_MORE = 5000;

/**
 * The journal at a path, for whoever sends it. Its file stays open: a program goes on where somebody removes it.
 * @param takeMore Takes lines that the file does not hold, since the disk is full.
 */
export function storeOf(path: string, takeMore: () => string[] = () => []): RecordStore {
  let file: number | null = null;
  const more: JournalRecord[] = [];
  let moreSent = 0;
  const beside = (file: string): string => join(dirname(path), basename(file));
  let position = readPosition(path);
  let aside: readonly Aside[] = readAside(path);
  return {
    read(offset) {
      file ??= openSync(path, 'r');
      const found = readRecords(file, offset);
      if (found.records.length + found.damaged > 0) return found;
      more.push(
        ...takeMore()
          .map(recordOf)
          .filter((record) => record !== null),
      );
      moreSent = Math.min(more.length, MOST_MORE);
      return { records: more.slice(0, moreSent), end: offset, damaged: 0 };
    },
    taken() {
      more.splice(0, moreSent);
      moreSent = 0;
    },
    position: () => position,
    move(to) {
      position = to;
      replace(`${path}.sent`, JSON.stringify(to));
    },
    content: async (name) => (existsSync(beside(name)) ? openAsBlob(beside(name)) : null),
    aside: () => aside,
    keepAside(entries) {
      aside = entries;
      keepAside(path, entries);
    },
    drop: (name) => remove(beside(name)),
    restart() {
      position = START;
      aside = [];
      keepAside(path, aside);
    },
    refuse(record, reason) {
      try {
        appendFileSync(`${path}.refused`, `${JSON.stringify([reason, record])}\n`);
      } catch {
        return 'which stands in the journal';
      }
      return `kept in ${path}.refused`;
    },
  };
}
