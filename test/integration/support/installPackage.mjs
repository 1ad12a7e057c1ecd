import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// `npm install --prefix FOLDER ARCHIVE` without a registry: the package, and beside it links to the packages that it names
// and no others, as this project has them installed.
const [, , , folder, archive] = process.argv;
const modules = join(resolve(folder), 'node_modules');
const installed = join(modules, 'warren');
mkdirSync(installed, { recursive: true });
mkdirSync(join(modules, '.bin'));
execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
const { bin, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
symlinkSync(join(installed, bin.warren), join(modules, '.bin', 'warren'));
for (const name of Object.keys(dependencies)) {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(resolve('node_modules', name), join(modules, name));
}
