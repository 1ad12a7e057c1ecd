import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { putFile } from '#workers/runtime/shared/putFile.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { attemptsOf, runOf, runsReach } from './runtime/runFacts.ts';
import { startProgram } from './runtime/testWorkers.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { smallDisk } from './support/smallDisk.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const disk = smallDisk(4);

describe.skipIf(disk === null)('on a full disk', async () => {
  if (disk === null) return;
  const api = await apiForTests({ artifacts: join(disk.folder, 'artifacts') });
  const context = await servicesForTests(api.postgres.url);
  const scratch = temporaryFolder();

  /** Sends a file of so many bytes as a worker does. */
  async function send(run: string, bytes: number) {
    const file = join(scratch, 'upload');
    writeFileSync(file, randomBytes(bytes));
    return await putFile(`${api.url}/artifacts/${run}/a`, file, { headers: {}, signal: AbortSignal.timeout(30_000) });
  }

  test('an upload is refused with 503 in plain words, leaves nothing behind, and works once there is room', async () => {
    const { createRun } = await api.ok('mutation { createRun(input: {}) { id } }');
    const { status, body } = await send(createRun.id, 8 * 2 ** 20);
    expect(status, body).toBe(503);
    expect(JSON.parse(body).errors).toEqual([
      {
        message:
          'the disk of the artifact store has no room left: free some, for instance with `warren clean`, and send it again',
        extensions: { code: 'UNAVAILABLE' },
      },
    ]);
    expect(readdirSync(join(disk.folder, 'artifacts', 'incoming'))).toEqual([]);
    const again = await send(createRun.id, 2 ** 20);
    expect(again.status, again.body).toBe(201);
  });

  test('a run whose scratch folder is full is tried again, and ends well once there is room', async () => {
    const worker = await startProgram((await buildFixtures()).worker, {
      WARREN_HOME: join(disk.folder, 'home'),
      DATABASE_URL: api.postgres.url,
      WARREN_API_URL: api.url,
    });
    disk.fill();
    const [run] = await queueFixtureRuns(context, { kind: 'artifacts' });
    const first = await waitUntil('the first attempt has ended', async () =>
      (await attemptsOf(context.db, run!.id)).find(({ state }) => state === 'FAILED'),
    );
    expect(first).toMatchObject({ number: 1, errorCode: 'UNAVAILABLE' });
    const events = await context.db.runEvent.findMany({ where: { runId: run!.id, type: 'lost' } });
    expect(events[0]?.message).toContain(
      `no room is left on the disk of the scratch folder ${disk.folder}/home/scratch/`,
    );
    disk.clear();
    await runsReach(context.db, [run!]);
    expect(await runOf(context.db, run!.id)).toMatchObject({ state: 'SUCCEEDED', errorCode: null });
    await worker.stop();
  });
});
