import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { connectionsUnlessTransaction } from '#src/base/platform/postgres/database.ts';
import type { Connection } from './connection.ts';

/** `float8`: NaN and infinite as well. */
export const float8 = z.custom<number>((value) => typeof value === 'number', 'expected a number');
/** An invalid `Date` where it is beyond the years that JavaScript knows. */
export const timestamp = z.custom<Date>((value) => value instanceof Date, 'expected a time');
/** `int8` as a number: exact up to 2⁵³. */
export const int8 = z.bigint().transform(Number);
/** `float8` that was selected as `::text`. */
export const float8Text = z.string().transform(Number);
const texts = z.array(z.string());
/** A JSON list of texts that was selected as `::text`: cheaper than one row a text. */
export const textsJson = z.string().transform((json) => texts.parse(JSON.parse(json)));
/** `jsonb` that is an object; its members are as they were stored. */
export const jsonObject = z.custom<Record<string, unknown>>(isPlainObject, 'expected an object');

/** Of queries that answer one count, as `count`. */
export const countRow = z.object({ count: z.int() });
/** Of queries that answer names alone. */
export const nameRow = z.object({ name: z.string() });
/** Of queries that answer ids alone. */
export const idRow = z.object({ id: z.string() });

/**
 * Runs the query that follows as a template and answers its rows, every one checked as it enters: `row` names the columns
 * with their types, from which TypeScript's come. Columns that it does not name are left out. Make `row` once, outside of
 * functions: zod compiles it at its first use. The check of 10,000 runs takes a tenth to a quarter of the time
 * of their query, that of a page of 50 a twentieth.
 * @throws Error that names row and column, where an answer is not what `row` says: the fault is in the query.
 */
export function queryRows<Row>(
  connection: Connection,
  row: z.ZodType<Row>,
): (query: TemplateStringsArray, ...values: readonly unknown[]) => Promise<Row[]> {
  return async (query, ...values) => checkRows(await connection.$queryRaw(query, ...values), row);
}

/**
 * As `queryRows`, for pages that people look through: past Prisma, which takes longer than the database does, unless in a
 * transaction. Columns are text, uuid, float8, int4, bool, timestamptz, json, enums, and lists of text and int4: others come
 * as the driver has them.
 */
export function queryPage<Row>(
  connection: Connection,
  row: z.ZodType<Row>,
): (query: TemplateStringsArray, ...values: readonly unknown[]) => Promise<Row[]> {
  const connections = connectionsUnlessTransaction(connection);
  if (connections === undefined) return queryRows(connection, row);
  return async (query, ...values) => {
    const { text, values: parameters } = Prisma.sql(query, ...values);
    return checkRows((await connections.query(text, [...parameters])).rows, row);
  };
}

function checkRows<Row>(found: unknown, row: z.ZodType<Row>): Row[] {
  if (!Array.isArray(found)) throw new Error('internal: a query answered no rows');
  return found.map((one, place) => {
    const parsed = row.safeParse(one);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new Error(`internal: row ${place} of a query, column ${issue?.path.join('.')}: ${issue?.message}`);
  });
}
