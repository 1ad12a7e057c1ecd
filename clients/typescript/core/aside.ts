import type { JournalRecord } from './records.ts';
import { warn } from './warn.ts';

/** A record of a file, or of a version that is made of such files, for which the server had no room. */
export interface Aside {
  /** Unix milliseconds: what the run was given under that name later is newer. */
  since: number;
  reason: string;
  record: JournalRecord;
}

/** Where what is put aside is kept. */
export interface AsideStore {
  aside(): readonly Aside[];
  keepAside(entries: readonly Aside[]): void;
  drop(file: string): void;
}

/** Codes of the server: the disk is full, or the project holds as much as it may. */
export const NO_ROOM: ReadonlySet<string> = new Set(['NO_ROOM', 'OVER_QUOTA']);

const MOST_NAMES = 5;

/** What is put aside, in the order in which it was logged. */
export function asideList(store: AsideStore) {
  const remove = (entry: Aside): void => store.keepAside(store.aside().filter((other) => other !== entry));
  return {
    entries: () => store.aside(),
    remove,
    /** Keeps a record for later, or, where it has waited before, the newer reason. */
    add(record: JournalRecord, reason: string, before: Aside | null = null): void {
      const entries = store.aside();
      if (entries.length === 0) warn(`${nameOf(record)} is put aside, the rest goes on: ${reason}`);
      if (before !== null) {
        store.keepAside(entries.map((entry) => (entry === before ? { ...before, reason } : entry)));
      } else if (!entries.some((entry) => JSON.stringify(entry.record) === JSON.stringify(record))) {
        store.keepAside([...entries, { since: Date.now(), reason, record }]);
      }
    },
    /** Of files of one name the newest counts. */
    forgetOlder([, name, file]: Extract<JournalRecord, ['artifact', ...unknown[]]>): void {
      for (const entry of store.aside()) {
        const { record } = entry;
        if (record[0] !== 'artifact' || record[1] !== name || record[2] === file) continue;
        remove(entry);
        store.drop(record[2]);
      }
    },
    /** Whether a version is made of a file, or of a folder with a file, that is put aside. */
    holdsFilesOf: (artifactName: string | null | undefined): boolean =>
      filesOf(store.aside()).some(({ record }) => `${nameOf(record)}/`.startsWith(`${artifactName}/`)),
  };
}

/** What is not stored, the first few by name, and why; null where all is. */
export function toldAside(entries: readonly Aside[]): string | null {
  const files = filesOf(entries);
  const names = files.slice(0, MOST_NAMES).map(({ record }) => nameOf(record));
  const more = files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : '';
  return files.length === 0 ? null : `${names.join(', ')}${more}: ${files.at(-1)?.reason ?? ''}`;
}

function filesOf(entries: readonly Aside[]): Aside[] {
  return entries.filter(({ record }) => record[0] === 'artifact');
}

function nameOf(record: JournalRecord): string {
  if (record[0] === 'artifact') return record[1];
  return record[0] === 'register' ? record[1].name : record[0];
}
