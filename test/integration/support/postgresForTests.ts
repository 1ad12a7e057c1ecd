import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/embeddedPostgres.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { applyMigrations } from '../../../src/platform/migrations.ts';
import { connectPostgres } from '../../../src/platform/postgresClient.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface TestPostgres {
  /** Address of a migrated database of this test file alone. The same after a restart. */
  url: string;
  server(): EmbeddedPostgres;
  /** Another database on the same server: migrated, or empty. Returns its address. */
  freshDatabase(options?: { empty?: boolean }): Promise<string>;
  /** `kill -9`, as an accident would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `kill` or a stop. */
  restart(): Promise<void>;
}

const TEMPLATE = 'warren_template';

/**
 * A real PostgreSQL (Warren's embedded one, without fsync unless `durable`) with a fresh migrated database for this test file, ended after
 * its tests for certain. Use at the top of a file: `const postgres = await postgresForTests()`. A test that kills it and
 * counts on what was committed needs `durable`.
 */
export async function postgresForTests({ durable = false } = {}): Promise<TestPostgres> {
  const home = join(temporaryFolder(), 'home');
  const log = createLogger('test', 'warn');
  const start = (port: number) => startEmbeddedPostgres({ home, port, log, durable });
  let server = await start(0);
  let databases = 0;
  afterAll(() => server.stop());

  const addressOf = (database: string): string => {
    const url = new URL(server.url);
    url.pathname = database;
    return url.href;
  };
  const createDatabase = async (name: string, template: string): Promise<string> => {
    const client = await connectPostgres(addressOf('postgres'), { applicationName: 'warren tests' });
    try {
      // The file-copy strategy needs a checkpoint, but not one write-ahead record a page.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    } finally {
      await client.end();
    }
    return addressOf(name);
  };
  const freshDatabase = async ({ empty = false } = {}): Promise<string> => {
    databases += 1;
    return createDatabase(`test_${databases}`, empty ? 'template0' : TEMPLATE);
  };

  await applyMigrations(await createDatabase(TEMPLATE, 'template0'));
  return {
    url: await freshDatabase(),
    server: () => server,
    freshDatabase,
    kill: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    restart: async () => {
      server = await start(server.port);
    },
  };
}
