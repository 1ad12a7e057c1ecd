import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

export interface Migration {
  /** Folder name: a number that gives the order, then words. */
  name: string;
  sql: string;
}

/** The migrations in a folder, in order; Warren's own where none is given. */
export async function readMigrations(folder = join(projectRoot(), 'prisma', 'migrations')): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

/**
 * The checksums that a script may be recorded with, its own first. Prisma accepts a script whose line ends a version control
 * system has changed, and so do we.
 */
export function checksumsOf(sql: string): string[] {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].map((text) => createHash('sha256').update(text).digest('hex'));
}
