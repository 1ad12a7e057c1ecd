import type { Comparison } from './useComparison.ts';

type Field = Comparison['fields'][number];

/** Fields that runs of some kinds have, with the same value in all of them, and runs of others have not. */
export interface FieldFold {
  /** `overrec alone`, or `all kinds but external` where most kinds have them. */
  title: string;
  fields: { field: Field; value: unknown }[];
}

/**
 * Fields in which runs differ, apart from those that are there or not by the kind alone: these say nothing that the kinds do not.
 * Fields without any value are left out.
 */
export function foldedFields(
  runs: readonly { configuration: { kind: string } }[],
  fields: readonly Field[],
): { rows: Field[]; folds: FieldFold[] } {
  const kinds = [...new Set(runs.map(({ configuration }) => configuration.kind))];
  if (kinds.length < 2) return { rows: [...fields], folds: [] };
  const rows: Field[] = [];
  const folds = new Map<string, FieldFold>();
  for (const field of fields) {
    const having = new Set<string>();
    const lacking = new Set<string>();
    const values = new Map<string, unknown>();
    for (const [index, { configuration }] of runs.entries()) {
      const value = field.values[index] ?? null;
      (value === null ? lacking : having).add(configuration.kind);
      if (value !== null) values.set(JSON.stringify(value), value);
    }
    if (values.size === 0) continue;
    const isOfKinds = lacking.size > 0 && [...lacking].every((kind) => !having.has(kind));
    if (values.size > 1 || !isOfKinds) {
      rows.push(field);
      continue;
    }
    const title = titleOf(kinds, having);
    const fold = folds.get(title) ?? { title, fields: [] };
    fold.fields.push({ field, value: [...values.values()][0] });
    folds.set(title, fold);
  }
  rows.sort((a, b) => Number(b.path === 'kind') - Number(a.path === 'kind'));
  return { rows, folds: [...folds.values()] };
}

function titleOf(kinds: readonly string[], having: ReadonlySet<string>): string {
  const lacking = kinds.filter((kind) => !having.has(kind));
  return having.size > 1 && lacking.length < having.size
    ? `all kinds but ${lacking.join(', ')}`
    : `${kinds.filter((kind) => having.has(kind)).join(', ')} alone`;
}
