import type pg from 'pg';
import { connectPostgres } from './postgresClient.ts';

/** Who API, workers and command line are in the embedded PostgreSQL: the owner of Warren's database, and nothing else. */
export const APPLICATION_ROLE = 'warren_app';

/**
 * Makes the database of the role where there is none. One that a superuser owns, as earlier versions made it, becomes the
 * role's with all that is in it, in one transaction.
 * @param superuserUrl Address, as the superuser, of a database on that server.
 */
export async function prepareDatabase(superuserUrl: string, database: string, password: string): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/postgres';
  const owner = await withClient(url.href, async (client) => {
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APPLICATION_ROLE]);
    if (role.rowCount === 0) await client.query(`CREATE ROLE ${APPLICATION_ROLE} LOGIN`);
    const rights = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
    await client.query(`ALTER ROLE ${APPLICATION_ROLE} ${rights} PASSWORD '${password}'`);
    const known = await client.query<{ owner: string }>(
      'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
      [database],
    );
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${database} OWNER ${APPLICATION_ROLE}`);
    return known.rows[0]?.owner ?? APPLICATION_ROLE;
  });
  if (owner === APPLICATION_ROLE) return;
  url.pathname = `/${database}`;
  await withClient(url.href, (client) => client.query(handOver(database)));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectPostgres(url, { applicationName: 'warren start' });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A script that gives the role everything in the database but what belongs to PostgreSQL itself or to an extension. What
 * is part of a table (its indices, the sequences of its columns, its row type) goes with it. The database is the last, so
 * that a transfer that was cut off is done again.
 */
function handOver(database: string): string {
  return `
    DO $$
    DECLARE
      item text;
    BEGIN
      FOR item IN
        WITH ours AS (
          SELECT oid FROM pg_namespace
          WHERE nspname NOT IN ('information_schema', 'pg_catalog') AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'public'
        ), places AS (
          SELECT oid FROM ours UNION ALL SELECT oid FROM pg_namespace WHERE nspname = 'public'
        ), parts AS (
          SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
          UNION ALL
          SELECT classid, objid FROM pg_depend WHERE deptype IN ('a', 'i') AND classid = 'pg_class'::regclass
            AND refclassid = 'pg_class'::regclass
        )
        SELECT format('SCHEMA %I', oid::regnamespace::text) FROM ours
          WHERE oid NOT IN (SELECT objid FROM parts WHERE classid = 'pg_namespace'::regclass)
        UNION ALL
        SELECT format('%s %s', CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW'
            WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, oid::regclass)
          FROM pg_class WHERE relkind IN ('r', 'p', 'S', 'v', 'm', 'c') AND relnamespace IN (SELECT oid FROM places)
            AND oid NOT IN (SELECT objid FROM parts WHERE classid = 'pg_class'::regclass)
        UNION ALL
        SELECT format('TYPE %s', oid::regtype) FROM pg_type
          WHERE typtype IN ('e', 'd', 'r') AND typnamespace IN (SELECT oid FROM places)
            AND oid NOT IN (SELECT objid FROM parts WHERE classid = 'pg_type'::regclass)
        UNION ALL
        SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc
          WHERE pronamespace IN (SELECT oid FROM places)
            AND oid NOT IN (SELECT objid FROM parts WHERE classid = 'pg_proc'::regclass)
      LOOP
        EXECUTE format('ALTER %s OWNER TO ${APPLICATION_ROLE}', item);
      END LOOP;
      ALTER DATABASE ${database} OWNER TO ${APPLICATION_ROLE};
    END $$`;
}
