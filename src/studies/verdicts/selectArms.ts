import type { Study, StudyComparison, StudyValue, TableLine } from '#src/catalog/studies/study.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';
import { pairsOf } from './testComparison.ts';

/** Which part of a study is meant: everything where neither is given. */
export interface StudySelection {
  /**
   * Names, labels or groups of rows; of a study without a table, names or labels of its arms. What a name has before a slash
   * chooses all that begin so (`ml-1m` the rows `ml-1m/hr@5` and `ml-1m/hr@10`), and `dlr2` is `DLR²`.
   */
  rows?: readonly string[] | null | undefined;
  /** Names, labels or groups of columns. */
  columns?: readonly string[] | null | undefined;
}

/**
 * The arms that the chosen cells need, in the order of the study; arms that are inputs of others come too.
 * @throws WarrenError BAD_INPUT for a row or a column that the study has not.
 */
export function selectArms(study: Study, { rows, columns }: StudySelection): string[] {
  const { table } = study;
  const names = study.arms.map(({ name }) => name);
  if (rows == null && columns == null) return names;
  let wanted: Set<string>;
  if (table === undefined) {
    if (columns != null) throw badInput(`columns: ${study.name} has no table; choose arms with rows`, 'columns');
    wanted = chosen(rows ?? [], study.arms, { what: 'arm', path: 'rows' });
  } else {
    const inRows = rows == null ? null : chosen(rows, table.rows, { what: 'row', path: 'rows' });
    const inColumns = columns == null ? null : chosen(columns, table.columns, { what: 'column', path: 'columns' });
    const cells = table.cells.filter(
      ({ row, column }) => (inRows?.has(row) ?? true) && (inColumns?.has(column) ?? true),
    );
    wanted = new Set(cells.flatMap(({ value }) => (value === undefined ? [] : armsOf(value))));
  }
  for (let grown = -1; grown !== wanted.size; ) {
    grown = wanted.size;
    for (const { name, inputs } of study.arms) {
      if (wanted.has(name)) for (const { arm } of inputs ?? []) wanted.add(arm);
    }
  }
  return names.filter((name) => wanted.has(name));
}

function chosen(
  asked: readonly string[],
  lines: readonly Pick<TableLine, 'name' | 'label' | 'group'>[],
  { what, path }: { what: string; path: string },
): Set<string> {
  const found = new Set<string>();
  for (const one of asked) {
    const wanted = typed(one);
    const matching = lines.filter(({ name, label, group }) =>
      [name, name.split('/')[0], label, group].some((text) => text !== undefined && typed(text) === wanted),
    );
    if (matching.length === 0) {
      const known = [...new Set(lines.flatMap(({ name, group }) => (group === undefined ? [name] : [group, name])))];
      throw badInput(`${path}: there is no ${what} "${one.slice(0, 80)}".${meantOrThere(one, known)}`, path);
    }
    for (const { name } of matching) found.add(name);
  }
  return found;
}

/** A text as a keyboard has it: in lower case, `²` as 2. */
function typed(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}

/** Names of the arms that a value needs. */
export function armsOf(value: StudyValue): string[] {
  if ('arm' in value) return [value.arm];
  return 'parts' in value ? value.parts.map(({ arm }) => arm) : armsCompared(value.comparison);
}

/** Names of the arms that a comparison needs. */
export function armsCompared(comparison: StudyComparison): string[] {
  return pairsOf(comparison).flat();
}
