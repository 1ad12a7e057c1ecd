import { describe, expect, it } from 'vitest';
import { printable } from '#src/base/lib/printable.ts';
import { createColours } from '#src/base/terminal/colours.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import { cutText, textWidth } from '#src/base/terminal/textWidth.ts';

const COLUMNS = [
  { header: 'NAME', minimum: 6 },
  { header: 'N', align: 'right' as const },
];

describe('renderTable', () => {
  it('makes columns as wide as their widest cell and puts numbers to the right', () => {
    expect(
      renderTable(COLUMNS, [
        ['a', '1'],
        ['abcdef', '100'],
      ]),
    ).toEqual(['NAME      N', 'a         1', 'abcdef  100']);
  });

  it('cuts the columns that may be cut, down to their minimum, to fit the screen', () => {
    const lines = renderTable(COLUMNS, [['a very long name', '1']], { width: 12 });
    expect(lines[1]).toBe('a very l…  1');
    expect(renderTable(COLUMNS, [['a very long name', '1']], { width: 3 })[1]).toBe('a ver…  1');
  });

  it('cuts long headers in their middle before the numbers below them leave the screen', () => {
    const header = 'valid/a_metric_with_a_long_name/ndcg@10';
    const [head, row] = renderTable([{ header: 'NAME' }, { header, align: 'right' }], [['a', '0.4213']], { width: 30 });
    expect(head).toMatch(/^NAME {2}valid\/a_.*….*ndcg@10$/);
    expect([textWidth(head!), row]).toEqual([30, 'a                       0.4213']);
    expect(renderTable([{ header, align: 'right' }], [['0.4213']], { width: 3 })[1]).toMatch(/ 0\.4213$/);
  });

  it('shows a line break or a tab in a cell as such, and keeps what is very long from widening the other rows of a file', () => {
    const long = 'n'.repeat(200);
    expect(
      renderTable(COLUMNS, [
        ['a\nb', '1'],
        [long, '2'],
      ]),
    ).toEqual(['NAME  N', 'a\\nb  1', `${long}  2`]);
    const [head] = renderTable([{ header: 'x\ty\u001b[2J' }], []);
    expect(head).toBe('x\\ty\\u001b[2J');
  });

  it('measures what is seen, not the escape sequences', () => {
    const { red } = createColours(true);
    const [, line] = renderTable(COLUMNS, [[red('ab'), '1']]);
    expect(line).toBe(`${red('ab')}    1`);
  });
});

describe('textWidth', () => {
  it('counts wide characters twice and combining marks not at all', () => {
    expect(textWidth('日本')).toBe(4);
    expect(textWidth('e\u0301')).toBe(1);
    expect(cutText('日本語', 5)).toBe('日本…');
    expect(textWidth('👩‍👩‍👧 ❤️ 🇩🇪')).toBe(8);
    expect(cutText('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧 …');
  });
});

describe('printable', () => {
  it('disarms control characters, so that a run name cannot drive the terminal', () => {
    expect(printable('a\u001b[2Jb\nc\u009bd')).toBe('a\\u001b[2Jb c\\u009bd');
  });
});
