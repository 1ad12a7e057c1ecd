import { expect, test } from 'vitest';
import { metricLines, parameterLines, whereFacts } from '#src/runs/command/showRun.ts';
import { createColours } from '#src/base/terminal/colours.ts';
import { createTerminal } from '#src/base/terminal/terminal.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';

test('a metric with a summary rule shows the value that the rule chooses, and the rule', () => {
  const common = { direction: null, pointCount: 3, lastStep: 2, minimum: 0.1, maximum: 0.5 } as const;
  const last = { ...common, name: 'train/loss', lastValue: 0.4, summary: 0.4, summaryRule: null };
  const least = { ...common, name: 'valid/loss', lastValue: 0.4, summary: 0.1, summaryRule: 'min' as const };
  const terminal = createTerminal(capturedSurroundings([], {}));
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

test('long parameters do not flood a terminal, which is told how to see them; a file gets them whole', () => {
  const layers = Array.from({ length: 400 }, (_, index) => index);
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`p${index}`, index]));
  const parameters = {
    lr: 0.1,
    layers,
    prompt: `first\nsecond ${'word '.repeat(100)}`,
    [`n${'o'.repeat(300)}`]: 1,
    ...many,
  };
  const colours = createColours(false);
  const lines = parameterLines(parameters, { colours, width: () => 80 });
  expect(lines.length).toBeLessThan(65);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines[2]).toMatch(/^lr {2,}0\.1$/);
  expect(lines[3]).toMatch(/^layers {2,}\[0,1,2,.*…$/);
  expect(lines.at(-1)).toBe('(14 more, … what is cut: --json shows all)');
  const whole = parameterLines(parameters, { colours, width: () => undefined });
  expect(whole.find((line) => line.startsWith('layers'))).toContain(JSON.stringify(layers));
  expect(whole.some((line) => line.startsWith('p69'))).toBe(true);
});

test('a run tells what ran where, of which commit, as far as that was recorded', () => {
  const code = { codeCommit: 'd117c11686622e4388872313cb7e59c672320ae8', codeBranch: 'main', codeChanged: true };
  const own = { program: '/home/ann/train.py', arguments: ['--lr', '0.1'], host: 'lab', python: '3.11.7', ...code };
  expect(whereFacts(own)).toEqual([
    ['program', '/home/ann/train.py --lr 0.1'],
    ['host', 'lab, Python 3.11.7'],
    ['commit', 'd117c1168662 (main, with changes that are not committed)'],
  ]);
  const queued = {
    program: 'train.py',
    arguments: ['python3', 'train.py', '--lr', '0.1'],
    gpuNumbers: [],
    host: 'lab',
  };
  expect(whereFacts(queued)).toEqual([
    ['program', 'python3 train.py --lr 0.1'],
    ['host', 'lab'],
  ]);
  expect(whereFacts({ backend: 'wasm' })).toEqual([]);
});
