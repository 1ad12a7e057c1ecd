import { describe, expect, test } from 'vitest';
import { printable, printableLines } from '#src/base/lib/printable.ts';

describe('printable', () => {
  test('a name cannot move the cursor, set the title, reverse the line, or become two lines', () => {
    expect(printable('a\u001b[2Jb\u009b1mc\u001b]0;title\u0007')).toBe('a\\u001b[2Jb\\u009b1mc\\u001b]0;title\\u0007');
    expect(printable('gpj\u202eexe\u2066')).toBe('gpj\\u202eexe\\u2066');
    expect(printable('one\r\ntwo\tthree')).toBe('one  two\tthree');
  });

  test('letters of all languages and emoji stay', () => {
    const text = 'α → שלום 模型 🦊 e\u0301';
    expect(printable(text)).toBe(text);
  });
});

describe('printableLines', () => {
  test('keeps lines and tabs, and colours only where they are wanted', () => {
    const text = '\u001b[31mred\u001b[39m\n\tnext\u001b[8mhidden\u001b[2J\rback';
    const rest = '\n\tnext\\u001b[8mhidden\\u001b[2J\\u000dback';
    expect(printableLines(text, { colours: true })).toBe(`\u001b[31mred\u001b[39m${rest}`);
    expect(printableLines(text, { colours: false })).toBe(`\\u001b[31mred\\u001b[39m${rest}`);
  });

  test('JSON stays JSON that says the same', () => {
    const value = { name: 'a\u001b[2J\u009b\u202e\u007f\nb' };
    const text = printableLines(JSON.stringify(value, null, 2), { colours: false });
    expect(JSON.parse(text)).toEqual(value);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
