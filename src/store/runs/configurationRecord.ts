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

/** What an object of a configuration takes in memory beside its JSON, in bytes. */
const ROW_BYTES = 300;

/**
 * As `findConfigurations`, with the bytes that they take; none are read where these are more than `mostBytes`. The JSON comes
 * as text: it is measured and sent in one piece of work.
 */
export async function findConfigurationsWithin(
  connection: Connection,
  hashes: readonly string[],
  mostBytes: number,
): Promise<{ bytes: number; configurations: ConfigurationRecord[] }> {
  if (hashes.length === 0) return { bytes: 0, configurations: [] };
  type Texts = { bytes: number; dataset: string | null; parameters: string | null };
  const rows = await connection.$queryRaw<(Omit<ConfigurationRecord, keyof Texts> & Texts)[]>`
    WITH found AS MATERIALIZED (
      SELECT hash, kind, kind_version AS "kindVersion", dataset::text, dataset_name AS "datasetName", parameters::text,
        created_at AS "createdAt"
      FROM configuration WHERE hash = ANY(${[...hashes]}::text[])
    ), total AS (
      SELECT coalesce(sum(octet_length(parameters) + coalesce(octet_length(dataset), 0) + ${ROW_BYTES}::int), 0)::float8 AS bytes
      FROM found
    )
    SELECT total.bytes, found.* FROM total LEFT JOIN found ON total.bytes <= ${mostBytes}::float8`;
  const configurations = rows.flatMap(({ bytes: _, dataset, parameters, ...row }) =>
    parameters === null ? [] : [{ ...row, ...parsed(dataset, parameters) }],
  );
  return { bytes: rows[0]?.bytes ?? 0, configurations };
}

function parsed(dataset: string | null, parameters: string): Pick<ConfigurationRecord, 'dataset' | 'parameters'> {
  return { dataset: dataset === null ? null : JSON.parse(dataset), parameters: JSON.parse(parameters) };
}
