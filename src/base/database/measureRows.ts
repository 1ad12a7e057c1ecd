import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from './connection.ts';
import { queryRows } from './queryRows.ts';

const bytesRow = z.object({ bytes: z.number() });

/** What a row costs beside its text, in bytes: an object with its fields. */
const ROW_BYTES = 300;

/** Rows as they are listed: without the artifacts that are contents of media. */
const TABLES = {
  artifact: Prisma.sql`(SELECT * FROM artifact WHERE role <> 'media') artifact`,
  attempt: Prisma.sql`attempt`,
} as const;

/** Bytes that rows take, without reading them. @param rows A query of them. */
export async function measureRows(connection: Connection, rows: Prisma.Sql): Promise<number> {
  const found = await queryRows(connection, bytesRow)`
    SELECT coalesce(sum(octet_length(found::text) + ${ROW_BYTES}::int), 0)::float8 AS bytes FROM (${rows}) found`;
  return found[0]?.bytes ?? 0;
}

/** Bytes that the rows of the runs take. */
export async function measureRowsOfRuns(
  connection: Connection,
  table: keyof typeof TABLES,
  runIds: readonly string[],
): Promise<number> {
  const ids = [...runIds];
  return await measureRows(connection, Prisma.sql`SELECT * FROM ${TABLES[table]} WHERE run_id = ANY(${ids}::uuid[])`);
}

/** Numbers and id of a series, in bytes. */
const SERIES_BYTES = 150;

/** Bytes that the series of the runs take; with `names`, those of these names. */
export async function measureSeries(
  connection: Connection,
  runIds: readonly string[],
  names: readonly string[] | null = null,
): Promise<number> {
  const ids = [...runIds];
  const named = names === null ? Prisma.empty : Prisma.sql`AND name = ANY(${[...names]}::text[])`;
  const found = await queryRows(connection, bytesRow)`
    SELECT coalesce(sum(octet_length(name) + ${ROW_BYTES + SERIES_BYTES}::int), 0)::float8 AS bytes
    FROM metric_series WHERE run_id = ANY(${ids}::uuid[]) ${named}`;
  return found[0]?.bytes ?? 0;
}

/** As `measureSeries`, of series that have been read, by their names. */
export function bytesOfSeries(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + Buffer.byteLength(name) + ROW_BYTES + SERIES_BYTES, 0);
}

/** What the series of these names take at most in so many runs; infinite without names. */
export function mostBytesOfSeries(runs: number, names: readonly string[] | null): number {
  return names === null ? Number.POSITIVE_INFINITY : runs * bytesOfSeries(names);
}

/** Bytes that the configurations take. */
export async function measureConfigurations(connection: Connection, hashes: readonly string[]): Promise<number> {
  return await measureRows(
    connection,
    Prisma.sql`SELECT * FROM configuration WHERE hash = ANY(${[...hashes]}::text[])`,
  );
}

/** Bytes that the notes, environments and stacks of the runs take. */
export async function measureRunTexts(connection: Connection, runIds: readonly string[]): Promise<number> {
  const ids = [...runIds];
  return await measureRows(
    connection,
    Prisma.sql`SELECT notes, environment, left(error_stack, 10000) FROM run WHERE id = ANY(${ids}::uuid[])`,
  );
}
