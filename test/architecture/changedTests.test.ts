import { expect, test } from 'vitest';
import { testsReaching } from '../config/changedTests.ts';
import { sourceFiles } from './sourceFiles.ts';

const files = sourceFiles(['src', 'workers', 'web', 'test']);

test.each([
  ['src/statistics/power.ts', 'test/oracles/tTestPower.test.ts', 'test/unit/base/lib/labels.test.ts'],
  ['workers/runtime/worker/supervisor.ts', 'test/integration/worker.test.ts', 'test/unit/base/lib/labels.test.ts'],
  ['src/cli/up/supervise.ts', 'test/integration/up.test.ts', 'test/integration/worker.test.ts'],
  ['docs/sweeps.md', 'test/integration/documents/sweeps.test.ts', 'test/integration/documents/alerts.test.ts'],
  ['web/app/main.tsx', 'test/browser/home.test.ts', 'test/integration/worker.test.ts'],
  ['clients/python/warren/run.py', 'test/integration/clients/notebooks.test.ts', 'test/unit/base/lib/labels.test.ts'],
  ['prisma/migrations/0001_init/migration.sql', 'test/integration/worker.test.ts', 'test/unit/base/lib/labels.test.ts'],
])('a change of %s runs what reaches it, such as %s, and not %s', (changed, reaching, other) => {
  const tests = testsReaching([changed], files);
  expect(tests).toContain(reaching);
  expect(tests).not.toContain(other);
});

test.each(['package.json', 'test/config/vitest.ts', 'a-new-file.txt'])('a change of %s runs all tests', (changed) => {
  expect(testsReaching([changed, 'docs/sweeps.md'], files)).toBeNull();
});
