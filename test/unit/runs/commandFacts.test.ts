import { expect, test } from 'vitest';
import { commandFacts } from '#src/runs/command/commandFacts.ts';

test('what a command was queued with is told apart from its own parameters', () => {
  const command = ['python3', 'train.py', '--lr', '{lr}', '--name', "it's new", ''];
  const code = '90946c9d4907f0ad57f15e686a5ad534a2705e1dc29cb9d483b0623818841bba';
  const queued = { code, folder: 'models', command, environment: 'auto', lr: 0.3, fail: false };
  expect(commandFacts(queued)).toEqual({
    facts: [
      ['command', String.raw`python3 train.py --lr {lr} --name 'it'\''s new' ''`],
      ['folder', 'models'],
      ['packages', 'auto'],
      ['code', '90946c9d4907'],
    ],
    own: { lr: 0.3, fail: false },
  });
});

test('a command without code, folder and packages is its line alone', () => {
  const queued = { code: null, folder: '', command: ['true'], environment: 'none' };
  expect(commandFacts(queued)).toEqual({ facts: [['command', 'true']], own: {} });
});
