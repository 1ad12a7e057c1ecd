import { fieldTitle } from '#src/base/lib/groupLabels.ts';
import { valueText } from '#src/base/lib/labels.ts';
import { compareValues, fieldValue } from './fieldValue.ts';
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

/** Cells by the value that their runs have in a field, in their order and those without one last; all together without a field. */
export function mediaGroups(cells: readonly MediaCell[], field: string | null): MediaGroup[] {
  if (field === null) return [{ title: '', cells: [...cells] }];
  const groups = new Map<string, { value: unknown; cells: MediaCell[] }>();
  for (const cell of cells) {
    const value = fieldValue(cell.run, field) ?? null;
    const text = valueText(value);
    const group = groups.get(text) ?? { value, cells: [] };
    group.cells.push(cell);
    groups.set(text, group);
  }
  return [...groups]
    .sort(([, a], [, b]) => Number(a.value === null) - Number(b.value === null) || compareValues(a.value, b.value))
    .map(([text, group]) => ({ title: `${fieldTitle(field)} ${text}`, cells: group.cells }));
}
