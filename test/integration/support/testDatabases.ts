import { randomBytes } from 'node:crypto';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL that `sharedPostgres.ts` starts, with its password. */
    postgresUrl: string;
  }
}

/** Databases of one test file. */
export interface TestDatabases {
  /** Address of a migrated database of this test file alone. */
  url: string;
  /** Another database on the same server: migrated, or empty. Returns its address. */
  freshDatabase(options?: { empty?: boolean }): Promise<string>;
}

const TEMPLATE = 'warren_template';

/** Makes the migrated database that others are copied from, once a server. */
export async function makeTemplate(serverUrl: string): Promise<void> {
  await administer(serverUrl, `DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await createDatabase(serverUrl, TEMPLATE, 'template0');
  await applyMigrations(addressOf(serverUrl, TEMPLATE));
}

/** Makes a database, migrated or empty, under a name that no other has. Returns its address. */
export async function makeDatabase(serverUrl: string, { empty = false } = {}): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = empty ? 'template0' : TEMPLATE;
  await createDatabase(serverUrl, name, template);
  return addressOf(serverUrl, name);
}

/** Ends what is still connected to databases that `makeDatabase` made, and removes them. */
export async function dropDatabases(serverUrl: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) await administer(serverUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = database;
  return url.href;
}

/** By copying files, which needs a checkpoint, but not one write-ahead record a page; PostgreSQL 14 knows nothing else. */
async function createDatabase(serverUrl: string, name: string, template: string): Promise<void> {
  const [server] = await administer(serverUrl, 'SHOW server_version_num');
  const strategy = Number(server?.server_version_num) >= 150_000 ? ' STRATEGY file_copy' : '';
  await administer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}${strategy}`);
}

async function administer(serverUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = await connectPostgres(addressOf(serverUrl, 'postgres'), { applicationName: 'warren tests' });
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
