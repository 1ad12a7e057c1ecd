import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Nobody listens there. */
const AWAY = { WARREN_API_URL: 'http://127.0.0.1:1' };
const python = pythonForTests(AWAY);

function saidOnce(said: string) {
  const lines = said.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/does not answer: .*; what is logged is kept in .* and sent later$/);
  expect(lines[1]).toMatch(/sync/);
}

it.skipIf(python === null)('a server that is away is told once by Python, and what to do at the end', async () => {
  const printed = await python!.run(`
import io, sys, time, warren
sys.__stderr__ = io.StringIO()
run = warren.init(project="away", console=False)
for _ in range(3):
    run.log({"loss": 1})
run.finish(patience=1)
print(sys.__stderr__.getvalue())
`);
  saidOnce(printed);
});

it.skipIf(python === null)('a Python program that ends asks a server that is away once a second', async () => {
  const printed = await python!.run(`
import socket, threading, warren
asked, server = [], socket.create_server(("127.0.0.1", 0))
def refuse():
    while True:
        asked.append(server.accept()[0].close())
threading.Thread(target=refuse, daemon=True).start()
run = warren.init(project="away", console=False, server="http://127.0.0.1:%d" % server.getsockname()[1])
run.log({"loss": 1})
run.finish(patience=3)
print(len(asked))
`);
  expect(Number(printed)).toBeGreaterThan(1);
  expect(Number(printed)).toBeLessThan(20);
});

it('a server that is away is told once by Node, and what to do at the end', async () => {
  const script = `
import * as warren from '${builtFile('clients/warren.mjs')}';
const run = await warren.init({ project: 'away' });
for (let i = 0; i < 3; i++) run.log({ loss: 1 });
await run.finish({ patience: 1 });`;
  const folder = temporaryFolder();
  await runShell('node --input-type=module -e "$SCRIPT" 2>said', { SCRIPT: script, ...AWAY }, folder);
  saidOnce(readFileSync(join(folder, 'said'), 'utf8'));
});
