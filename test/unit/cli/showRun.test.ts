import { expect, test } from 'vitest';
import { metricLines } from '#src/cli/show/showRun.ts';
import { createTerminal } from '#src/cli/terminal/terminal.ts';

test('a metric with a summary rule shows the value that the rule chooses, and the rule', () => {
  const common = { direction: null, pointCount: 3, lastStep: 2, minimum: 0.1, maximum: 0.5 } as const;
  const last = { ...common, name: 'train/loss', lastValue: 0.4, summary: 0.4, summaryRule: null };
  const least = { ...common, name: 'valid/loss', lastValue: 0.4, summary: 0.1, summaryRule: 'min' as const };
  const terminal = createTerminal({ NO_COLOR: '1' });
  const words = (metrics: (typeof last | typeof least)[]) =>
    metricLines({ metrics }, terminal).map((line) => line.trim().split(/ +/).slice(0, 3));
  expect(words([last]).slice(-2)).toEqual([
    ['name', 'last', 'least'],
    ['train/loss', '0.4000', '0.1000'],
  ]);
  expect(words([last, least]).slice(-3)).toEqual([
    ['name', 'value', 'by'],
    ['train/loss', '0.4000', 'last'],
    ['valid/loss', '0.1000', 'min'],
  ]);
});
