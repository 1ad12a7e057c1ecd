import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';

const bench = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtFile('bench.js'), ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

it.each(['sasrec-epoch', 'gpu'])('%s tells its options and measures nothing', (name) => {
  const { status, stdout } = bench(name, '--help');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^(Options|.*--\w)/m)]);
});

it('refuses an option that a benchmark has not, and lists the benchmarks', () => {
  expect(bench('data', '--rows', '3')).toMatchObject({ status: 2, stderr: expect.stringContaining("'--rows'") });
  expect(bench('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('sasrec-epoch') });
});
