import { once } from 'node:events';
import type pg from 'pg';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { checksumsOf, type Migration } from '#src/base/platform/postgres/migrationFiles.ts';
import { copyTableIn } from '#src/base/database/tableCopies.ts';
import type { ArchiveManifest } from './archiveManifest.ts';
import type { ArchiveMember } from './readArchive.ts';

/**
 * The migrations that the archive's database had.
 * @throws WarrenError CONFLICT when one is unknown here.
 */
export function chooseMigrations(manifest: ArchiveManifest, known: Migration[]): Migration[] {
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = known.find((other) => other.name === name);
    if (migration !== undefined && checksumsOf(migration.sql).includes(checksum)) return migration;
    const how = migration === undefined ? 'is unknown here' : 'differs from the one here';
    throw new WarrenError(
      'CONFLICT',
      `migration ${name} of the archive ${how}: a newer Warren made it; update this one`,
    );
  });
}

/** Loads the parts of each table, which follow one another, in one COPY. */
export function loadTables(
  client: pg.Client,
  { tables }: ArchiveManifest,
  { mayHave, onTable }: { mayHave: readonly string[]; onTable?: ((message: string) => void) | undefined },
) {
  let current: { name: string; stream: ReturnType<typeof copyTableIn>; done: Promise<unknown> } | null = null;
  const finish = async (): Promise<void> => {
    if (current === null) return;
    const { name, stream, done } = current;
    current = null;
    stream.end();
    await done;
    const expected = tables.find((table) => table.name === name)?.rows;
    if (stream.rowCount !== expected)
      throw new Error(`table ${name}: ${expected} rows expected, got ${stream.rowCount}`);
    onTable?.(`table ${name}: ${stream.rowCount} rows`);
  };
  const begin = (name: string) => {
    const shape = tables.find((table) => table.name === name);
    // PostgreSQL would find its own tables under a name that is not ours.
    if (shape === undefined || !mayHave.includes(name)) {
      const what = shape === undefined ? 'its manifest does not list' : 'no such archive has';
      throw new WarrenError('BAD_INPUT', `the archive has rows of table ${name}, which ${what}; nothing was changed`);
    }
    const stream = copyTableIn(client, shape);
    const done = new Promise((resolve, reject) => stream.once('finish', resolve).once('error', reject));
    done.catch(() => {}); // looked at with each part and at the end
    return { name, stream, done };
  };
  return {
    finish,
    async take(name: string, { content }: ArchiveMember): Promise<void> {
      if (current?.name !== name) {
        await finish();
        current = begin(name);
      }
      const { stream, done } = current;
      // a pipeline would leave its listeners behind with each part
      for await (const bytes of content) {
        if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), done]);
      }
    },
  };
}

/** Tells how far the check of a large archive is, every GiB. */
export function progressEvery(onProgress: (message: string) => void): (bytes: number) => void {
  const step = 1 << 30;
  let next = step;
  return (bytes) => {
    if (bytes < next) return;
    next += step;
    onProgress(`checked ${Math.floor(bytes / step)} GiB`);
  };
}
