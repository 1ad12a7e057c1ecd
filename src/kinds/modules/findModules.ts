import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';

/** One file, or one package, that is loaded as a module. */
export interface ModuleSource {
  /** As people know it: what stands in WARREN_KINDS, and within a folder the file. */
  name: string;
  /** An absolute path, or the name of a package. */
  entry: string;
  /** Files of a folder need not add anything: they may be parts of others. */
  mayBeEmpty: boolean;
}

const MODULE = /^(?!.*\.(test|spec|d)\.).+\.(ts|mts|js|mjs)$/;
const PACKAGE_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/.+)?$/;

/**
 * The modules that an entry of WARREN_KINDS means, seen from the folder `from`: a file; the modules of a folder (its `index`
 * alone where there is one, else every file but tests and declarations); or a package.
 * @throws WarrenError BAD_INPUT where there is nothing of that name.
 */
export function findModules(entry: string, from: string): ModuleSource[] {
  const path = resolve(from, entry);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return [{ name: entry, entry: path, mayBeEmpty: false }];
    const files = readdirSync(path)
      .filter((name) => MODULE.test(name))
      .sort();
    if (files.length === 0) throw badInput('the folder has no file that ends in .ts, .mts, .js or .mjs');
    const index = files.find((name) => name.startsWith('index.'));
    if (index !== undefined) return [{ name: entry, entry: join(path, index), mayBeEmpty: false }];
    return files.map((name) => ({
      name: `${entry.replace(/\/+$/, '')}/${basename(name)}`,
      entry: join(path, name),
      mayBeEmpty: files.length > 1,
    }));
  }
  if (entry.startsWith('.') || !PACKAGE_NAME.test(entry)) {
    throw badInput('there is no such file or folder; paths begin in the folder where Warren was started');
  }
  return [{ name: entry, entry, mayBeEmpty: false }];
}
