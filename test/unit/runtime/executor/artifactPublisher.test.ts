import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';
import { ArtifactPublisher } from '#workers/runtime/executor/artifactPublisher.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-publisher-'));
});
afterEach(() => rm(folder, { recursive: true }));

function report(name: string, step?: number): ArtifactReport {
  const role = step === undefined ? 'output' : 'checkpoint';
  return { type: 'artifact', name, role, mediaType: 'x/y', sha256: '', sizeBytes: 0, ...(step && { step }) };
}

/** A publisher whose uploads end when the test says so. */
function controlled() {
  const told: string[] = [];
  const uploads: { name: string; done: () => void; fail: (error: Error) => void }[] = [];
  const tell = (what: string) => (artifact: ArtifactReport) => {
    told.push(`${what} ${artifact.name}${artifact.step ?? ''}`);
  };
  const publisher = new ArtifactPublisher({
    store: (_file, { name }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        uploads.push({ name, done: resolve, fail: reject });
      }),
    onStored: tell('stored'),
    onRefused: tell('refused'),
    onDropped: tell('dropped'),
  });
  const publish = async (artifact: ArtifactReport): Promise<string> => {
    const file = join(folder, `${artifact.name.replace('/', '-')}${artifact.step ?? ''}`);
    await writeFile(file, 'bytes');
    publisher.publish(file, artifact);
    return file;
  };
  const finish = async (): Promise<void> => {
    // One begins when the file of the last has been removed, however long that takes.
    for (let ended = 0; ; ) {
      if (ended < uploads.length) uploads[ended++]?.done();
      const isIdle = await Promise.race([publisher.idle().then(() => true), new Promise((go) => setTimeout(go, 20))]);
      if (isIdle === true) return;
    }
  };
  return { publisher, publish, told, uploads, finish };
}

describe('the publisher of artifacts', () => {
  test('stores one after another and removes the files', async () => {
    const { publish, told, finish } = controlled();
    const files = [await publish(report('a')), await publish(report('b'))];
    await finish();
    expect(told).toEqual(['stored a', 'stored b']);
    expect(files.some((file) => existsSync(file))).toBe(false);
  });

  test('drops a waiting checkpoint when a newer one comes', async () => {
    const { publish, told, finish } = controlled();
    for (const step of [1, 2, 3]) await publish(report('checkpoint/latest', step));
    await finish();
    expect(told).toEqual(['dropped checkpoint/latest2', 'stored checkpoint/latest1', 'stored checkpoint/latest3']);
  });

  test('goes on after a refusal', async () => {
    const { publish, told, uploads, finish } = controlled();
    await publish(report('a'));
    await publish(report('b'));
    uploads[0]?.fail(new Error('too large'));
    await finish();
    expect(told).toEqual(['refused a', 'stored b']);
  });

  test('gives everything up when stopped', async () => {
    const { publish, publisher, told } = controlled();
    await publish(report('a'));
    await publish(report('b'));
    publisher.stop();
    await publisher.idle();
    expect(told.sort()).toEqual(['dropped a', 'dropped b']);
  });
});
