import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { APPLICATION_ROLE } from '#src/base/platform/postgres/applicationRole.ts';
import { startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
const log = createLogger('test', 'error');

async function query(url: string, ...statements: string[]) {
  const client = await connectPostgres(url, { applicationName: 'warren tests' });
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

test('a new home gives programs a role that owns the database and may do nothing else', async () => {
  const server = await startEmbeddedPostgres({ home: join(folder, 'new'), port: 0, log, durable: false });
  try {
    const rights = await query(
      server.url,
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user`,
    );
    expect(Object.values(z.record(z.string(), z.boolean()).parse(rights[0]))).toEqual(Array(5).fill(false));
    await applyMigrations(server.url);
    const queue = await openRunQueue({ databaseUrl: server.url, redisUrl: null });
    await queue.close();
    await expect(query(server.url, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow('permission denied');
    await expect(query(server.url, `SELECT pg_read_file('/etc/passwd')`)).rejects.toThrow('permission denied');
    await expect(query(server.url, 'CREATE ROLE other SUPERUSER')).rejects.toThrow('permission denied');
    expect(server.url).not.toContain(new URL(server.superuserUrl()).password);
  } finally {
    await server.stop();
  }
});

test('the password of the superuser is kept nowhere, and one that an earlier version kept is changed', async () => {
  const home = join(folder, 'former');
  const start = () => startEmbeddedPostgres({ home, port: 0, log, durable: false });
  const file = join(home, 'postgres.json');
  const first = await start();
  const administration = first.superuserUrl();
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const { password } = new URL(administration);
  expect(readFileSync(file, 'utf8')).not.toContain(password);
  const { applicationPassword: _, ...record } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...record, password }));
  const later = await start();
  try {
    expect(readFileSync(file, 'utf8')).not.toContain(password);
    const former = Object.assign(new URL(later.url), { username: 'warren', password });
    await expect(query(former.href, 'SELECT 1')).rejects.toThrow('password was refused');
    expect(await query(later.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  } finally {
    await later.stop();
  }
  const again = await start();
  expect(() => again.superuserUrl()).toThrow('internal');
  await again.stop();
});

test('a database of an earlier version, made by the superuser, is handed over with all that is in it', async () => {
  const home = join(folder, 'old');
  const start = () => startEmbeddedPostgres({ home, port: 0, log, durable: false });
  const old = await start();
  const administration = old.superuserUrl().replace(/\/warren$/, '/postgres');
  await query(administration, 'DROP DATABASE warren', `DROP ROLE ${APPLICATION_ROLE}`, 'CREATE DATABASE warren');
  await applyMigrations(old.superuserUrl());
  await (await openRunQueue({ databaseUrl: old.superuserUrl(), redisUrl: null })).close();
  await query(
    old.superuserUrl(),
    `INSERT INTO project (id, name) VALUES (gen_random_uuid(), 'kept')`,
    'CREATE VIEW names AS SELECT name FROM project',
    'CREATE SEQUENCE alone',
    'CREATE DOMAIN word AS text',
    'CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  );
  await old.stop();

  const server = await start();
  try {
    expect(await query(server.url, 'SELECT name FROM names')).toEqual([{ name: 'kept' }]);
    const left = `
      SELECT relname AS name FROM pg_class WHERE relowner <> current_user::regrole AND relnamespace IN (SELECT oid FROM mine)
      UNION ALL SELECT typname FROM pg_type WHERE typowner <> current_user::regrole AND typnamespace IN (SELECT oid FROM mine)
      UNION ALL SELECT proname FROM pg_proc WHERE proowner <> current_user::regrole AND pronamespace IN (SELECT oid FROM mine)
      UNION ALL SELECT nspname FROM pg_namespace WHERE nspowner <> current_user::regrole AND nspname = 'bullmq'`;
    const mine = `WITH mine AS (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'bullmq'))`;
    expect(await query(server.url, `${mine} ${left}`)).toEqual([]);
    // What a later migration does.
    await query(server.url, 'ALTER TABLE project ADD COLUMN later int', `ALTER TYPE run_state ADD VALUE 'LATER'`);
    expect((await applyMigrations(server.url)).applied).toEqual([]);
    await (await openRunQueue({ databaseUrl: server.url, redisUrl: null })).close();
  } finally {
    await server.stop();
  }
});
