import { textsOf } from '#src/base/lib/labels.ts';
import type { ShownGroups } from '#src/base/lib/shownGroups.ts';
import { areNumbers } from '#web/lib/areNumbers.ts';
import { parameterDigits, parameterText } from '#web/lib/parameterNumber.ts';

export interface GroupColumn {
  isNumeric: boolean;
  /** One a row: numbers in four digits, or in as few as tell them apart. */
  texts: string[];
}

/** A dash where there is no value. */
const NOTHING = '–';

/** What groups differ in, column by column. */
export function groupColumns({ heads, rows }: Pick<ShownGroups, 'heads' | 'rows'>): GroupColumn[] {
  return heads.map((_, column) => {
    const texts = rows.map(({ cells }) => cells[column] ?? '');
    if (!areNumbers(texts)) return { isNumeric: false, texts };
    const numbers = texts.map((text) => (Number.isFinite(Number(text)) && text !== '' ? Number(text) : null));
    const digits = parameterDigits(numbers.filter((number) => number !== null));
    const aligned = numbers.map((number) => (number === null ? NOTHING : parameterText(number, digits)));
    const isTold = new Set(aligned).size === new Set(numbers).size;
    return { isNumeric: true, texts: isTold ? aligned : numbers.map(textsOf(numbers)) };
  });
}
