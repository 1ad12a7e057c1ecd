import { configurationValue, pathOfColumn } from '#web/lib/runColumn.ts';
import type { SubjectRun } from './subjects.ts';

/** The value of a field of a run, named as a column: `config.parameters.width`, `kind`, `seed`. */
export function fieldValue({ configuration, seed, user, state }: SubjectRun, field: string): unknown {
  const path = pathOfColumn(field);
  if (path !== null) return configurationValue({ dataset: null, ...configuration }, path);
  return { kind: configuration.kind, seed, user, state }[field];
}

/** Numbers by size, all else by its JSON. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
