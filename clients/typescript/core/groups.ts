import type { JournalRecord, WireValue } from './records.ts';

const MOST_RECORDS = 5000;

export type Metrics = Extract<JournalRecord, ['metrics', ...unknown[]]>;

/** Records that may travel together: a group ends with what must keep its place, or when it is large. */
export function groupsOf(records: JournalRecord[]): JournalRecord[][] {
  const groups: JournalRecord[][] = [[]];
  for (const record of records) {
    const group = groups.at(-1) ?? [];
    group.push(record);
    if (!['metrics', 'line', 'media'].includes(record[0]) || group.length >= MOST_RECORDS) groups.push([]);
  }
  return groups;
}

/** Points as the API takes them: columns by name. */
export function columnsOf(records: Metrics[]) {
  const columns = new Map<string, { name: string; steps: number[]; values: WireValue[]; times: number[] }>();
  for (const [, step, time, numbers] of records) {
    for (const [name, value] of Object.entries(numbers)) {
      const column = columns.get(name) ?? { name, steps: [], values: [], times: [] };
      columns.set(name, column);
      column.steps.push(step);
      column.values.push(value);
      column.times.push(time);
    }
  }
  return [...columns.values()];
}
