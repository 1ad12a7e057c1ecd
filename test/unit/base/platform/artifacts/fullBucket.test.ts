import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openS3Store } from '#src/base/platform/artifacts/s3/s3Store.ts';

/** As MinIO answers whose disks are full: what is there can be listed and read, nothing can come. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/xml');
    if (request.method === 'GET') response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
    else if (request.method === 'HEAD') response.writeHead(404).end();
    else response.writeHead(507).end('<Error><Code>XMinioStorageFull</Code><Message>drives are full</Message></Error>');
  });
});

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'key';
  process.env.AWS_SECRET_ACCESS_KEY = 'secret';
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

test('a bucket without room is told from one that is away, so that a file is put aside and sent later', async () => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = await openS3Store({ bucket: 'artifacts', prefix: '', endpoint, region: 'us-east-1' }, () => {});
  const put = store.put(Readable.from([Buffer.from('content')]), { maximumBytes: 1_000 });
  await expect(put).rejects.toMatchObject({
    code: 'NO_ROOM',
    message: expect.stringMatching(
      /^the artifact store s3:\/\/artifacts .* has no room left \(XMinioStorageFull: drives are full\)/,
    ),
  });
});
