import { textsOf } from '#src/lib/labels.ts';
import type { ShownGroups } from '#src/lib/shownGroups.ts';
import { areNumbers } from '#web/lib/areNumbers.ts';

export interface GroupColumn {
  isNumeric: boolean;
  /** One a row: numbers in as few digits as tell them apart. */
  texts: string[];
}

/** What groups differ in, column by column. */
export function groupColumns({ heads, rows }: Pick<ShownGroups, 'heads' | 'rows'>): GroupColumn[] {
  return heads.map((_, column) => {
    const texts = rows.map(({ cells }) => cells[column] ?? '');
    if (!areNumbers(texts)) return { isNumeric: false, texts };
    const numbers = texts.map((text) => (Number.isFinite(Number(text)) && text !== '' ? Number(text) : null));
    const shorten = textsOf(numbers);
    return { isNumeric: true, texts: numbers.map(shorten) };
  });
}
