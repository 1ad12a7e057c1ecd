import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { clientOf } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { runShell, startShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { runWarren, startUp } from '../support/warrenCommand.ts';

const document = documentForTests('backup.md');
const postgres = await postgresForTests();
const folder = temporaryFolder();
const home = join(folder, 'home');
const database = { 'postgres://warren:…@db.example/warren': await postgres.freshDatabase({ empty: true }) };
const server = { ...database, '/var/lib/warren': join(folder, 'server'), '/backups': folder };
const save = document.take('save', { '/backups': folder });
const restore = document.take('restore', {
  '/backups': folder,
  '/data/warren': join(folder, 'moved'),
  ' up': ' up --port 0',
});
const saveServer = document.take('save-server', server);
const project = document.take('project', server);
const restoreServer = document.take('restore-server', server);

it('saves a Warren while it runs, and restores it into a new home, where its queued runs run', async () => {
  const up = await startUp(home, ['--workers', '0'], { WARREN_ARTIFACTS: join(folder, 'elsewhere') });
  const run = ['run', 'item-knn', '--dataset', 'generated/markov-small', '--json'];
  const queued = JSON.parse((await runWarren(run, { WARREN_HOME: home })).stdout);
  expect(queued.state).toBe('QUEUED');
  const { ok, fetch } = clientOf(up.url);
  const { createRun } = await ok('mutation { createRun(input: {}) { id } }');
  const put = await fetch(`/artifacts/${createRun.id}/notes`, { method: 'PUT', body: 'kept elsewhere' });
  expect(put.status).toBe(201);
  // found by a command that is not told where they are
  expect(await runShell(save, { WARREN_HOME: home })).toMatch(
    /warren-2026-11-30\.tar \([\d.]+ [KM]iB\): 2 runs and 1 artifact \(14 B\), 0 points/,
  );
  const { sha256 } = JSON.parse(await put.text());
  rmSync(join(folder, 'elsewhere', sha256.slice(0, 2), sha256));
  const second = await runWarren(['backup', join(folder, 'second.tar')], { WARREN_HOME: home });
  expect(second.stderr).not.toContain('table ');
  expect(second.stderr.trim().split('\n').length).toBeLessThan(6);
  expect(second).toMatchObject({ code: 1, stdout: expect.stringContaining('1 artifact was gone or damaged') });
  expect(existsSync(join(folder, 'second.tar'))).toBe(true);
  const moved = startShell(restore, {});
  const url = await waitUntil('the restored Warren', () => /Warren is up at (\S+)/.exec(moved.stdout())?.[1], 60_000);
  await waitUntil('the queued run to end', async () => {
    const shown = await runWarren(['show', queued.id, '--json'], {
      WARREN_HOME: join(folder, 'moved'),
      WARREN_API_URL: url,
    });
    return JSON.parse(shown.stdout).state === 'SUCCEEDED';
  });
  expect(existsSync(join(folder, 'moved', 'postgres', 'PG_VERSION'))).toBe(true);
  expect(await up.stateOf(queued.id)).toBe('QUEUED');
  await up.stop();
});

it('saves and restores a database of its own, with its tokens', async () => {
  const [url = ''] = Object.values(database);
  await applyMigrations(url);
  await addToken(url, 'ann');
  expect(await runShell(saveServer, {})).toContain('0 runs and 0 artifacts');
  await addToken(url, 'bob');
  await query(url, "INSERT INTO project (id, name) VALUES (gen_random_uuid(), 'default')");
  expect(await runShell(project, {})).toMatch(
    /default.tar.gz: 0 runs and 0 artifacts.*\n.*from-ann: 0 runs, 0 artifacts came/s,
  );
  expect(await runShell(restoreServer, {})).toContain('0 runs and 0 artifacts');
  expect(await query(url, 'SELECT name FROM api_token')).toEqual([{ name: 'ann' }]);
});

const addToken = (url: string, name: string) =>
  query(
    url,
    `INSERT INTO api_token (id, name, token_hash, role) VALUES (gen_random_uuid(), '${name}', '${name}', 'READ')`,
  );

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await connectPostgres(url, { applicationName: 'test' });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
