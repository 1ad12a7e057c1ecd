import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Dataset } from '#src/generated/prisma/client.ts';
import { asPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryPage } from '#src/base/database/queryRows.ts';

const newestRow = z.object({ name: z.string(), fingerprint: z.string() });

/** A row of `dataset`: a content that runs have used. `fingerprint` is the sha256 of the canonical content. */
export interface DatasetRecord extends Omit<Dataset, 'statistics'> {
  statistics: PlainObject;
}

/**
 * Remembers that a run used this content of a dataset. Statistics of the whole replace those that a run counted after
 * filtering (`filtered`); otherwise the first stay.
 */
export async function upsertDataset(
  connection: Connection,
  dataset: { name: string; fingerprint: string; statistics: Record<string, unknown> },
): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO dataset (id, name, fingerprint, statistics)
    VALUES (${randomUUID()}::uuid, ${databaseText(dataset.name)}, ${databaseText(dataset.fingerprint)},
      ${databaseJson(dataset.statistics)}::jsonb)
    ON CONFLICT (name, fingerprint) DO UPDATE SET statistics = EXCLUDED.statistics
    WHERE dataset.statistics->>'filtered' IS DISTINCT FROM 'false' AND EXCLUDED.statistics->>'filtered' = 'false'`;
}

/** All contents seen, by name, newest first. */
export async function listDatasets(connection: Connection): Promise<DatasetRecord[]> {
  const rows = await connection.dataset.findMany({ orderBy: [{ name: 'asc' }, { createdAt: 'desc' }] });
  return rows.map((row) => ({ ...row, statistics: asPlainObject(row.statistics) }));
}

/** The fingerprint under which runs have met each of these datasets last, by name; those that none has met are left out. */
export async function newestFingerprints(
  connection: Connection,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await queryPage(connection, newestRow)`
    SELECT DISTINCT ON (name) name, fingerprint FROM dataset
    WHERE name = ANY(${names.map(databaseText)}::text[]) ORDER BY name, created_at DESC`;
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

/** The fingerprints under which runs have met a dataset, the newest first. */
export async function listFingerprints(connection: Connection, name: string): Promise<string[]> {
  const rows = await connection.dataset.findMany({
    select: { fingerprint: true },
    where: { name: databaseText(name) },
    orderBy: { createdAt: 'desc' },
    take: 20,
  });
  return rows.map((row) => row.fingerprint);
}
