import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';

// Whole tables in PostgreSQL's text format, over a connection outside Prisma: for backups.

export interface TableShape {
  name: string;
  columns: string[];
}

/** Where a counting column goes on. */
export interface SequencePosition {
  table: string;
  column: string;
  value: string;
  isCalled: boolean;
}

/** A name as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Every table with its columns, but for the record of migrations; one that others refer to comes before them. */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query(`
    SELECT class.relname AS name, (
        SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns, (
        SELECT coalesce(array_agg(DISTINCT target.relname::text), '{}') FROM pg_constraint
        JOIN pg_class target ON target.oid = confrelid
        WHERE conrelid = class.oid AND contype = 'f' AND confrelid <> conrelid) AS needs
    FROM pg_class class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname <> '_prisma_migrations'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = class.oid AND deptype = 'e')
    ORDER BY relname`);
  const shape = z.object({ name: z.string(), columns: z.array(z.string()), needs: z.array(z.string()) });
  let open = z.array(shape).parse(rows);
  const sorted: TableShape[] = [];
  while (open.length > 0) {
    const ready = open.filter(({ needs }) => needs.every((name) => sorted.some((table) => table.name === name)));
    if (ready.length === 0) throw new Error(`tables refer to each other: ${open.map(({ name }) => name).join(', ')}`);
    sorted.push(...ready.map(({ name, columns }) => ({ name, columns })));
    open = open.filter((table) => !ready.includes(table));
  }
  return sorted;
}

const CONTENT_TABLES = ['artifact', 'registry_file'];

/** The tables whose rows refer to content of the artifact store, of those that a database has: an older one has fewer. */
export function contentTables(tables: readonly TableShape[]): string[] {
  return CONTENT_TABLES.filter((name) => tables.some((table) => table.name === name));
}

/** The counting columns of every table and their last numbers. */
export async function listSequences(client: pg.Client): Promise<SequencePosition[]> {
  const { rows } = await client.query(`
    SELECT class.relname AS table, attname AS column, sequence.relname AS sequence
    FROM pg_depend JOIN pg_class sequence ON sequence.oid = objid AND sequence.relkind = 'S'
    JOIN pg_class class ON class.oid = refobjid
    JOIN pg_attribute ON attrelid = class.oid AND attnum = refobjsubid
    WHERE deptype IN ('a', 'i') AND class.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`);
  const owned = z.array(z.object({ table: z.string(), column: z.string(), sequence: z.string() })).parse(rows);
  const positions: SequencePosition[] = [];
  for (const { table, column, sequence } of owned) {
    const read = await client.query(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${quoted(sequence)}`,
    );
    const position = z.object({ value: z.string(), isCalled: z.boolean() }).parse(read.rows[0]);
    positions.push({ table, column, ...position });
  }
  return positions;
}

/** The rows of a table, as they come; `rowCount` is right once the stream has ended. */
export function copyTableOut(client: pg.Client, { name, columns }: TableShape) {
  return client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`));
}

/** The rows that a query gives, as `copyTableOut` gives them. */
export function copyRowsOut(client: pg.Client, query: string) {
  return client.query(copyTo(`COPY (${query}) TO STDOUT`));
}

/** Takes rows that `copyTableOut` gave; `rowCount` is right once the stream has finished. */
export function copyTableIn(client: pg.Client, { name, columns }: TableShape) {
  return client.query(copyFrom(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`));
}

/** Lets a counting column go on where it was. */
export async function setSequence(client: pg.Client, position: SequencePosition): Promise<void> {
  const { table, column, value, isCalled } = position;
  await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)', [quoted(table), column, value, isCalled]);
}

/** Removes every table, type and function of the current schema, but for those of extensions, and the queue's own schema. */
export async function dropAllTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    SELECT format('DROP TABLE %s CASCADE', oid::regclass) AS statement FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    UNION ALL
    SELECT format('DROP TYPE %s CASCADE', oid::regtype) FROM pg_type
    WHERE typtype = 'e' AND typnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_type.oid AND deptype = 'e')
    UNION ALL
    SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`);
  for (const { statement } of z.array(z.object({ statement: z.string() })).parse(rows)) await client.query(statement);
  await client.query('DROP SCHEMA IF EXISTS bullmq CASCADE');
}

/** Names of the tables that have rows. */
export async function listFilledTables(client: pg.Client): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${quoted(name)}) AS filled`);
    if (rows[0]?.filled === true) filled.push(name);
  }
  return filled;
}

/** The identity of the database, or null where it has none yet. */
export async function readIdentity(client: pg.Client): Promise<string | null> {
  const table = await client.query("SELECT to_regclass('database_identity') IS NOT NULL AS present");
  if (table.rows[0]?.present !== true) return null;
  const { rows } = await client.query('SELECT id::text FROM database_identity');
  return z.array(z.object({ id: z.uuid() })).parse(rows)[0]?.id ?? null;
}

/** Says that what was sent to this database since its backup may be gone. */
export async function beginEpoch(client: pg.Client): Promise<void> {
  await client.query('UPDATE database_identity SET epoch = gen_random_uuid()');
}

/** How many values of metrics the database has, as its series say. */
export async function countPoints(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT coalesce(sum(point_count), 0)::float8 AS points FROM metric_series');
  return z.array(z.object({ points: z.number() })).parse(rows)[0]?.points ?? 0;
}
