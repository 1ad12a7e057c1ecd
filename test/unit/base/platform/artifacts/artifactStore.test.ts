import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251));
const inChunks = (bytes: Buffer): Readable =>
  Readable.from([bytes.subarray(0, 7), bytes.subarray(7, 100_000), bytes.subarray(100_000)]);
const limit = { maximumBytes: 1_000_000 };

describe('the artifact store', () => {
  let folder: string;
  let store: ArtifactStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'warren-artifacts-'));
    store = await openArtifactStore(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const files = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [entry.name] : [],
    );

  it('gives back what was put, whole or in part', async () => {
    const stored = await store.put(inChunks(content), limit);
    expect(stored).toEqual({ sha256: sha256(content), sizeBytes: content.length });
    expect(await store.size(stored.sha256)).toBe(content.length);
    expect((await buffer(await store.read(stored.sha256))).equals(content)).toBe(true);
    const part = await buffer(await store.read(stored.sha256, { start: 10, end: 19 }));
    expect(part.equals(content.subarray(10, 20))).toBe(true);
  });

  it('keeps an empty file', async () => {
    const stored = await store.put(Readable.from([]), limit);
    // The sha256 of nothing: FIPS 180-4, as `sha256sum </dev/null` prints it.
    expect(stored.sha256).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect((await buffer(await store.read(stored.sha256))).length).toBe(0);
  });

  it('keeps the same content once, from several at the same time too', async () => {
    await Promise.all(Array.from({ length: 8 }, () => store.put(inChunks(content), limit)));
    expect(files()).toEqual([sha256(content)]);
  });

  it('keeps nothing of what is too large, is not what was promised, or breaks off', async () => {
    await expect(store.put(inChunks(content), { maximumBytes: content.length - 1 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    await expect(
      store.put(inChunks(content), { ...limit, expectedSha256: sha256(Buffer.from('other')) }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' });
    const broken = Readable.from(
      (async function* () {
        yield content.subarray(0, 10);
        throw new Error('the client went away');
      })(),
    );
    await expect(store.put(broken, limit)).rejects.toThrow('the client went away');
    expect(files()).toEqual([]);
    await store.put(inChunks(content), { ...limit, expectedSha256: sha256(content) });
    expect(files()).toEqual([sha256(content)]);
  });

  it('tells that it has no such content, and removes what it has', async () => {
    const { sha256: name } = await store.put(inChunks(content), limit);
    await store.remove(name);
    await store.remove(name);
    expect(await store.size(name)).toBeNull();
    await expect(store.read(name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['../../etc/passwd', '..', '', 'ABCDEF', `${'0'.repeat(63)}/`, `${'0'.repeat(64)}/../x`])(
    'refuses a name that is no sha256: %j',
    async (name) => {
      await expect(store.size(name)).rejects.toMatchObject({ code: 'BAD_INPUT' });
      await expect(store.read(name)).rejects.toMatchObject({ code: 'BAD_INPUT' });
      await expect(store.remove(name)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    },
  );

  it('replaces what is stored when the same content comes again, and takes back what was set aside as damaged', async () => {
    const { sha256: name } = await store.put(inChunks(content), limit);
    const path = join(folder, name.slice(0, 2), name);
    writeFileSync(path, 'rot');
    expect(await store.verify(name)).toBe(false);
    expect(await store.size(name)).toBeNull();
    await expect(store.read(name)).rejects.toMatchObject({ code: 'DATA_ERROR' });
    await store.put(inChunks(content), limit);
    expect(await store.verify(name)).toBe(true);
    expect(files()).toEqual([name]);
  });

  it('sets nothing aside that is right', async () => {
    const { sha256: name } = await store.put(inChunks(content), limit);
    await store.setAside(name);
    expect((await buffer(await store.read(name))).equals(content)).toBe(true);
  });

  it('clears away uploads of processes that have ended, and not its own', async () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const [host, soon] = [encodeURIComponent(hostname()), Date.now() / 1000 - 30];
    for (const pid of [ended, process.ppid]) {
      const path = join(folder, 'incoming', `${host}~${pid}~upload`);
      writeFileSync(path, 'half');
      utimesSync(path, soon, soon);
    }
    let name = '';
    const waits = (async function* () {
      yield content.subarray(0, 10);
      name = files().find((file) => file.startsWith(`${host}~${process.pid}~`)) ?? '';
      utimesSync(join(folder, 'incoming', name), soon, soon);
      expect(await store.removeAbandoned()).toEqual({ files: 1, bytes: 4 });
      yield content.subarray(10);
    })();
    expect(await store.put(waits, limit)).toMatchObject({ sizeBytes: content.length });
    expect(name).not.toBe('');
    expect(files()).toContain(`${host}~${process.ppid}~upload`);
  });

  it('clears away what an interrupted put left a day ago, and nothing newer', async () => {
    for (const name of ['old', 'new']) writeFileSync(join(folder, 'incoming', name), 'half');
    const longAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    utimesSync(join(folder, 'incoming', 'old'), longAgo, longAgo);
    await openArtifactStore(folder);
    expect(files()).toEqual(['new']);
  });
});
