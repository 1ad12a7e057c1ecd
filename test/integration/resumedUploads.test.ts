import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { partialUploads } from '#src/base/platform/artifacts/partialUploads.ts';
import { storeArtifact } from '#workers/runtime/shared/artifactSink.ts';
import { atEndOfFile } from './support/atEndOfFile.ts';
import { apiForTests } from './support/apiForTests.ts';
import { pythonForTests } from './support/pythonForTests.ts';
import { aHeldRun, aWorker, servicesForTests } from './services/support.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';

const api = await apiForTests();
const context = await servicesForTests(api.postgres.url);
const python = pythonForTests();
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const large = randomBytes(17 * 1024 ** 2);
const file = join(mkdtempSync(join(temporaryFolder(), 'file-')), 'large.bin');
writeFileSync(file, large);

/** Bytes that the API was sent by all connections through the line. */
let passed = 0;
/** The line goes dead once after so many bytes; null: never. */
let breakAfter: number | null = null;

/** A way to the API that breaks. */
const line = createServer((client) => {
  const server: Socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  client.on('data', (bytes: Buffer) => {
    passed += bytes.byteLength;
    server.write(bytes);
    if (breakAfter === null || passed < breakAfter) return;
    breakAfter = null;
    client.destroy();
    server.end();
  });
  server.on('data', (bytes: Buffer) => client.write(bytes));
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => other.end());
  }
});
await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
atEndOfFile(() => void line.close());
const address = line.address();
const lineUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;

const createRun = async (): Promise<string> => (await api.ok('mutation { createRun(input: {}) { id } }')).createRun.id;

describe('an upload that breaks off', () => {
  test('goes on where it was when a worker sends it', async () => {
    const { run } = await aHeldRun(context, await aWorker(context));
    [passed, breakAfter] = [0, 14_000_000];
    const failures: string[] = [];
    const report = {
      type: 'artifact',
      name: 'checkpoint/latest',
      role: 'checkpoint',
      mediaType: 'a/b',
      step: 1,
    } as const;
    await storeArtifact(
      file,
      { ...report, sha256: sha256(large), sizeBytes: large.length },
      {
        sink: { baseUrl: `${lineUrl}/artifacts/${run.id}`, headers: {} },
        ...{ attempt: 1, signal: AbortSignal.timeout(60_000), onRetry: (error) => failures.push(error.message) },
      },
    );
    expect(failures).toHaveLength(1);
    expect(passed).toBeLessThan(large.length + 4_000_000); // not twice
    const entries = await context.db.unsettledContent.findMany({ where: { runId: run.id } });
    expect(entries.map((entry) => entry.sha256)).toContain(sha256(large));
  });

  test.skipIf(python === null)('goes on where it was when the Python client sends it', async () => {
    const run = await createRun();
    const script = `
from warren.transport import Transport, Unreachable
sent = Transport("${lineUrl}")
try:
    sent.upload("${run}", "large.bin", "${file}", "a/b")
    print("whole")
except Unreachable:
    sent.upload("${run}", "large.bin", "${file}", "a/b")
    print("resumed")
`;
    [passed, breakAfter] = [0, 15_000_000];
    expect((await python!.run(script)).trim()).toBe('resumed');
    expect(passed).toBeLessThan(large.length + 4_000_000);
    const stored = Buffer.from(await (await api.fetch(`/artifacts/${run}/large.bin`)).arrayBuffer());
    expect(stored.equals(large)).toBe(true);
  });
});

test('an upload in parts says how much is there, takes each part once, and refuses what is not what was promised', async () => {
  const run = await createRun();
  const whole = Buffer.from('all of the content');
  const put = async (range: string, body: Buffer, sum = sha256(whole)) => {
    const response = await api.fetch(`/artifacts/${run}/part`, {
      ...{
        method: 'PUT',
        body: new Uint8Array(body),
        headers: { 'content-range': `bytes ${range}`, 'x-content-sha256': sum },
      },
    });
    return { status: response.status, offset: response.headers.get('upload-offset'), body: await response.text() };
  };
  const nothing = Buffer.alloc(0);
  expect(await put('*/18', nothing)).toMatchObject({ status: 202, offset: '0' });
  expect(await put('0-4/18', whole.subarray(0, 5))).toMatchObject({ status: 202, offset: '5' });
  expect(await put('9-17/18', whole.subarray(9))).toMatchObject({ status: 202, offset: '5' }); // a part is missing
  expect(await put('3-9/18', whole.subarray(3, 10))).toMatchObject({ status: 202, offset: '10' });
  expect(await put('*/18', nothing)).toMatchObject({ status: 202, offset: '10' });
  expect(await put('10-17/18', whole.subarray(10))).toMatchObject({ status: 201 });
  expect(await put('*/18', nothing)).toMatchObject({ status: 201 }); // the answer was lost
  expect(await (await api.fetch(`/artifacts/${run}/part`)).text()).toBe('all of the content');

  // wrong bytes under the sha256 of what somebody else has stored do not give that away
  const secret = 'what others stored';
  const other = sha256(Buffer.from(secret));
  await api.fetch(`/artifacts/${await createRun()}/secret`, { method: 'PUT', body: secret });
  expect(await put('0-17/18', whole, other)).toMatchObject({ status: 400 });
  expect(await put('*/18', nothing, other)).toMatchObject({ status: 202, offset: '0' });
  for (const wrong of ['5-4/18', '0-18/18', 'x/18', '0-4/*', '*/0'])
    expect((await put(wrong, nothing)).body).toContain('content-range');
  expect((await put('0-4/18', whole)).body).toContain('more bytes came than the content-range says');

  // one that gave up waiting sends it again while the first is still being stored
  const twice = Buffer.from('all of it by two!!');
  await put('0-8/18', twice.subarray(0, 9), sha256(twice));
  const answers = await Promise.all(
    ['9-17/18', '9-17/18', '0-17/18', '*/18'].map((range) => {
      const from = Number.parseInt(range, 10);
      return put(range, Number.isNaN(from) ? nothing : twice.subarray(from), sha256(twice));
    }),
  );
  for (const { status } of answers.slice(0, 3)) expect(status).toBe(201);
  expect([201, 202]).toContain(answers[3]!.status);
});

test('a part that is written while another finishes the same content makes no content of zeros and that part', async () => {
  const uploads = partialUploads(temporaryFolder());
  const whole = Buffer.from('all of the content');
  await uploads.append('key', 0, Readable.from([whole.subarray(0, 9)]));
  expect(await uploads.received('key')).toBe(9);
  await uploads.finish('key');
  await uploads.append('key', 9, Readable.from([whole.subarray(9)]));
  expect(await uploads.received('key')).toBe(0);
});
