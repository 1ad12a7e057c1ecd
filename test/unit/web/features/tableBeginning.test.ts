import { expect, it } from 'vitest';
import { tableBeginning } from '#web/features/run/tableBeginning.ts';

const whole = { isTsv: false, isWhole: true };

it('the first rows and columns are read, numbers in four digits', () => {
  const wide = Array.from({ length: 40 }, (_, column) => `c${column}`).join(',');
  const line = Array.from({ length: 40 }, (_, column) => (column === 0 ? 'a "b", c' : `0.${column}123456`));
  const text = `${wide}\n${`"a ""b"", c",${line.slice(1).join(',')}\n`.repeat(150)}`;
  const found = tableBeginning(text, whole)!;
  expect([found.shownRows, found.rowCount, found.columns.length, found.columnCount]).toEqual([100, 150, 30, 40]);
  expect(found.columns[0]).toMatchObject({ name: 'c0', isNumeric: false });
  expect(found.columns[0]!.texts[0]).toBe('a "b", c');
  expect(found.columns[1]).toMatchObject({ isNumeric: true });
  expect([found.columns[1]!.cells[0], found.columns[1]!.texts[0]]).toEqual(['0.1123456', '0.1123']);
});

it('of a beginning the line that is cut off is left out, in the middle of quotes as well', () => {
  const cut = { isTsv: false, isWhole: false };
  expect(tableBeginning('x,y\n1,2\n3,', cut)!.columns.map(({ texts }) => texts)).toEqual([['1'], ['2']]);
  expect(tableBeginning('x,y\n1,2\n3,"a\nb', cut)!.columns.map(({ texts }) => texts)).toEqual([['1'], ['2']]);
});

it('tabs and semicolons separate, numbers alone are no head, and rows may be of different lengths', () => {
  expect(tableBeginning('x\ty, z\n1\t2\n', { ...whole, isTsv: true })!.columns.map(({ name }) => name)).toEqual([
    'x',
    'y, z',
  ]);
  expect(tableBeginning('x;y\n1,5;2\n', whole)!.columns.map(({ texts }) => texts)).toEqual([['1,5'], ['2']]);
  const bare = tableBeginning('1,2\n3\n', whole)!;
  expect(bare.columns.map(({ name, texts }) => [name, texts])).toEqual([
    ['1', ['1', '3']],
    ['2', ['2', '']],
  ]);
  expect(tableBeginning('', whole)).toBeNull();
});
