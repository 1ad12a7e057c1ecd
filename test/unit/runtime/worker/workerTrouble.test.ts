import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { endOnIllWorker } from '#workers/runtime/worker/attemptEnd.ts';
import { memoryTry, roomTry, WorkerTrouble } from '#workers/runtime/worker/workerTrouble.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { whatRunWaitsFor } from '#src/fleet/waitsFor.ts';

const failed = {
  type: 'outcome',
  outcome: { state: 'FAILED', error: { code: 'RUN_FAILED', message: 'no room' } },
} as const;

it('knows a disk without room and a folder that is not there, and gives a run back that has failed on such a worker', async () => {
  const folder = temporaryFolder();
  expect([await roomTry(folder)(), await memoryTry()]).toEqual([null, null]);
  const full = await roomTry(folder, { leastBytes: Number.MAX_SAFE_INTEGER, leastPart: 1 })();
  expect(full).toMatch(/^its disk is full: .* left for /);
  writeFileSync(`${folder}/file`, '');
  expect(await roomTry(`${folder}/file/below`)()).toContain('cannot write into');
  expect(endOnIllWorker(failed, full)).toEqual({ type: 'release', reason: `its worker is ill: ${full}` });
  expect(endOnIllWorker(failed, null)).toBe(failed);
  const succeeded = { type: 'outcome', outcome: { state: 'SUCCEEDED' } } as const;
  expect(endOnIllWorker(succeeded, full)).toBe(succeeded);
});

it('looks closely when a run has failed, and until what it found is mended', async () => {
  let device: string | null = null;
  const told: (string | null)[] = [];
  const trouble = new WorkerTrouble({
    quick: [async () => null],
    thorough: [async () => device],
    onChange: (found) => told.push(found),
  });
  device = 'its GPU is gone';
  expect(await trouble.look()).toBeNull();
  expect([await trouble.lookClosely(), await trouble.look()]).toEqual([device, device]);
  device = null;
  expect(await trouble.look()).toBeNull();
  expect(told).toEqual(['its GPU is gone', null]);
});

it('tells a run that only workers would take which are ill what it waits for', () => {
  const run = { state: 'QUEUED', needs: null, requiresGpu: false, addedKind: null } as const;
  const worker = { gpu: false, offers: {}, drainRequestedAt: null, details: { kinds: [] } };
  const ill = { ...worker, details: { kinds: [], trouble: 'its disk is full' } };
  expect(whatRunWaitsFor(run, [ill])).toBe('a worker that is well: of one that is alive, its disk is full');
  expect(whatRunWaitsFor(run, [ill, worker])).toBeNull();
});
