import { coerceError } from '#src/base/lib/coerceError.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { sqlState } from '#src/base/database/connection.ts';

/** SQLSTATE classes of statements that will fail again: bad data, broken constraints, wrong statements. */
const LASTING = ['22', '23', '42'];

/** True when trying again cannot help; false while a database is away, starting, or out of connections. */
export function isFinalDatabaseFailure(thrown: unknown): boolean {
  if (thrown instanceof WarrenError) return thrown.code !== 'UNAVAILABLE';
  const state = sqlState(thrown);
  return state !== null && LASTING.includes(state.slice(0, 2));
}

/** What an error says in one line: Prisma's messages quote the call first and come to the point in the last line. */
export function shortMessage(thrown: unknown): string {
  const { message, name } = coerceError(thrown);
  const lines = message.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? name;
}
