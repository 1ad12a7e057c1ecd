import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { drainServer } from '#src/server/drainServer.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

const CALLERS = 6;
const sent = join(temporaryFolder(), 'sent');

/** Sends requests on connections of their own, makes a file once all have been sent, and prints how many were answered. */
const CALLERS_PROGRAM = `
  const { connect } = require('node:net');
  const { writeFileSync } = require('node:fs');
  const [port, count, file] = process.argv.slice(1);
  let sent = 0, ended = 0, answered = 0;
  for (let caller = 0; caller < count; caller++) {
    let answer = '';
    connect(port, '127.0.0.1')
      .on('connect', function () {
        this.write('GET / HTTP/1.1\\r\\nHost: here\\r\\nConnection: close\\r\\n\\r\\n', () => {
          if (++sent === Number(count)) writeFileSync(file, '');
        });
      })
      .on('data', (part) => { answer += part; })
      .on('error', () => {})
      .on('close', () => {
        if (answer.startsWith('HTTP/1.1 200')) answered++;
        if (++ended === Number(count)) console.log(answered);
      });
  }`;

test('a server that was busy answers all who wait to be let in before it ends', async () => {
  const server = createServer((_, response) => response.end('here'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const callers = spawn(process.execPath, ['-e', CALLERS_PROGRAM, String(port), String(CALLERS), sent]);
  // blocks the event loop, so that nobody is let in
  while (!existsSync(sent));
  await drainServer(server);
  expect(await text(callers.stdout)).toBe(`${CALLERS}\n`);
});
