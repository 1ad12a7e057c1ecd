import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import { buildProgram } from '../support/buildProgram.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const scratch = temporaryFolder();
const log = createLogger('test', 'error');
let homes = 0;

describe('the embedded PostgreSQL', () => {
  const started: EmbeddedPostgres[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const server of started.splice(0)) await server.stop();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function newHome(): string {
    homes += 1;
    return join(scratch, `home${homes}`);
  }

  async function start(home: string, port?: number): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ home, log, durable: false, ...(port === undefined ? {} : { port }) });
    started.push(server);
    folders.push(server.dataFolder);
    return server;
  }

  async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = await connectPostgres(url, { applicationName: 'test' });
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  it('starts, stops, and keeps data and port', async () => {
    const home = newHome();
    const first = await start(home, 0);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const second = await start(home);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('lets nobody in without the password, which its owner alone can read, and keeps what is committed', async () => {
    const home = newHome();
    const server = await startEmbeddedPostgres({ home, log, port: 0 });
    started.push(server);
    expect(statSync(join(home, 'postgres.json')).mode & 0o777).toBe(0o600);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    const stranger = new URL(server.url);
    stranger.password = '';
    await expect(query(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await query(server.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(server.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  });

  it('recovers what was committed before a kill -9', async () => {
    const home = newHome();
    const first = await start(home, 0);
    await query(first.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start(home);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 1000 }]);
  });

  it('stops a server that a killed Warren left running, and starts its own', async () => {
    const home = newHome();
    const program = await buildProgram('startPostgres.ts');
    const parent = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    parent.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    await waitUntil('the other process has started it', () => said.includes('\n'), 60_000);
    parent.kill('SIGKILL');
    await exitOf(parent);
    const url = said.trim();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const server = await start(home);
    expect(server.url).toBe(url);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('removes a stale lock file that names a process which is no PostgreSQL', async () => {
    const home = newHome();
    const first = await start(home, 0);
    await first.stop();
    const lockFile = join(first.dataFolder, 'postmaster.pid');
    writeFileSync(lockFile, `${process.pid}\n${first.dataFolder}\n`);
    const second = await start(home);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('takes the next port when its own is taken', async () => {
    const home = newHome();
    const first = await start(home, 0);
    await first.stop();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(first.port, '127.0.0.1', resolve));
    try {
      const second = await start(home);
      expect(second.port).toBeGreaterThan(first.port);
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it('starts two homes side by side', async () => {
    const [a, b] = await Promise.all([start(newHome(), 0), start(newHome(), 0)]);
    expect(a.port).not.toBe(b.port);
    expect(a.dataFolder).not.toBe(b.dataFolder);
  });

  it('says so when the data or their version are not what they were, and advises nothing that destroys', async () => {
    const home = newHome();
    const server = await start(home, 0);
    await server.stop();
    const version = join(server.dataFolder, 'PG_VERSION');
    writeFileSync(version, '17\n');
    await expect(start(home)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/is of PostgreSQL 17, Warren brings \d+/),
    });
    rmSync(server.dataFolder, { recursive: true });
    await expect(start(home)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/is gone; bring it back; or, .* rename .*postgres\.json \(keep it/),
    });
  });

  it('begins anew after a first start that was interrupted before it was done', async () => {
    const home = newHome();
    const first = await start(home, 0);
    await first.stop();
    rmSync(join(home, 'postgres.json'));
    rmSync(join(first.dataFolder, 'postmaster.opts')); // as initdb leaves it
    const second = await start(home, 0);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.runIf(process.getuid?.() === 0)(
    'as root, keeps the data where its own user can reach them, and says where',
    async () => {
      const home = newHome();
      await start(home, 0).then((server) => server.stop()); // makes the folder
      for (const name of ['postgres.json', 'postgres']) rmSync(join(home, name), { recursive: true });
      chmodSync(home, 0o700);
      const server = await start(home, 0);
      expect(server.dataFolder.startsWith(home)).toBe(false);
      expect(existsSync(join(server.dataFolder, 'PG_VERSION'))).toBe(true);
      expect(readFileSync(join(home, 'postgres.json'), 'utf8')).toContain(server.dataFolder);
      await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS one');
      await server.stop();
      const again = await start(home);
      expect(await query(again.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    },
  );
});
