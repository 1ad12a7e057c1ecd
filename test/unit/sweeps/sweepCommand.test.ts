import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { filledLine } from '#src/catalog/commandLine.ts';
import { withVariables } from '#src/base/lib/withVariables.ts';
import type { Point } from '#src/sweeps/search/searchSpace.ts';
import { trialLine } from '#src/sweeps/search/sweepCommand.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { readSweepFile } from '#src/sweeps/search/sweepDefinition.ts';

const FILE = { method: 'random', run_cap: 1, parameters: { lr: { min: 0.1, max: 0.2 } } };
/** W&B's words, and a shell's. */
const word = (name: string) => `\${${name}}`;

const commandOf = (file: Record<string, unknown>) => readSweepFile({ ...FILE, ...file }).definition.command;
const lineOf = (file: Record<string, unknown>) => trialLine(commandOf(file)!.line, { lr: 0.1, layers: 2 });

test('a program is executed as W&B does, with all that was drawn', () => {
  const usual = ['/usr/bin/env', 'python3', 'train.py', '--layers={layers}', '--lr={lr}'];
  expect(lineOf({ program: 'train.py' })).toEqual(usual);
  const command = [word('program'), word('args_no_hyphens')];
  expect(lineOf({ program: 'train.py', command })).toEqual(['train.py', 'layers={layers}', 'lr={lr}']);
});

test('the same point is the same command line, in whatever order it was drawn or is stored', () => {
  for (const name of ['args', 'args_no_hyphens', 'args_no_boolean_flags', 'args_json', 'args_json_file']) {
    const of = (point: Point) => trialLine(['train', word(name)], point);
    expect(of({ reg: 1, dim: 16, lr: 0.1 })).toEqual(of({ lr: 0.1, dim: 16, reg: 1 }));
  }
});

test('flags, JSON and a file of JSON are filled in as W&B does', () => {
  const point = { lr: 0.1, amp: true, clip: false, 'net.act': 'a{b}' };
  const filled = (name: string) => filledLine(trialLine([word(name)], point), point);
  expect(filled('args_no_boolean_flags')).toEqual(['--amp', '--lr=0.1', '--net.act=a{b}']);
  expect(JSON.parse(filled('args_json')[0]!)).toEqual({ lr: 0.1, amp: true, clip: false, net: { act: 'a{b}' } });
  const folder = temporaryFolder();
  const [program, ...words] = filledLine(trialLine(['cat', word('args_json_file')], point), point);
  expect(JSON.parse(execFileSync(program!, words, { cwd: folder, encoding: 'utf8' }))).toMatchObject({ lr: 0.1 });
});

test('values that Python knows by other words are written as W&B writes them, which is as Python does', () => {
  const point = { amp: true, clip: false, schedule: null, act: 'true', lr: 0.1 };
  const filled = (name: string) => filledLine(trialLine([word(name)], point), point);
  const words = ['act=true', 'amp=True', 'clip=False', 'lr=0.1', 'schedule=None'];
  expect(filled('args_no_hyphens')).toEqual(words);
  expect(filled('args')).toEqual(words.map((one) => `--${one}`));
});

test('variables are filled in where the program starts; one that is not set leaves its name', () => {
  const command = [
    'cp',
    `--from=${word('envvar:DATA_DIR')}/${word('envvar:PART_2')}`,
    word('envvar:NONE'),
    word('HOME'),
  ];
  expect(lineOf({ command })).toEqual(command);
  const variables = { DATA_DIR: '/data', PART_2: 'b', HOME: '/home' };
  expect(withVariables(command, variables)).toEqual(['cp', '--from=/data/b', 'NONE', word('HOME')]);
});

test('a command is left as it is, variables of a shell too', () => {
  const command = ['sh', '-c', `train --to ${word('HOME')} {lr}`];
  expect(lineOf({ command })).toEqual(command);
  expect(commandOf({ command, gpus: 2, labels: ['big'] })).toMatchObject({ gpus: 2, labels: ['big'], code: null });
  expect(commandOf({ command, kind: 'sasrec' })).toBeNull();
});

test.each([
  [{ command: [word('program')] }, /needs the key program/],
  [{ program: 'a.py', command: [word('args_dict')] }, /command\[0\]: received .*args_dict/],
  [{ program: 'a.py', command: [word('interpeter')] }, /command\[0\]: received .*interpeter.*there are .*interpreter/],
  [{ kind: 'command' }, /command: expected program and arguments/],
  [{ program: 'a.py', dataset: 'ml-100k' }, /dataset: has no meaning for a program/],
  [{ kind: 'sasrec', gpus: 1 }, /gpus: is for programs of your own/],
])('%j is refused in words', (file, words) => {
  expect(() => commandOf(file)).toThrow(words);
});
