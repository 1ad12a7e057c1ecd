import { expect, test } from 'vitest';
import { programName } from '#src/external/programName.ts';

test.each([
  ['/home/a/train.py', 'train'],
  ['C:\\work\\fit.PY', 'fit'],
  ['/home/a/nets/__main__.py', 'nets'],
  ['/home/a/nets/main.py', 'nets/main'],
  ['main.py', 'main'],
  ['/srv/app/dist/index.js', 'dist/index'],
  ['deep dive.ipynb', 'deep dive'],
  ['/usr/bin/fit.v2', 'fit.v2'],
  ['/opt/lib/ipykernel_launcher.py', null],
  ['/home/a/-c', null],
  ['', null],
  [7, null],
])('the program %j names its runs %j', (program, name) => {
  expect(programName({ program })).toBe(name);
});
