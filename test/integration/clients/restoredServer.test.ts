import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiForTests, type TestApi } from '../support/apiForTests.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';

// the second one is what the first was before everything that the programs send to it
const [before, restored] = [await apiForTests(), await apiForTests()];
const python = pythonForTests();
const node = nodeForTests();

/** One address that leads to a server, and later to another one. */
async function switchedAddress(first: TestApi): Promise<{ url: string; lead(to: TestApi): void }> {
  const sockets = new Set<Socket>();
  let port = Number(new URL(first.url).port);
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => {});
      socket.on('close', () => void other.destroy());
    }
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  atEndOfFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    lead(to) {
      port = Number(new URL(to.url).port);
      for (const socket of sockets) socket.destroy();
    },
  };
}

it.skipIf(python === null)('a server that is restored from a backup gets again what it has lost', async () => {
  const address = await switchedAddress(before);
  const variables = { WARREN_API_URL: address.url, WARREN_KEEP_JOURNALS: '1' };
  const ended = [
    await python!.run(
      'import warren\nr = warren.init(project="p", save_code=False)\nr.log({"loss": 1})\nr.finish()\nprint(r.id)',
      variables,
    ),
    await node.run(
      "const r = await warren.init({ project: 'p', saveCode: false, console: false }); r.log({ loss: 1 }); await r.finish(); console.log(r.id);",
      variables,
    ),
  ].map((printed) => printed.trim().split('\n').at(-1)!);
  const going = [
    python!.start(
      `
import os, time, warren
run = warren.init(project="p", save_code=False)
print(run.id, flush=True)
for step in range(50): run.log({"loss": step})
while not os.path.exists("restored"): time.sleep(0.05)
for step in range(50, 60): run.log({"loss": step})
run.finish()`,
      variables,
    ),
    node.start(
      `
import { existsSync } from 'node:fs';
const run = await warren.init({ project: 'p', saveCode: false });
console.log(run.id);
for (let step = 0; step < 50; step++) run.log({ loss: step });
while (!existsSync('restored')) await new Promise((done) => setTimeout(done, 50));
for (let step = 50; step < 60; step++) run.log({ loss: step });
await run.finish();`,
      variables,
    ),
  ];
  const points = async (api: TestApi, id: string): Promise<number | undefined> => {
    const { metrics } = await loggedRuns(api).runOf(id);
    // those of the machine come beside it where it is slow
    return metrics.find(({ name }: { name: string }) => name === 'loss')?.pointCount;
  };
  for (const { stdout } of going) {
    await waitUntil('its first points are there', async () => {
      const id = stdout().split('\n')[0]!;
      return id !== '' && (await points(before, id)) === 50;
    });
  }
  address.lead(restored);
  for (const { folder } of [python!, node]) writeFileSync(join(folder, 'restored'), '');
  const printed = await Promise.all(going.map(async (program) => (await program.ended).stdout));
  // the next programs in these folders find what the ended ones had sent, and send what they have time for
  const next = async () => {
    await python!.run('import warren\nr = warren.init(project="p", save_code=False)\nr.finish()', variables);
    await node.run("await (await warren.init({ project: 'p', saveCode: false })).finish();", variables);
  };
  await next();

  const { runOf, logTexts } = loggedRuns(restored);
  for (const id of printed.map((text) => text.split('\n')[0]!)) {
    expect([(await runOf(id)).state, await points(restored, id)]).toEqual(['SUCCEEDED', 60]);
    expect((await logTexts(id))[0], 'lines come again, too').toBe(id);
  }
  for (const id of ended) {
    await waitUntil('it is there again', async () => {
      const { data } = await restored.graphql('query ($id: ID!) { run(id: $id) { state } }', { id });
      if (data?.run?.state === 'SUCCEEDED') return true;
      await next();
      return false;
    });
  }
});
