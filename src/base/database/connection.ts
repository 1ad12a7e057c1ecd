import type { Prisma } from '#src/generated/prisma/client.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';

/** Where store functions run their queries: the database itself, or a transaction in it. */
export type Connection = Prisma.TransactionClient;

/** SQLSTATE codes of transactions that did nothing wrong and may be tried again: serialization failure, deadlock. */
const REPEATABLE = ['40001', '40P01'];
/**
 * SQLSTATE codes of a row that the caller would not see itself, and may not write: one that is new, and one that is there under the
 * same key (`conflicting row is not visible through view`, of PostgreSQL 15.20 and others).
 */
const OUT_OF_VIEW = ['44000', '55000'];
const TRIES = 4;

/**
 * Runs `work` in one transaction and returns what it returns; anything thrown rolls all of it back.
 * A transaction that the database ended because of a deadlock is tried again, so `work` may run more than once and must
 * do nothing outside the database.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await db.$transaction(work, { maxWait: 10_000, timeout: 60_000 });
    } catch (error) {
      if (tried >= TRIES || !isRepeatable(error)) throw error;
    }
  }
}

function isRepeatable(error: unknown): boolean {
  const code = sqlState(error);
  return (code !== null && REPEATABLE.includes(code)) || (hasCode(error) && error.code === 'P2034');
}

/** The SQLSTATE in an error of a query, such as `23505` (unique violation); null where there is none. */
export function sqlState(error: unknown): string | null {
  if (!hasMember(error, 'meta') || !hasMember(error.meta, 'driverAdapterError')) return null;
  const adapterError = error.meta.driverAdapterError;
  if (!hasMember(adapterError, 'cause') || !hasMember(adapterError.cause, 'originalCode')) return null;
  const code = adapterError.cause.originalCode;
  return typeof code === 'string' ? code : null;
}

/** Whether a statement was refused since its row is none that the caller sees. */
export function isOutOfView(error: unknown): boolean {
  return OUT_OF_VIEW.includes(sqlState(error) ?? '');
}

function hasCode(error: unknown): error is { code: string } {
  return hasMember(error, 'code') && typeof error.code === 'string';
}

function hasMember<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}

/** Ends well when the database answers. */
export async function pingDatabase(connection: Connection): Promise<void> {
  await connection.$executeRaw`SELECT 1`;
}
