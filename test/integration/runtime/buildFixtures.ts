import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundlePrograms } from '#src/cli/build.mjs';
import { withLock } from '#src/cli/lock.mjs';
import { builtFile, projectRoot } from '#src/base/lib/projectRoot.ts';
import { isAlive } from '#src/base/platform/processes/processTree.ts';

export interface Fixtures {
  executor: string;
  /** A worker whose runs are executed by the fixture executor. */
  worker: string;
  /** Collects artifacts all the time. */
  collector: string;
}

let built: Promise<Fixtures> | null = null;

/**
 * Bundles the fixture executor, whose experiments misbehave on purpose, and its worker, once for all test files of a run
 * of vitest, whose process is the parent of those with tests; gives the paths of their entries.
 */
export function buildFixtures(): Promise<Fixtures> {
  built ??= build();
  return built;
}

async function build(): Promise<Fixtures> {
  const parent = builtFile('test-fixtures');
  // a run has a temporary folder of its own, so that its name is of no earlier run whose process had the same id
  const folder = join(parent, `${process.ppid}-${basename(tmpdir())}`);
  mkdirSync(parent, { recursive: true });
  const names = ['fixtureExecutor', 'fixtureCompute', 'fixtureWorker', 'fixtureCollector'];
  const entryPoints = Object.fromEntries(names.map((name) => [name, `test/integration/runtime/${name}.ts`]));
  // as Warren's own programs are built: started dozens of times, they would read hundreds of files of packages each time
  await withLock(join(parent, 'lock'), async () => {
    if (existsSync(folder)) return;
    for (const other of readdirSync(parent)) {
      if (other !== 'lock' && !isAlive(Number.parseInt(other, 10)))
        rmSync(join(parent, other), { recursive: true, force: true });
    }
    await bundlePrograms(projectRoot(), { folder, entryPoints });
  });
  const pathOf = (name: string) => join(folder, `${name}.js`);
  return {
    executor: pathOf('fixtureExecutor'),
    worker: pathOf('fixtureWorker'),
    collector: pathOf('fixtureCollector'),
  };
}
