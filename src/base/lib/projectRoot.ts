import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds Warren's own `package.json`, from the source tree and from `dist/` alike. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('internal: no package.json above the running code');
    folder = parent;
  }
  return folder;
}

/** Path of a built file in `dist/`: `cli.js`, `api.js`, `user-tests-thread.js`, `worker.js`, `executor.js`, `compute.js`, `lane-thread.js`, `kernels.wasm`, `kernels-fused.wasm`. */
export function builtFile(name: string): string {
  return join(projectRoot(), 'dist', name);
}

/** How people call Warren from a shell: in a clone by npm's script, where it was installed as a package by its program. */
export function shellCommand(): string {
  return existsSync(join(projectRoot(), 'package-lock.json')) ? 'npm run -s warren --' : 'npx warren';
}
