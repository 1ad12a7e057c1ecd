import { expect, test } from 'vitest';
import { OutputLines } from '#workers/runtime/executor/outputLines.ts';

test('lines are put together from pieces, even within a character', () => {
  const lines: string[] = [];
  const output = new OutputLines((text) => lines.push(text));
  const bytes = Buffer.from('one\ntwö\r\n\nlast');
  for (const byte of bytes) output.write(Buffer.from([byte]));
  expect(lines).toEqual(['one', 'twö', '']);
  output.end();
  expect(lines).toEqual(['one', 'twö', '', 'last']);
});

test('what has no end is told in parts', () => {
  const lines: string[] = [];
  const output = new OutputLines((text) => lines.push(text));
  for (let i = 0; i < 10; i++) output.write('x'.repeat(8_000));
  output.write('y'.repeat(65_536));
  expect(lines.join('').length).toBeGreaterThan(120_000);
  output.end();
  expect(lines.join('')).toBe('x'.repeat(80_000) + 'y'.repeat(65_536));
  // the log keeps no more of a line
  expect(Math.max(...lines.map((line) => line.length))).toBe(20_000);
});
