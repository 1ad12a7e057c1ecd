import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const postgres = await postgresForTests();

test('external runs of an old database that still run get a lease, counted from the migration', async () => {
  const url = await postgres.freshDatabase({ empty: true });
  const folder = temporaryFolder();
  for (const name of ['0001_init', '0002_hot_series_updates', '0003_gpu_runs']) {
    cpSync(join(projectRoot(), 'prisma', 'migrations', name), join(folder, name), { recursive: true });
  }
  await applyMigrations(url, { folder });
  const client = await connectPostgres(url, { applicationName: 'test' });
  try {
    await client.query(`
      INSERT INTO project (id, name) VALUES (gen_random_uuid(), 'old');
      INSERT INTO configuration (hash, kind, kind_version, parameters) VALUES ('a', 'external', 1, '{}'), ('b', 'overrec', 1, '{}');
      INSERT INTO run (id, project_id, configuration_hash, seed, name, state, lease_expires_at)
      SELECT gen_random_uuid(), project.id, hash, 0, hash || ' ' || state, state::run_state, timestamptz '2020-01-01'
      FROM project, (VALUES ('a', 'RUNNING'), ('a', 'SUCCEEDED'), ('b', 'RUNNING')) AS given (hash, state)`);
    await applyMigrations(url);
    const { rows } = await client.query(`SELECT name, lease_seconds AS lease,
      lease_expires_at > now() + interval '10 minutes' AS ahead FROM run ORDER BY name`);
    expect(rows).toEqual([
      { name: 'a RUNNING', lease: 900, ahead: true },
      { name: 'a SUCCEEDED', lease: null, ahead: false },
      { name: 'b RUNNING', lease: null, ahead: false },
    ]);
  } finally {
    await client.end();
  }
});
