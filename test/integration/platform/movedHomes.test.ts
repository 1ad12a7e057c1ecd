import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { isAlive } from '#src/base/platform/processes/processTree.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const scratch = temporaryFolder();
const log = createLogger('test', 'error');
let homes = 0;

describe('a home that moves', () => {
  const started: EmbeddedPostgres[] = [];
  afterEach(async () => {
    for (const server of started) await server.stop();
    for (const { dataFolder } of started.splice(0)) rmSync(dataFolder, { recursive: true, force: true });
  });

  function newHome(): string {
    homes += 1;
    return join(scratch, `home${homes}`);
  }

  async function start(home: string, port?: number): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ home, log, durable: false, ...(port === undefined ? {} : { port }) });
    started.push(server);
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

  const recordOf = (home: string) => JSON.parse(readFileSync(join(home, 'postgres.json'), 'utf8'));

  it('starts where it is now, also when an earlier version wrote down where it was', async () => {
    const [before, after] = [newHome(), newHome()];
    const first = await start(before, 0);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(recordOf(before).dataFolder).toBe('postgres');
    writeFileSync(
      join(before, 'postgres.json'),
      JSON.stringify({ ...recordOf(before), dataFolder: join(before, 'postgres') }),
    );
    renameSync(before, after);
    const second = await start(after);
    expect(second.dataFolder).toBe(join(after, 'postgres'));
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is copied while it runs: each has its own server, and neither ends the other', async () => {
    const [home, copy] = [newHome(), newHome()];
    const original = await start(home, 0);
    await query(original.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await query(original.superuserUrl(), 'CHECKPOINT');
    // An ordinary copy: whoever makes it owns it, as `cp -r` does.
    cpSync(home, copy, { recursive: true });
    const copied = await start(copy);
    expect(copied.port).not.toBe(original.port);
    await query(copied.url, 'UPDATE kept SET answer = 43');
    expect(isAlive(original.pid)).toBe(true);
    expect(await query(original.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    // The copy, whose record names the port of the original, is not mistaken for it after a restart, nor the other way.
    await copied.stop();
    await original.stop();
    expect(await query((await start(copy)).url, 'SELECT answer FROM kept')).toEqual([{ answer: 43 }]);
    expect(await query((await start(home)).url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('whose record is empty, torn or missing keeps its data, gets a new password, and keeps what was damaged', async () => {
    const home = newHome();
    const first = await start(home, 0);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const whole = readFileSync(join(home, 'postgres.json'), 'utf8');
    for (const damaged of [whole.slice(0, whole.length / 2), '', null]) {
      if (damaged === null) rmSync(join(home, 'postgres.json'));
      else writeFileSync(join(home, 'postgres.json'), damaged);
      const again = await start(home, 0);
      expect(await query(again.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      expect(recordOf(home).applicationPassword).not.toBe(JSON.parse(whole).applicationPassword);
      await again.stop();
    }
    const kept = readdirSync(home).filter((name) => name.startsWith('postgres.json.damaged-'));
    expect(kept.map((name) => readFileSync(join(home, name), 'utf8'))).toContain(whole.slice(0, whole.length / 2));
  });

  it('says what to do when its record is torn and there are no data beside it', async () => {
    const home = newHome();
    mkdirSync(home);
    writeFileSync(join(home, 'postgres.json'), '{"dataFolder": "/var/li');
    await expect(start(home)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/postgres\.json is empty or torn.*bring it back; or, .* rename .*\(keep it/),
    });
  });

  describe.runIf(process.getuid?.() === 0)('as root, with its data outside, since its own user cannot reach it', () => {
    async function startOuter(home: string): Promise<EmbeddedPostgres> {
      mkdirSync(home, { mode: 0o700 });
      const server = await start(home, 0);
      expect(server.dataFolder.startsWith(home)).toBe(false);
      return server;
    }

    it('goes on with them after a move; its copy leaves them alone: it has them, too, unless they were in use', async () => {
      const [before, after, copy] = [newHome(), newHome(), newHome()];
      const first = await startOuter(before);
      await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      renameSync(before, after);
      const moved = await start(after);
      expect(moved.dataFolder).toBe(first.dataFolder);
      cpSync(after, copy, { recursive: true });
      const copied = await start(copy);
      expect(copied.dataFolder).not.toBe(moved.dataFolder);
      expect(await query(copied.url, "SELECT to_regclass('kept') AS kept")).toEqual([{ kept: null }]);
      expect(await query(moved.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      await moved.stop();
      const later = newHome();
      cpSync(after, later, { recursive: true });
      const whole = await start(later);
      expect(whole.dataFolder).not.toBe(moved.dataFolder);
      expect(await query(whole.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });

    it('leaves the data of a removed home alone, though its own folder has the inode of that one', async () => {
      const [removed, home] = [newHome(), newHome()];
      const { dataFolder, stop } = await startOuter(removed);
      await stop();
      mkdirSync(home);
      writeFileSync(join(home, 'postgres.json'), '');
      const { dev, ino } = statSync(home);
      const owner = { home: removed, folder: `${dev}:${ino}:1` };
      writeFileSync(join(dataFolder, 'warren-home.json'), JSON.stringify(owner));
      await expect(start(home)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('takes its data out when it is moved to where they cannot be reached', async () => {
      const home = newHome();
      const first = await start(home, 0);
      await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      chmodSync(home, 0o700);
      const second = await start(home);
      expect(second.dataFolder.startsWith(home)).toBe(false);
      expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });
  });
});
