import type pg from 'pg';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { copyTableOut } from '#src/base/database/tableCopies.ts';
import { type ArchiveManifest, artifactName, MANIFEST_NAME, tablePartName } from './archiveManifest.ts';
import type { ArchiveWriter } from './writeArchive.ts';

export interface Filling {
  archive: ArchiveWriter;
  /** What is being written, for people. */
  onProgress(message: string): void;
}

/** A table's rows are cut into members of about this size, since a member's size is written before its content. */
const PART_BYTES = 8 << 20;

/** The migrations that the database has. Throws CONFLICT where it is not Warren's. */
export async function readMigrationRecords(client: pg.Client): Promise<ArchiveManifest['migrations']> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (table.rows[0]?.present !== true) throw new WarrenError('CONFLICT', 'the database has no tables of Warren');
  const { rows } = await client.query(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name`,
  );
  return z.array(z.object({ name: z.string(), checksum: z.string() })).parse(rows);
}

/** Adds rows as they come, in parts. Resolves to how many there were. */
export async function addTable(
  archive: ArchiveWriter,
  name: string,
  stream: ReturnType<typeof copyTableOut>,
): Promise<number> {
  let part: Buffer[] = [];
  let bytes = 0;
  let parts = 0;
  const flush = async (): Promise<void> => {
    parts += 1;
    await archive.add(tablePartName(name, parts), bytes, chunks(part));
    part = [];
    bytes = 0;
  };
  for await (const chunk of stream) {
    part.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= PART_BYTES) await flush();
  }
  if (bytes > 0) await flush();
  return stream.rowCount;
}

/** Adds the content of artifacts; what is gone or damaged is left out and named. */
export async function addArtifacts(store: ArtifactStore, digests: readonly string[], { archive, onProgress }: Filling) {
  const copied = { count: 0, bytes: 0, missing: [] as string[] };
  for (const sha256 of digests) {
    const size = await store.size(sha256);
    // Read twice: a member's bytes cannot be taken back once they turn out to be damaged.
    if (size === null || !(await store.verify(sha256))) {
      copied.missing.push(sha256);
      onProgress(`artifact ${sha256} is ${size === null ? 'gone' : 'damaged'}: it is left out`);
      continue;
    }
    await archive.add(artifactName(sha256), size, await store.read(sha256));
    copied.count += 1;
    copied.bytes += size;
    if (copied.count % 100 === 0) onProgress(`${copied.count} of ${digests.length} artifacts`);
  }
  return copied;
}

/** Adds the description of all members: an archive without it was never finished. */
export async function addManifest(archive: ArchiveWriter, manifest: ArchiveManifest): Promise<void> {
  const text = Buffer.from(JSON.stringify(manifest));
  await archive.add(MANIFEST_NAME, text.byteLength, chunks([text]));
}

async function* chunks(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}
