import { connectionsOf, type Database } from './database.ts';
import { connectPostgres, postgresErrorCode } from './postgresClient.ts';

const WAIT_MS = 5_000;
/** SQLSTATE of what a user may not do: a database may forbid temporary tables. */
const FORBIDDEN = '42501';

/**
 * Ends well when others can reach the database and write into it, as they could not on a full disk: connections that were open
 * before still read there, and change rows in place, while new ones are refused and tables cannot grow.
 * @throws the error of the connection or of the write. Nothing is left behind.
 */
export async function requireRoom(db: Database): Promise<void> {
  const { connectionString } = connectionsOf(db).options;
  if (connectionString === undefined) return;
  const options = { applicationName: 'warren room', connectTimeoutMs: WAIT_MS, answerMs: WAIT_MS };
  const client = await connectPostgres(connectionString, options);
  try {
    await client.query('BEGIN');
    await client.query(
      'CREATE TEMPORARY TABLE warren_room ON COMMIT DROP AS SELECT repeat(md5(n::text), 64) FROM generate_series(1, 16) n',
    );
    await client.query('ROLLBACK');
  } catch (error) {
    // the connection was let in, which a full disk refuses: that has to do
    if (postgresErrorCode(error) !== FORBIDDEN) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
