import { randomUUID } from 'node:crypto';
import type { Connection } from '../database/connection.ts';
import { databaseJson, databaseText } from '../database/databaseText.ts';

/** A row of `dataset`: a content that runs have used. */
export interface DatasetRecord {
  id: string;
  name: string;
  /** sha256 of the canonical content. */
  fingerprint: string;
  statistics: Record<string, unknown>;
  createdAt: Date;
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
  return await connection.$queryRaw<DatasetRecord[]>`
    SELECT id, name, fingerprint, statistics, created_at AS "createdAt" FROM dataset ORDER BY name, created_at DESC`;
}

/** The fingerprints under which runs have met a dataset, the newest first. */
export async function listFingerprints(connection: Connection, name: string): Promise<string[]> {
  const rows = await connection.$queryRaw<{ fingerprint: string }[]>`
    SELECT fingerprint FROM dataset WHERE name = ${databaseText(name)} ORDER BY created_at DESC LIMIT 20`;
  return rows.map((row) => row.fingerprint);
}
