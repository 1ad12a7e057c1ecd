import { expect, test } from 'vitest';
import {
  type ColumnLayout,
  hideColumn,
  layoutChange,
  moveColumn,
  pinColumn,
  readLayout,
  resizeColumn,
  shadeColumn,
} from '#web/features/runs/columnLayout.ts';

const layout = (columns: string, pinned = 0): ColumnLayout => ({
  ...{ columns: columns.split(' '), pinned, widths: new Map(), shaded: new Set() },
});
const shown = ({ columns, pinned }: ColumnLayout) =>
  `${columns.slice(0, pinned).join(' ')} | ${columns.slice(pinned).join(' ')}`;

test('a column that is moved among pinned ones is pinned, and one that leaves them is not', () => {
  expect(shown(moveColumn(layout('a b c d', 2), 'd', 1))).toBe('a d b | c');
  expect(shown(moveColumn(layout('a b c d', 2), 'a', 3))).toBe('b | c d a');
  expect(shown(moveColumn(layout('a b c d', 2), 'c', 2))).toBe('a b | c d');
  expect(shown(moveColumn(layout('a b c d', 2), 'b', 1))).toBe('a b | c d');
  expect(shown(moveColumn(layout('a b'), 'a', -5))).toBe(' | a b');
  expect(shown(moveColumn(layout('a b'), 'gone', 0))).toBe(' | a b');
});

test('columns are pinned behind the pinned ones, unpinned and hidden', () => {
  expect(shown(pinColumn(layout('a b c', 1), 'c', true))).toBe('a c | b');
  expect(shown(pinColumn(layout('a b c', 2), 'a', false))).toBe('b | a c');
  expect(shown(hideColumn(layout('a b c', 2), 'a'))).toBe('b | c');
});

test('the address says the layout, and only what changed', () => {
  const before = readLayout({}, ['name', 'state', 'metric."a:b,c"']);
  expect(shown(before)).toBe('name | state metric."a:b,c"');
  const wide = resizeColumn(before, 'metric."a:b,c"', 99_999);
  expect(layoutChange(before, wide)).toEqual({ widths: 'metric."a:b%2Cc":1200' });
  expect(readLayout({ widths: 'metric."a:b%2Cc":1200,x:y,:3' }, []).widths).toEqual(
    new Map([['metric."a:b,c"', 1200]]),
  );
  expect(layoutChange(wide, resizeColumn(wide, 'metric."a:b,c"', null))).toEqual({ widths: undefined });
  expect(layoutChange(before, shadeColumn(before, 'state', true))).toEqual({ shaded: 'state' });
  expect(layoutChange(before, moveColumn(before, 'state', 0))).toEqual({
    ...{ columns: 'state,name,metric."a:b%2Cc"', pinned: '2' },
  });
  expect(readLayout({ pinned: '77' }, ['a']).pinned).toBe(1);
  expect(readLayout({ pinned: 'many' }, ['a']).pinned).toBe(0);
});
