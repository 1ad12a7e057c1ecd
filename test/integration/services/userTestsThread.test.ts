import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import type { UserTestsTask } from '#src/comparisons/computeUserTests.ts';
import { startUserTests } from '#src/comparisons/startUserTests.ts';
import { keepThread, takeThread } from '#src/comparisons/warmThread.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const store = await openArtifactStore(join(temporaryFolder(), 'artifacts'));
const description = { dataset: 'd', fingerprint: 'f', part: 'test', cutoffs: [10], users: [1, 2, 3, 4] };
const files = {
  told: await put(JSON.stringify(description)),
  nonsense: await put('nonsense'),
  better: await put(ranks(1, 1, 2, 1)),
  worse: await put(ranks(3, 1, 9, 4)),
  missing: '0'.repeat(64),
};

async function put(content: string | Uint8Array): Promise<string> {
  const stored = await store.put(Readable.from([Buffer.from(content)]), { maximumBytes: 10_000 });
  return stored.sha256;
}

function ranks(...values: number[]): Uint8Array {
  return encodeNpy(Int32Array.from(values), [values.length, 1]);
}

type File = keyof typeof files;

function task(table: File, { told = 'told' as File, signedRanks = true } = {}): UserTestsTask {
  const group = (number: number, ranked: File, described: File) => ({
    configurationHash: ranked,
    ...{ split: 'leave-one-out', deterministic: false },
    runs: [
      { number, seed: 1, files: { 'per-user-ranks.npy': files[ranked], 'per-user-ranks.json': files[described] } },
    ],
  });
  const metrics = [{ name: 'test/mrr@10', direction: 'higher' as const }];
  return { groups: [group(1, table, told)], baseline: group(2, 'worse', 'told'), metrics, signedRanks };
}

const startOne = async (...of: Parameters<typeof task>) => (await startUserTests(store, task(...of)))[0]![0]!;

test('one thread makes test after test, each the same as by itself, also after one that failed or was given up', async () => {
  const first = await startOne('better');
  expect(first).toMatchObject({ n: 4, test: { difference: expect.closeTo((2 / 3 + 0 + (0.5 - 1 / 9) + 0.75) / 4) } });
  expect(await startOne('better')).toEqual(first);
  expect((await startOne('better', { told: 'nonsense' })).reason).toMatch(/it is not JSON/);
  expect((await startOne('missing')).reason).toMatch(/its bytes are not in the artifact store any more/);
  const closed = startUserTests(store, task('better'), AbortSignal.abort());
  await expect(closed).rejects.toMatchObject({ code: 'CANCELLED' });
  const controller = new AbortController();
  const givenUp = startUserTests(store, task('better'), controller.signal);
  const next = startOne('better');
  controller.abort();
  await expect(givenUp).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await next).toEqual(first);
});

test('without signed ranks a test is the same but for them', async () => {
  const [whole, part] = [await startOne('better'), await startOne('better', { signedRanks: false })];
  expect(whole.test?.wilcoxon).toMatchObject({ n: 3, exact: true });
  expect(part).toEqual({ ...whole, test: { ...whole.test, wilcoxon: null } });
});

test('the thread that has nothing to do is taken again, and one that has ended never', async () => {
  const first = takeThread();
  keepThread(first);
  expect(takeThread()).toBe(first);
  await first.terminate();
  keepThread(first);
  const second = takeThread();
  expect(second).not.toBe(first);
  keepThread(second);
  await second.terminate();
  expect((await startOne('better')).n).toBe(4);
  const third = takeThread();
  expect([first, second]).not.toContain(third);
  keepThread(third);
});
