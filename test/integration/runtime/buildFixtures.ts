import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from '#src/cli/build.mjs';
import { builtFile, projectRoot } from '#src/lib/projectRoot.ts';
import { isAlive } from '#src/platform/processes/processTree.ts';

export interface Fixtures {
  executor: string;
  /** A worker whose runs are executed by the fixture executor. */
  worker: string;
  /** Collects artifacts all the time. */
  collector: string;
}

let built: Promise<Fixtures> | null = null;

/**
 * Bundles the fixture executor, whose experiments misbehave on purpose, and its worker, once for all test files of this process;
 * gives the paths of their entries.
 */
export function buildFixtures(): Promise<Fixtures> {
  built ??= build();
  return built;
}

async function build(): Promise<Fixtures> {
  const parent = builtFile('test-fixtures');
  const folder = join(parent, String(process.pid));
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(parent)) {
    if (!isAlive(Number(other))) rmSync(join(parent, other), { recursive: true, force: true });
  }
  const names = ['fixtureExecutor', 'fixtureCompute', 'fixtureWorker', 'fixtureCollector'];
  const entryPoints = Object.fromEntries(names.map((name) => [name, `test/integration/runtime/${name}.ts`]));
  // as Warren's own programs are built: started dozens of times, they would read hundreds of files of packages each time
  await bundlePrograms(projectRoot(), { folder, entryPoints });
  const pathOf = (name: string) => join(folder, `${name}.js`);
  return {
    executor: pathOf('fixtureExecutor'),
    worker: pathOf('fixtureWorker'),
    collector: pathOf('fixtureCollector'),
  };
}
