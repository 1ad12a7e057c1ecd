import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { troubleOf } from '#src/fleet/waitsFor.ts';
import { listWorkers } from '#src/fleet/workers.ts';
import { putFile } from '#workers/runtime/shared/putFile.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { attemptsOf, runOf, runsReach } from './runtime/runFacts.ts';
import { startProgram } from './runtime/testWorkers.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { loggedRuns } from './support/loggedRuns.ts';
import { pythonForTests } from './support/pythonForTests.ts';
import { startShell } from './support/runShell.ts';
import { smallDisk } from './support/smallDisk.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const disk = smallDisk(8);

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

  test('an upload is refused with 507 in plain words, leaves nothing behind, and works once there is room', async () => {
    const { createRun } = await api.ok('mutation { createRun(input: {}) { id } }');
    const { status, body } = await send(createRun.id, 8 * 2 ** 20);
    expect(status, body).toBe(507);
    expect(JSON.parse(body).errors).toEqual([
      {
        message:
          'the disk of the artifact store has no room left: free some, for instance with `warren clean`, and send it again',
        extensions: { code: 'NO_ROOM' },
      },
    ]);
    expect(readdirSync(join(disk.folder, 'artifacts', 'incoming'))).toEqual([]);
    const again = await send(createRun.id, 2 ** 20);
    expect(again.status, again.body).toBe(201);
  });

  const { runOf: loggedRun, history } = loggedRuns(api);
  const python = pythonForTests({ WARREN_API_URL: api.url });
  const SYNC = 'import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync"]))';

  /** Has a program log a file for which there is no room, and what fits; then makes room, and sends the rest. */
  async function logsPastFullDisk(takenByOthers: number, log: () => Promise<{ stdout: string; stderr: string }>) {
    const filler = join(disk!.folder, 'others');
    writeFileSync(filler, randomBytes(takenByOthers));
    writeFileSync(join(python!.folder, 'large.bin'), randomBytes(2.5 * 2 ** 20));
    writeFileSync(join(python!.folder, 'small.txt'), 'fits');
    const { stdout, stderr } = await log();
    expect(stderr).toMatch(
      /large\.bin is put aside, the rest goes on: .*the disk of the artifact store has no room left/,
    );
    expect(stderr).toMatch(/not stored: large\.bin: /);
    const run = await loggedRun(stdout);
    expect(run).toMatchObject({ state: 'SUCCEEDED', artifacts: [{ name: 'small.txt' }] });
    expect((await history(run.id, 'loss')).values).toEqual([2, 1]);
    expect((await python!.start(SYNC).ended).stdout).toContain('no room (large.bin: ');
    rmSync(filler);
    expect(await python!.run(SYNC)).toContain(': sent');
    const names = (await loggedRun(run.id)).artifacts.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['large.bin', 'small.txt']);
    expect((await loggedRun(run.id)).state).toBe('SUCCEEDED');
  }

  test.skipIf(python === null)(
    'a Python program goes on logging past a file that does not fit; later it is sent',
    async () => {
      await logsPastFullDisk(
        6 * 2 ** 20,
        () =>
          python!.start(`
import warren
with warren.init(save_code=False) as r:
    print(r.id)
    r.log({"loss": 2})
    r.log_artifact("large.bin", register="ranker")
    r.log_artifact("small.txt")
    r.log({"loss": 1})
`).ended,
      );
      expect(await api.ok('{ registryVersion(version: "ranker@latest") { number } }')).toEqual({
        registryVersion: { number: 1 },
      });
    },
  );

  test.skipIf(python === null)('a Node program does, too', async () => {
    const script = `
import * as warren from '${join(projectRoot(), 'dist', 'clients', 'warren.mjs')}';
const run = await warren.init();
console.log(run.id);
warren.log({ loss: 2 });
warren.logArtifact('large.bin');
warren.logArtifact('small.txt');
warren.log({ loss: 1 });
await warren.finish();
`;
    const variables = { WARREN_API_URL: api.url, SCRIPT: script };
    await logsPastFullDisk(
      3.5 * 2 ** 20,
      () => startShell('exec node --input-type=module -e "$SCRIPT"', variables, python!.folder).ended,
    );
  });

  test('a worker whose scratch folder is full says so and costs its runs no attempt; they end well once there is room', async () => {
    const worker = await startProgram((await buildFixtures()).worker, {
      WARREN_HOME: join(disk.folder, 'home'),
      DATABASE_URL: api.postgres.url,
      WARREN_API_URL: api.url,
    });
    disk.fill();
    const [run] = await queueFixtureRuns(context, { kind: 'artifacts' });
    const said = await waitUntil('the worker says that its disk is full', async () =>
      (await listWorkers(context, {})).map(troubleOf).find((trouble) => trouble !== null),
    );
    expect(said).toMatch(/^its disk is full: .* left for .*\/home\//);
    disk.clear();
    await runsReach(context.db, [run!]);
    expect(await runOf(context.db, run!.id)).toMatchObject({ state: 'SUCCEEDED', errorCode: null });
    expect((await attemptsOf(context.db, run!.id)).filter(({ state }) => state === 'FAILED')).toEqual([]);
    await worker.stop();
  });
});
