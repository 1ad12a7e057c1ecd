import { expect, it } from 'vitest';
import { environmentText } from '#web/lib/environmentText.ts';

it('arguments of a program stand as they are typed', () => {
  expect(environmentText('arguments', ['--lr', '0.001', '--name', 'two words', "it's"])).toBe(
    "--lr 0.001 --name 'two words' 'it'\\''s'",
  );
  expect(environmentText('packages', ['a'])).toBe('["a"]');
});
