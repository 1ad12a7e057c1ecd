import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cutText, textWidth } from '#src/base/terminal/textWidth.ts';

test('texts are as wide as string-width has them, character by character', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x30ff; code++) {
    for (const text of [String.fromCharCode(code), `a${String.fromCharCode(code)}`]) {
      if (textWidth(text) !== stringWidth(text)) wrong.push(`U+${code.toString(16)}: ${textWidth(text)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each(['ndcg@10 0.31 ± 0.02', '\u001b[1mNUMBER\u001b[22m', '数据集', '👩‍👩‍👧 family', 'e\u0301', '©️', '1️⃣', ''])(
  '%j is as wide as string-width has it',
  (text) => {
    expect(textWidth(text)).toBe(stringWidth(text));
  },
);

test('a text is cut between what readers take for characters', () => {
  expect(cutText('数据集', 5)).toBe('数据…');
  expect(cutText('ab👩‍👩‍👧cd', 5)).toBe('ab👩‍👩‍👧…');
});
