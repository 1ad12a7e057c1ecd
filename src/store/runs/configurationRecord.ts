import { type Configuration, Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '../database/connection.ts';
import { databaseJson, databaseText } from '../database/databaseText.ts';

/** A row of `configuration`: immutable, named by its content hash. */
export interface ConfigurationRecord extends Omit<Configuration, 'dataset' | 'parameters'> {
  /** The dataset selection; null for kinds that need none. */
  dataset: Record<string, unknown> | null;
  parameters: Record<string, unknown>;
}

const COLUMNS = Prisma.sql`configuration.hash, configuration.kind, configuration.kind_version AS "kindVersion",
  configuration.dataset, configuration.dataset_name AS "datasetName", configuration.parameters,
  configuration.created_at AS "createdAt"`;

/** Inserts the configuration unless one with its hash is there. */
export async function upsertConfiguration(
  connection: Connection,
  configuration: Omit<ConfigurationRecord, 'createdAt'>,
): Promise<void> {
  const { hash, kind, kindVersion, dataset, datasetName, parameters } = configuration;
  await connection.$executeRaw`
    INSERT INTO configuration (hash, kind, kind_version, dataset, dataset_name, parameters)
    VALUES (${hash}, ${kind}, ${kindVersion}, ${dataset === null ? null : databaseJson(dataset)}::jsonb,
      ${datasetName === null ? null : databaseText(datasetName)}, ${databaseJson(parameters)}::jsonb)
    ON CONFLICT (hash) DO NOTHING`;
}

/** The configurations with these hashes, in no particular order. */
export async function findConfigurations(
  connection: Connection,
  hashes: readonly string[],
): Promise<ConfigurationRecord[]> {
  if (hashes.length === 0) return [];
  return await connection.$queryRaw<ConfigurationRecord[]>`
    SELECT ${COLUMNS} FROM configuration WHERE hash = ANY(${[...hashes]}::text[])`;
}
