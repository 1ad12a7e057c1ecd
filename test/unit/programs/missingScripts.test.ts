import { expect, test } from 'vitest';
import { missingScripts } from '#src/programs/command/missingScripts.ts';

test('scripts that are not among the files of a command are told, and nothing else', () => {
  const sent = { paths: ['train.py', 'lab/eval.py', 'lab/run.sh'], folder: 'lab' };
  const missing = (...command: unknown[]) => missingScripts(command, sent);
  expect(missing('python3', 'eval.py', './run.sh', '../train.py', '--lr', '{lr}')).toEqual([]);
  expect(missing('python3', 'evil.py', 'train.py')).toEqual(['evil.py', 'train.py']);
  expect(missing('python3', '/opt/tool.py', '../../x.py', '--config=a.py', '{script}.py', { a: 1 })).toEqual([]);
});
