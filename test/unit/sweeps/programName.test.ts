import { expect, it } from 'vitest';
import { programName } from '#src/sweeps/search/programName.ts';

it.each([
  [['python', 'train.py', '--lr', '{lr}'], 'train.py'],
  [['/usr/bin/env', 'python3', 'scripts/train.py', '--lr', '3'], 'train.py'],
  [['torchrun', '--nproc_per_node', '2', 'train.py'], 'train.py'],
  [['python', '-m', 'recbole.run', '--lr={lr}'], 'recbole.run'],
  [['./train', '--lr={lr}'], 'train'],
  [['/usr/bin/env', 'train'], 'train'],
  [['{program}.py', '-m'], '{program}.py'],
  [['tools/'], 'tools/'],
])('calls %j by what it executes: %s', (line, expected) => {
  expect(programName(line)).toBe(expected);
});
