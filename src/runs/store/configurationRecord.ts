import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { jsonObject, queryPage, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `configuration`: immutable, named by its content hash. */
export const configurationRow = z.object({
  hash: z.string(),
  kind: z.string(),
  kindVersion: z.int(),
  /** The dataset selection; null for kinds that need none. */
  dataset: jsonObject.nullable(),
  datasetName: z.string().nullable(),
  parameters: jsonObject,
  createdAt: timestamp,
});
export type ConfigurationRecord = z.infer<typeof configurationRow>;

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
  return await queryRows(connection, configurationRow)`
    SELECT ${COLUMNS} FROM configuration WHERE hash = ANY(${[...hashes]}::text[])`;
}

const jsonText = z.string().transform((text) => jsonObject.parse(JSON.parse(text)));
const measuredRow = z.union([
  configurationRow.extend({ bytes: z.number(), dataset: jsonText.nullable(), parameters: jsonText }),
  z.object({ bytes: z.number(), hash: z.null() }),
]);

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
  const rows = await queryPage(connection, measuredRow)`
    WITH found AS MATERIALIZED (
      SELECT hash, kind, kind_version AS "kindVersion", dataset::text, dataset_name AS "datasetName", parameters::text,
        created_at AS "createdAt"
      FROM configuration WHERE hash = ANY(${[...hashes]}::text[])
    ), total AS (
      SELECT coalesce(sum(octet_length(parameters) + coalesce(octet_length(dataset), 0) + ${ROW_BYTES}::int), 0)::float8 AS bytes
      FROM found
    )
    SELECT total.bytes, found.* FROM total LEFT JOIN found ON total.bytes <= ${mostBytes}::float8`;
  const configurations = rows.filter((row) => row.hash !== null);
  return { bytes: rows[0]?.bytes ?? 0, configurations };
}
