import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { whileOpen } from './whileOpen.ts';

/** Makes a temporary folder while `work` lasts. */
export function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const make = () => mkdtempSync(join(tmpdir(), 'warren-bench-'));
  return whileOpen(make, (folder) => rmSync(folder, { recursive: true, force: true }), work);
}

/** Runs PostgreSQL with Warren's tables, on data in `home`, while `work` lasts. */
export function withPostgres<Result>(
  home: string,
  work: (postgres: EmbeddedPostgres) => Promise<Result>,
): Promise<Result> {
  const begin = () => startEmbeddedPostgres({ home, port: 0, log: createLogger('bench', 'warn'), superuser: true });
  return whileOpen(
    begin,
    (postgres) => postgres.stop(),
    async (postgres) => {
      await applyMigrations(postgres.url);
      return await work(postgres);
    },
  );
}
