import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import type { RunField } from '#src/base/contracts/runFilter/syntax.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { jsonSql, metricSql, numberSql, textSql, timeSql } from './runFieldSql.ts';

type Sql = Prisma.Sql;

export interface RunOrder {
  field: RunField;
  descending: boolean;
}

/** What runs are ordered by, before their number: values inside JSON by number first, then by text. */
export interface OrderKey {
  type: 'number' | 'text';
  expression: Sql;
  /** What is joined to `run` so that the expression has its value; nothing when left out. */
  join?: Sql;
  /** The metric whose last value it is, unless a program has given a rule. */
  lastOf?: string;
}

/** Runs without a value come last in both directions, as do NaNs. */
export function orderKeys(field: RunField): OrderKey[] {
  switch (field.type) {
    case 'number':
      return field.name === 'number' ? [] : [{ type: 'number', expression: numberSql(field) }];
    case 'text':
    case 'loggedText':
      return [{ type: 'text', expression: textSql(field) }];
    case 'time':
      return [{ type: 'number', expression: Prisma.sql`(extract(epoch FROM ${timeSql(field)}) * 1000)::float8` }];
    case 'state':
      return [
        { type: 'number', expression: Prisma.sql`array_position(enum_range(NULL::run_state), run.state)::float8` },
      ];
    case 'metric': {
      const expression = Prisma.sql`nullif(${metricSql(field)}, 'NaN'::float8)`;
      const join = Prisma.sql`LEFT JOIN metric_series series ON series.run_id = run.id
        AND series.name = ${databaseText(field.name)} AND series.point_count > 0`;
      return [{ type: 'number', expression, join, ...(field.summary === 'last' ? { lastOf: field.name } : {}) }];
    }
    case 'json': {
      const json = jsonSql(field);
      const type = Prisma.sql`jsonb_typeof(${json})`;
      const number = Prisma.sql`CASE WHEN ${type} = 'number' THEN (${json})::float8 END`;
      const text = Prisma.sql`CASE WHEN ${type} NOT IN ('number', 'null') THEN ${json} #>> '{}' END COLLATE "C"`;
      return [
        { type: 'number', expression: number },
        { type: 'text', expression: text },
      ];
    }
    case 'tag':
      return [];
  }
}

const numberKey = z.union([z.number(), z.enum(['Infinity', '-Infinity'])]).nullable();
const cursorSchema = z.strictObject({
  /** The order that the cursor belongs to. */
  o: z.string(),
  n: z.int32(),
  k: z.array(z.union([numberKey, z.string()])).max(2),
});

/** Where a page ended: the keys of its last run and its number. */
export interface OrderPosition {
  number: number;
  keys: readonly (number | string | null)[];
}

/** So many runs in an order, from a place in it. */
export interface RunRange {
  keys: readonly OrderKey[];
  descending: boolean;
  after: OrderPosition | null;
  first: number;
}

/** An opaque cursor. @param order Names the order, so that the cursor is refused in another one. */
export function encodePosition(order: string, position: OrderPosition): string {
  const keys = position.keys.map((key) => (typeof key === 'number' && !Number.isFinite(key) ? String(key) : key));
  return Buffer.from(JSON.stringify({ o: order, n: position.number, k: keys })).toString('base64url');
}

/** @throws WarrenError BAD_INPUT when the cursor is none, or belongs to another order. */
export function decodePosition(cursor: string, order: string, keys: readonly OrderKey[]): OrderPosition {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success || parsed.data.k.length !== keys.length) {
    throw badInput(`after: "${cursor.slice(0, 40)}" is not a cursor; give the endCursor of an earlier page`, 'after');
  }
  if (parsed.data.o !== order) {
    throw badInput('after: this cursor belongs to a page in another order; start again without it', 'after');
  }
  const values = parsed.data.k.map((key, index) => {
    if (key === null) return null;
    const value = keys[index]?.type === 'number' ? Number(key) : key;
    if (typeof value === 'number' ? Number.isNaN(value) : databaseText(value) !== value) {
      throw badInput('after: this cursor has been changed; give the endCursor of an earlier page', 'after');
    }
    return value;
  });
  return { number: parsed.data.n, keys: values };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `ORDER BY` over the columns `k0`, `k1` and `number` of a page. */
export function orderBySql(keys: readonly OrderKey[], descending: boolean): Sql {
  const direction = Prisma.raw(descending ? 'DESC' : 'ASC');
  const columns = keys.map((_, index) => Prisma.sql`${Prisma.raw(`k${index}`)} ${direction} NULLS LAST`);
  return Prisma.join([...columns, Prisma.sql`number ${direction}`]);
}

/** Whether a run comes after a position. */
export function afterSql(keys: readonly OrderKey[], descending: boolean, position: OrderPosition): Sql {
  const beyond = Prisma.raw(descending ? '<' : '>');
  return keys.reduceRight<Sql>((rest, { type, expression }, index) => {
    const key = position.keys[index] ?? null;
    if (key === null) return Prisma.sql`(${expression} IS NULL AND ${rest})`;
    const value =
      type === 'number' ? Prisma.sql`${String(key)}::text::float8` : Prisma.sql`${String(key)}::text COLLATE "C"`;
    return Prisma.sql`(${expression} ${beyond} ${value} OR ${expression} IS NULL
        OR ${expression} = ${value} AND ${rest})`;
  }, Prisma.sql`run.number ${beyond} ${position.number}::int`);
}
