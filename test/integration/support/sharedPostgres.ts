// Started by vitest before the first test file that has services, and ended after the last: the PostgreSQL that
// `postgresForTests` makes databases on.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { makeTemplate } from './testDatabases.ts';
import { watchedFolder } from './watchedFolder.ts';

/** Starts the server, without fsync, and returns what ends it. WARREN_TEST_POSTGRES names another, by a superuser's address. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.WARREN_TEST_POSTGRES;
  if (given !== undefined) {
    await makeTemplate(given);
    provide('postgresUrl', given);
    provide('preparedHome', null);
    return async () => {};
  }
  const folder = watchedFolder();
  const log = createLogger('test', 'warn');
  const options = { home: join(folder, 'home'), port: 0, log, durable: false, superuser: true };
  const first = await startEmbeddedPostgres(options);
  await applyMigrations(first.url);
  await makeTemplate(first.superuserUrl());
  await first.stop();
  const prepared = join(folder, 'prepared');
  cpSync(options.home, prepared, { recursive: true });
  provide('preparedHome', prepared);
  const server = await startEmbeddedPostgres(options);
  provide('postgresUrl', server.superuserUrl());
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
