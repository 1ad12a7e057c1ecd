import { coerceError } from '#src/base/lib/coerceError.ts';
import { awaitServer, type StartPatience } from '../awaitServer.ts';
import { connectPostgres, postgresErrorCode } from './postgresClient.ts';

/** A server that is not there yet, or whose machine or name is not; one that starts or ends, or has no connection free. */
const PASSING: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
  ...['57P01', '57P02', '57P03', '53300'],
]);

/** What `pg` says without a code, and poolers in front of a server that starts. */
const PASSING_TEXT = /timeout|terminated unexpectedly|starting up|shutting down|cannot connect to server|server login/i;

/** Whether a connection may succeed soon. */
function isStarting(thrown: unknown): boolean {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const code = postgresErrorCode(cause);
  return (code !== null && PASSING.has(code)) || PASSING_TEXT.test(coerceError(cause).message);
}

/**
 * Resolves when PostgreSQL takes connections.
 * @throws WarrenError UNAVAILABLE when it does not within the patience, or at once for what waiting does not mend (a wrong
 *   password, a database that is missing).
 */
export async function awaitPostgres(url: string, patience: StartPatience): Promise<void> {
  await awaitServer(
    async () => await (await connectPostgres(url, { applicationName: 'warren start' })).end(),
    isStarting,
    patience,
  );
}
