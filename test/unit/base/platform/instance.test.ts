import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimInstance, readInstance, tokenFor } from '#src/base/platform/instance.ts';
import { exitOf } from '#src/base/platform/processes/processTree.ts';

const addresses = {
  apiUrl: 'http://127.0.0.1:4680',
  databaseUrl: 'postgresql://warren:x@127.0.0.1:4690/warren',
  redisUrl: null,
  postgresPid: 42,
  token: 'secret',
};

describe('the instance of a home', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'warren-instance-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** The id of a process that has ended. */
  async function endedProcess(): Promise<number> {
    const child = spawn(process.execPath, ['-e', '']);
    await exitOf(child);
    return child.pid!;
  }

  it('gives its token to its own API by any name of this machine, and to no other', () => {
    const own = [null, 'http://127.0.0.1:4680', 'http://localhost:4680/', 'http://[::1]:4680'];
    expect(own.map((address) => tokenFor(address, addresses))).toEqual(own.map(() => 'secret'));
    const others = [
      'http://127.0.0.1:4681',
      'https://127.0.0.1:4680',
      'http://warren.example:4680',
      'http://localhost:4680/a',
    ];
    expect(others.map((address) => tokenFor(address, addresses))).toEqual(others.map(() => null));
    expect(tokenFor(null, null)).toBeNull();
  });

  it('is not there before it is written, nor after it is released', async () => {
    expect(await readInstance(home)).toBeNull();
    const claim = await claimInstance(home);
    expect(await readInstance(home)).toBeNull();
    await claim.write(addresses);
    expect(await readInstance(home)).toMatchObject({ ...addresses, pid: process.pid });
    expect(statSync(join(home, 'instance.json')).mode & 0o777).toBe(0o600);
    await claim.release();
    await claim.release();
    expect(await readInstance(home)).toBeNull();
    expect(readdirSync(home)).toEqual([]);
  });

  it('belongs to one process: a second claim is told which has it', async () => {
    const claim = await claimInstance(home);
    await expect(claimInstance(home)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`Warren runs already in ${home} (process ${process.pid}`),
    });
    await claim.release();
    await (await claimInstance(home)).release();
  });

  it('makes the home when it is missing', async () => {
    const inner = join(home, 'a', 'b');
    const claim = await claimInstance(inner);
    expect(existsSync(inner)).toBe(true);
    await claim.release();
  });

  it('is taken over from a process that was killed', async () => {
    const left = { pid: await endedProcess(), startedAt: '2026-01-01T00:00:00.000Z', processStart: 'boot/1' };
    writeFileSync(join(home, 'up.lock'), JSON.stringify(left));
    writeFileSync(join(home, 'instance.json'), JSON.stringify({ ...addresses, ...left }));
    expect(await readInstance(home)).toBeNull();
    const claim = await claimInstance(home);
    await claim.write(addresses);
    expect((await readInstance(home))?.pid).toBe(process.pid);
    await claim.release();
  });

  it.runIf(process.platform === 'linux')('does not take another process with the same id for its own', async () => {
    const left = { pid: process.pid, startedAt: '2026-01-01T00:00:00.000Z', processStart: 'earlier boot/1' };
    writeFileSync(join(home, 'up.lock'), JSON.stringify(left));
    writeFileSync(join(home, 'instance.json'), JSON.stringify({ ...addresses, ...left }));
    expect(await readInstance(home)).toBeNull();
    await (await claimInstance(home)).release();
  });

  it('is not held by the Warren of the home that it was copied from', async () => {
    const claim = await claimInstance(home);
    await claim.write(addresses);
    const copy = `${home}-copy`;
    cpSync(home, copy, { recursive: true });
    try {
      expect(await readInstance(copy)).toBeNull();
      await (await claimInstance(copy)).release();
      expect(await readInstance(home)).toMatchObject(addresses);
    } finally {
      rmSync(copy, { recursive: true });
      await claim.release();
    }
  });

  it('says where a folder is in the place of its lock', async () => {
    mkdirSync(join(home, 'up.lock'));
    await expect(claimInstance(home)).rejects.toThrow(/up\.lock is a folder; .* move the folder away$/);
    rmSync(join(home, 'up.lock'), { recursive: true });
  });

  it('ignores files that are no instance', async () => {
    writeFileSync(join(home, 'up.lock'), '{"half":');
    writeFileSync(join(home, 'instance.json'), '[]');
    expect(await readInstance(home)).toBeNull();
    await (await claimInstance(home)).release();
  });
});
