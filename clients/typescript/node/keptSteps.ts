import { findJournals, readRecords } from './journal.ts';

/** The last step in the journals of a run; -1 where they have nothing of a step, null where there are no journals. */
export function lastKeptStep(runFolder: string): number | null {
  const journals = findJournals(runFolder);
  return journals.length === 0 ? null : Math.max(...journals.map(lastStepIn));
}

function lastStepIn(path: string): number {
  let last = -1;
  for (let offset = 0; ; ) {
    const { records, end } = readRecords(path, offset);
    if (end === offset) return last;
    offset = end;
    for (const record of records) {
      if (record[0] === 'media') last = Math.max(last, record[2]);
      if (record[0] !== 'metrics') continue;
      const isOfMachine = Object.keys(record[3]).every((name) => name.startsWith('system/'));
      if (!isOfMachine) last = Math.max(last, record[1]);
    }
  }
}
