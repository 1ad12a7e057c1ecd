import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { asPlainObject, isPlainObject } from '#src/base/lib/plainObject.ts';
import { git } from './environment.ts';

/** Files that say what was executed, by name: changes of the code to its commit, and the installed packages. Empty ones are left out. */
export function codeFiles(): [name: string, text: string][] {
  const changes = git('diff', 'HEAD', '--no-color', '--no-ext-diff');
  const files: [string, string][] = [
    ['code/uncommitted.diff', changes === '' ? '' : `${changes}\n`],
    ['code/packages.txt', installedPackages(dirname(resolve(process.argv[1] ?? '.'))).join('\n')],
  ];
  return files.filter(([, text]) => text !== '');
}

/** Lines `name@version` of the packages that npm has installed for a folder. */
function installedPackages(folder: string): string[] {
  const list = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return dirname(folder) === folder ? [] : installedPackages(dirname(folder));
  try {
    const { packages } = asPlainObject(JSON.parse(readFileSync(list, 'utf8')));
    const found = Object.entries(asPlainObject(packages)).flatMap(([path, entry]) =>
      isPlainObject(entry) ? [`${path.replace(/^.*node_modules\//, '')}@${String(entry.version)}`] : [],
    );
    return [...new Set(found)].sort();
  } catch {
    return [];
  }
}
