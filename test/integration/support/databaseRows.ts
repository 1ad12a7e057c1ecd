import type pg from 'pg';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';

/** All rows of a database as text, by table and primary key. */
export type Rows = ReadonlyMap<string, string>;

/** What Warren itself writes down of rows as time goes by, whoever asks. */
const BY_TIME = new Set([
  ...['lease_expires_at', 'last_heard_at', 'last_used_at', 'used_at', 'refreshed_at', 'looked_at', 'seen_at'],
  ...['last_seen_at', 'last_listened_at', 'due_at', 'attempts', 'problem'],
]);

/** Tables of the database's own, and points, which move from one table to another: their series tells how many and which is last. */
const APART = new Set([
  ...['_prisma_migrations', 'program_listener', 'unsettled_content', 'metric_point', 'metric_block'],
]);

/** Every row of every table, but for what changes by itself. */
export async function rowsOf(url: string): Promise<Rows> {
  const client = await connectPostgres(url, { applicationName: 'warren tests' });
  try {
    const tables = await client.query<{ name: string; key: string[] }>(
      `SELECT class.relname AS name, array_agg(attname::text ORDER BY attnum) AS key
       FROM pg_class class JOIN pg_index i ON i.indrelid = class.oid AND i.indisprimary
       JOIN pg_attribute a ON a.attrelid = class.oid AND a.attnum = ANY (i.indkey)
       WHERE class.relnamespace = 'public'::regnamespace GROUP BY class.relname`,
    );
    const rows = new Map<string, string>();
    for (const { name, key } of tables.rows) {
      if (APART.has(name)) continue;
      const found = await client.query<{ row: Record<string, unknown> }>(`SELECT to_jsonb(t) AS row FROM "${name}" t`);
      for (const { row } of found.rows) {
        const place = `${name} ${key.map((column) => String(row[column])).join(' ')}`;
        rows.set(place, JSON.stringify(Object.entries(row).filter(([column]) => !BY_TIME.has(column))));
      }
    }
    return rows;
  } finally {
    await client.end();
  }
}

/** Of the server, with nothing of any project: what workers are there, what is paused, which content is to be looked at. */
const OF_SERVER = new Set(['worker', 'queue_pause', 'program_listener', 'unsettled_content']);

/** Every row that a caller sees who is held to some projects, by what the connection says. */
export async function rowsSeen(client: pg.Client): Promise<Rows> {
  const views = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'v' AND relnamespace = 'warren_projects'::regnamespace`,
  );
  const names = views.rows.map(({ name }) => name).filter((name) => !OF_SERVER.has(name));
  const byTime = `'{${[...BY_TIME].join(',')}}'::text[]`;
  const { rows } = await client.query<{ row: string }>(
    names
      .map((name) => `SELECT '${name} ' || (to_jsonb(t) - ${byTime})::text AS row FROM warren_projects."${name}" t`)
      .join(' UNION ALL '),
  );
  return new Map(rows.map(({ row }) => [row, row]));
}

/** Those that were not there before. */
export function rowsAdded(before: Rows, after: Rows): Rows {
  return new Map([...after].filter(([place]) => !before.has(place)));
}

/** Which of some rows are gone or different. */
export function rowsChanged(some: Rows, after: Rows): string[] {
  return [...some].flatMap(([place, row]) => {
    const now = after.get(place);
    return now === row ? [] : [`${place}: ${now === undefined ? 'gone' : `${row} → ${now}`}`];
  });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Ids and hashes in some rows that stand in none of others. */
export function idsOf(some: Rows, others: Rows): Set<string> {
  const known = [...others.values()].join('\n');
  const found = [...some.values()].flatMap((row) => [...row.matchAll(UUID), ...row.matchAll(/[0-9a-f]{64}/g)]);
  return new Set(found.map(([id]) => id).filter((id) => !known.includes(id)));
}
