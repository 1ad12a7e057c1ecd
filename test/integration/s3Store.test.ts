import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { PART_BYTES } from '#src/base/platform/artifacts/s3/putObject.ts';
import { checkArtifacts } from '#src/artifacts/checkArtifacts.ts';
import { copyArtifacts } from '#src/artifacts/copyArtifacts.ts';
import { createBackup } from '#src/backup/createBackup.ts';
import { artifactName } from '#src/backup/archiveManifest.ts';
import { readArchive } from '#src/backup/readArchive.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { s3ForTests } from './support/s3ForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const limit = { maximumBytes: 100_000_000 };
const s3 = await s3ForTests();

describe.skipIf(s3 === null)('artifacts in a bucket', async () => {
  if (s3 === null) return;
  const damaged: string[] = [];
  const store = await openArtifactStore(s3.place, (name) => damaged.push(name));
  const inPieces = (bytes: Buffer): Readable =>
    Readable.from([bytes.subarray(0, 7), bytes.subarray(7, 5_000_000), bytes.subarray(5_000_000)]);
  const large = randomBytes(2 * PART_BYTES + 12_345);

  test('come back whole and in part, small, empty, and in several parts with and without a promised sha256', async () => {
    for (const [bytes, options] of [
      [Buffer.from('small'), limit],
      [Buffer.alloc(0), limit],
      [large, limit],
      [large, { ...limit, expectedSha256: sha256(large) }],
    ] as const) {
      const stored = await store.put(inPieces(bytes), options);
      expect(stored).toEqual({ sha256: sha256(bytes), sizeBytes: bytes.length });
      expect(await store.size(stored.sha256)).toBe(bytes.length);
      expect((await buffer(await store.read(stored.sha256))).equals(bytes)).toBe(true);
      expect(await store.verify(stored.sha256)).toBe(true);
    }
    const part = await buffer(await store.read(sha256(large), { start: 8_388_600, end: 8_388_619 }));
    expect(part.equals(large.subarray(8_388_600, 8_388_620))).toBe(true);
    expect(await s3.keys()).toEqual(
      ['small', '', large].map((bytes) => `own/${sha256(bytes).slice(0, 2)}/${sha256(bytes)}`).toSorted(),
    );
  });

  test('nothing is kept of what is too large, is not what was promised, or breaks off, in parts or not', async () => {
    const before = await s3.keys();
    for (const bytes of [Buffer.from('x'.repeat(100)), Buffer.concat([large, large])]) {
      const tooLarge = store.put(inPieces(bytes), { maximumBytes: bytes.length - 1 });
      await expect(tooLarge).rejects.toMatchObject({ code: 'TOO_LARGE' });
      const other = store.put(inPieces(bytes), { ...limit, expectedSha256: sha256('other') });
      await expect(other).rejects.toMatchObject({ code: 'BAD_INPUT' });
      const broken = (async function* () {
        yield bytes.subarray(0, bytes.length - 10);
        throw new Error('the client went away');
      })();
      await expect(store.put(broken, limit)).rejects.toThrow('the client went away');
      const refused = store.put(inPieces(bytes), {
        ...limit,
        beforePlacing: () => Promise.reject(new Error('the database is away')),
      });
      await expect(refused).rejects.toThrow('the database is away');
    }
    expect(await s3.keys()).toEqual(before);
    expect(await store.removeAbandoned({ evenYoung: true })).toEqual({ files: 0, bytes: 0 });
  });

  test('what is damaged is set aside, and right again when it is sent again', async () => {
    const { sha256: name } = await store.put(Readable.from([Buffer.from('right')]), limit);
    await s3.put(`own/${name.slice(0, 2)}/${name}`, 'rot');
    await expect(store.read(name)).rejects.toMatchObject({ code: 'DATA_ERROR' });
    expect(damaged).toEqual([name]);
    expect(await store.size(name)).toBeNull();
    expect(await store.absence(name)).toMatchObject({ code: 'DATA_ERROR' });
    expect(await store.usage()).toMatchObject({ damagedFiles: 1, freeBytes: null });
    await store.put(Readable.from([Buffer.from('right')]), limit);
    await store.setAside(name); // is right: stays
    expect(await store.verify(name)).toBe(true);
    expect(await store.usage()).toMatchObject({ damagedFiles: 0 });
  });

  test('what killed processes left is removed, and what others have there is left alone', async () => {
    await s3.put('own/incoming/elsewhere~1~upload', 'half');
    await s3.put('own/notes.txt', 'somebody else wrote this');
    expect(await store.removeAbandoned()).toEqual({ files: 0, bytes: 0 });
    expect(await store.removeAbandoned({ evenYoung: true })).toEqual({ files: 1, bytes: 4 });
    expect(await s3.keys()).toContain('own/notes.txt');
  });

  test('wrong settings are told with the name of the bucket', async () => {
    const wrong = openArtifactStore({ ...s3.place, bucket: 'no-such-bucket' });
    await expect(wrong).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^the artifact store s3:\/\/no-such-bucket\/own at http.* \(NoSuchBucket/),
    });
  });

  describe('behind the API', async () => {
    const place = { ...s3.place, prefix: 'api/' }; // its collector keeps only what its database knows
    const api = await apiForTests({ artifacts: place, artifactLinks: true, collectEveryMs: 50 });
    const put = async (path: string, body: Buffer | string): Promise<void> => {
      const headers = { 'content-type': 'text/html' };
      const response = await api.fetch(`/artifacts/${path}`, {
        method: 'PUT',
        body: new Uint8Array(Buffer.from(body)),
        headers,
      });
      expect(response.status, await response.text()).toBe(201);
    };
    const createRun = async (): Promise<string> =>
      (await api.ok('mutation { createRun(input: {}) { id } }')).createRun.id;

    test('programs follow a signed link to bytes that no browser shows; pages get them from the API in its sandbox', async () => {
      const run = await createRun();
      const page = '<script>alert(1)</script>';
      await put(`${run}/figures/a page.html`, page);
      const path = `/artifacts/${run}/figures/a%20page.html`;
      const program = await api.fetch(path, { redirect: 'manual' });
      expect(program.status).toBe(307);
      expect(program.headers.get('cache-control')).toBe('no-store');
      const link = program.headers.get('location') ?? '';
      expect(link).toContain(s3.place.endpoint ?? '');
      const followed = await fetch(link);
      expect(await followed.text()).toBe(page);
      expect(followed.headers.get('content-type')).toBe('application/octet-stream');
      expect(followed.headers.get('content-disposition')).toMatch(/^attachment/);
      const asked = new URL(link).searchParams.get('response-content-disposition');
      expect(asked).toBe('attachment; filename="a page.html"');
      const part = await api.fetch(path, { headers: { range: 'bytes=1-6' } });
      expect([part.status, await part.text()]).toEqual([206, 'script']);

      const browser = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
      const shown = await api.fetch(path, { redirect: 'manual', headers: browser });
      expect([shown.status, await shown.text()]).toEqual([200, page]);
      expect(shown.headers.get('content-security-policy')).toContain('sandbox');
      const ranged = await api.fetch(path, { redirect: 'manual', headers: { ...browser, range: 'bytes=1-6' } });
      expect([ranged.status, await ranged.text()]).toEqual([206, 'script']);
      expect((await api.fetch(path, { method: 'HEAD', redirect: 'manual' })).status).toBe(200);
    });

    test('what nothing refers to is removed, and the same content is kept once', async () => {
      const [first, second] = [await createRun(), await createRun()];
      await put(`${first}/a`, 'shared content');
      await put(`${second}/a`, 'shared content');
      await put(`${first}/a`, 'newer content');
      await put(`${second}/b`, 'passing');
      await put(`${second}/b`, 'passed');
      const key = (text: string): string => `api/${sha256(text).slice(0, 2)}/${sha256(text)}`;
      await waitUntil('the old content is gone', async () => !(await s3.keys('api/')).includes(key('passing')));
      expect(await s3.keys('api/')).toEqual(expect.arrayContaining([key('shared content'), key('newer content')]));
      const { storage } = await api.ok('{ storage { place files freeBytes volumeBytes problem } }');
      expect(storage).toMatchObject({ place: `s3://${s3.place.bucket}/api`, freeBytes: null, volumeBytes: null });
      expect(storage.problem).toBeNull();
    });

    test('a backup has them', async () => {
      const run = await createRun();
      await put(`${run}/model`, 'of the backup');
      const path = join(temporaryFolder(), 'backup.tar');
      const artifacts = await openArtifactStore(place);
      const summary = await createBackup({ path, databaseUrl: api.postgres.url, artifacts, onProgress: () => {} });
      expect(summary.missingArtifacts).toEqual([]);
      const names: string[] = [];
      for await (const { name } of readArchive(path)) names.push(name);
      expect(names).toContain(artifactName(sha256('of the backup')));
    });

    test('they are copied into a folder, once, and compared with what the database says', async () => {
      const run = await createRun();
      await put(`${run}/moved`, 'to be moved');
      const context = await servicesForTests(api.postgres.url);
      const from = await openArtifactStore(place);
      const to = await openArtifactStore(temporaryFolder());
      const { files, left } = await copyArtifacts(context, { from, to });
      expect(left).toEqual([]);
      expect(files).toBeGreaterThan(0);
      expect(await copyArtifacts(context, { from, to })).toMatchObject({ files: 0, present: files });
      expect(await checkArtifacts(context, to, { read: true })).toMatchObject({ wrong: [] });
      await to.remove(sha256('to be moved'));
      const { wrong } = await checkArtifacts(context, to, { read: false });
      expect(wrong).toMatchObject([{ name: 'moved', expectedBytes: 11, foundBytes: null }]);
      await to.owners.add('00000000-0000-4000-8000-000000000000');
      await expect(copyArtifacts(context, { from, to })).rejects.toMatchObject({ code: 'CONFLICT' });
    });
  });
});
