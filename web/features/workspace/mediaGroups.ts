import { formatValue } from '#web/lib/fieldText.ts';
import { configurationValue, pathOfColumn } from '#web/lib/runColumn.ts';
import { fieldWords } from './panelTitle.ts';
import type { Subject, SubjectRun } from './subjects.ts';

/** A run of a panel of media, with the curve that it has, or a part in. */
export interface MediaCell {
  subject: Subject;
  run: SubjectRun;
  label: string;
}

/** Cells under one head; the head is empty where all stand together. */
export interface MediaGroup {
  title: string;
  cells: MediaCell[];
}

/** The runs of all subjects one by one; of replicates the seed tells one from another. */
export function mediaCells(subjects: readonly Subject[]): MediaCell[] {
  return subjects.flatMap((subject) =>
    subject.runs.map((run) => {
      const { label } = subject;
      return { subject, run, label: subject.runs.length === 1 ? label : `${label} · seed ${run.seed}` };
    }),
  );
}

/** Of these fields of configurations those that differ among the runs, as columns. */
export function varyingFields(cells: readonly MediaCell[], fields: readonly string[]): string[] {
  return fields
    .map((path) => `config.${path}`)
    .filter((column) => new Set(cells.map(({ run }) => textOf(run, column))).size > 1);
}

/** Cells by the value that their runs have in a column, numbers by size and then words; all together without a column. */
export function mediaGroups(cells: readonly MediaCell[], column: string | null): MediaGroup[] {
  if (column === null) return [{ title: '', cells: [...cells] }];
  const groups = new Map<string, MediaCell[]>();
  for (const cell of cells) {
    const text = textOf(cell.run, column);
    groups.set(text, [...(groups.get(text) ?? []), cell]);
  }
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([text, members]) => ({ title: `${fieldWords(column)} ${text === '' ? '–' : text}`, cells: members }));
}

function textOf({ configuration }: SubjectRun, column: string): string {
  const { parameters, dataset } = configuration;
  const value = configurationValue({ parameters, dataset }, pathOfColumn(column) ?? '');
  return value === undefined ? '' : formatValue(value);
}
