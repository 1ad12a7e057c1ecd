import { expect, test } from 'vitest';
import { parseMetricLine } from '#workers/runtime/commands/metricLine.ts';
import { OutputReader } from '#workers/runtime/commands/outputReader.ts';

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const reader = new OutputReader((line) => lines.push(line));
  for (const chunk of chunks) reader.write(Buffer.from(chunk));
  reader.end();
  return lines;
}

test('lines are split wherever the chunks end, also within a character', () => {
  const [head, tail] = [Buffer.from('a\nb€').subarray(0, 4), Buffer.from('a\nb€').subarray(4)];
  expect(linesOf(head, tail, 'c\r', '\n', '\nlast')).toEqual(['a', 'b€c', '', 'last']);
});

test('of a line that is rewritten, as by a progress bar, the last form is told', () => {
  expect(linesOf('10%\r', '20%\r', '100%', '\nnext\n')).toEqual(['100%', 'next']);
  expect(linesOf('10%\r20%\r')).toEqual(['20%']);
});

test('a line without an end is cut', () => {
  expect(linesOf('x'.repeat(50_000), '\n').map((line) => line.length)).toEqual([20_000, 0]);
});

test.each([
  ['warren: {"loss": 0.3, "step": 4}', { step: 4, values: [['loss', 0.3]] }],
  ['warren: {"a": {"b": 1, "c": "text"}, "d": true}', { step: undefined, values: [['a/b', 1]] }],
  [
    'warren: {"a": NaN, "b": -Infinity, "c": "NaN"}',
    {
      step: undefined,
      values: [
        ['a', Number.NaN],
        ['b', Number.NEGATIVE_INFINITY],
        ['c', Number.NaN],
      ],
    },
  ],
  ['warren: {"loss": 1, "step": -1}', null],
  ['warren: {"loss": ', null],
  ['warren: {"message": "half of it is done"}', null],
  ['warren: run 3', null],
  ['{"loss": 1}', null],
])('%s', (line, expected) => {
  expect(parseMetricLine(line)).toEqual(expected);
});
