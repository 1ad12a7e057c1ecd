import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBucket } from '#src/base/platform/artifacts/s3/bucket.ts';
import { openS3Store } from '#src/base/platform/artifacts/s3/s3Store.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

const HOUR_MS = 3_600_000;
const SIZE = { 'content-length': '18000000' };
/** The key that holds. */
let valid = 'first';
let clockMs = 0;
let parts = 0;
let copied = false;

/** As S3 answers: it takes parts, and after the first of them the key has expired. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/xml');
    response.setHeader('date', new Date(Date.now() + clockMs).toUTCString());
    const url = new URL(request.url ?? '', 'http://s3');
    if (!request.headers.authorization?.includes(`Credential=${valid}/`)) {
      const expired = '<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>';
      response.writeHead(403).end(request.method === 'HEAD' ? undefined : expired);
    } else if (request.method === 'POST' && url.searchParams.has('uploads')) {
      response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
    } else if (request.method === 'PUT' && url.searchParams.has('partNumber')) {
      parts += 1;
      if (parts === 1) valid = 'second';
      response.setHeader('etag', '"1"').end();
    } else if (request.method === 'POST') response.end('<CompleteMultipartUploadResult/>');
    else if (request.method === 'HEAD') response.writeHead(copied ? 200 : 404, copied ? SIZE : {}).end();
    else if (request.method === 'GET')
      response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
    else {
      copied = true;
      response.end('<CopyObjectResult><ETag>"1"</ETag></CopyObjectResult>');
    }
  });
});

const file = join(temporaryFolder(), 'credentials');
const writeKeys = (key: string) =>
  writeFileSync(
    file,
    `[default]\naws_access_key_id = ${key}\naws_secret_access_key = secret\naws_session_token = token\n`,
  );
const place = () => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { bucket: 'artifacts', prefix: '', endpoint, region: 'us-east-1' };
};

beforeAll(async () => {
  writeKeys('first');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  server.close();
});

test('keys that expire in the midst of an upload fail it for now; fresh ones in their file serve without a restart', async () => {
  const store = await openS3Store(place(), () => {});
  const put = () =>
    store.put(Readable.from([Buffer.alloc(9_000_000, 1), Buffer.alloc(9_000_000, 2)]), { maximumBytes: 1e8 });
  await expect(put()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('(ExpiredToken: The provided token has expired.)'),
  });
  writeKeys('second');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
  expect(await put()).toMatchObject({ sizeBytes: 18_000_000 });
});

test('a link is signed by the clock of the store, where that of this machine is an hour off', async () => {
  const bucket = openBucket(place());
  clockMs = HOUR_MS;
  for await (const _ of bucket.list('')) break;
  const link = new URL(await bucket.link('a', { fileName: 'a', seconds: 300 }));
  const signed = link.searchParams.get('X-Amz-Date') ?? '';
  const time = Date.parse(signed.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  expect(Math.abs(time - Date.now() - HOUR_MS)).toBeLessThan(60_000);
});
