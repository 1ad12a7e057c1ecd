import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { BucketPlace } from '#src/base/platform/artifacts/storePlace.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { waitUntil } from './waitUntil.ts';

export interface TestS3 {
  /** A new bucket of its own for each caller. */
  place: BucketPlace;
  /** What a program needs to find it. */
  environment: Record<string, string>;
  /** Writes an object as somebody else would. */
  put(key: string, bytes: string): Promise<void>;
  /** The keys of all objects that begin so; by default those of the place. */
  keys(prefix?: string): Promise<string[]>;
}

/**
 * A bucket of a real S3 server, ended after the tests of this file: `moto_server` (`pip install 'moto[s3]' flask flask-cors`), or
 * the server at WARREN_TEST_S3 with AWS's keys in the environment. Null, with the reason printed, where there is none; with
 * `CI=true` that is a failure.
 */
export async function s3ForTests(): Promise<TestS3 | null> {
  const endpoint = process.env.WARREN_TEST_S3 ?? (await startMoto());
  if (endpoint === null) {
    const reason = 'moto_server is not installed: tests of S3-compatible storage cannot run';
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
  process.env.AWS_ACCESS_KEY_ID ??= 'warren-test';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'warren-test-secret';
  const place: BucketPlace = { bucket: `warren-${randomUUID()}`, prefix: 'own/', endpoint, region: 'us-east-1' };
  const { S3Client, CreateBucketCommand, PutObjectCommand, ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint, region: place.region, forcePathStyle: true });
  atEndOfFile(() => client.destroy());
  const Bucket = place.bucket;
  await client.send(new CreateBucketCommand({ Bucket }));
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  return {
    place,
    environment: {
      ...{ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION: place.region, AWS_ENDPOINT_URL_S3: endpoint },
      WARREN_ARTIFACTS: `s3://${Bucket}/own`,
    },
    put: async (key, Body) => void (await client.send(new PutObjectCommand({ Bucket, Key: key, Body }))),
    keys: async (Prefix = place.prefix) => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
      return Contents.map(({ Key }) => Key ?? '').toSorted();
    },
  };
}

async function startMoto(): Promise<string | null> {
  const port = await freePort(0);
  const child: ChildProcess = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
  if (!isThere) return null;
  atEndOfFile(async () => void (await stopProcess(child, { graceMs: 2_000 })));
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(
    'moto_server answers',
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    60_000,
  );
  return url;
}
