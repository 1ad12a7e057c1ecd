import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { apiForTests } from './support/apiForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();
const db = openDatabase(postgres.url);
afterAll(() => db.$disconnect());
const { token } = await issueToken({ db }, { name: 'writer', role: 'WRITE' });
const BODY_MS = 1_000;
const api = await apiForTests({ postgres, requireToken: true, bodyMs: BODY_MS });
const authorization = { authorization: `Bearer ${token}` };

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** A request whose body comes one byte at a time, for as long as it is to be; what has come back so far, and whether the server has hung up. */
function trickle(head: string, headers: Record<string, string> = {}) {
  const socket = connect(api.server.port, '127.0.0.1');
  sockets.push(socket);
  const seen = { answer: '', closed: false };
  const lines = Object.entries({ host: `127.0.0.1:${api.server.port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`${[`${head} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  let left = Number(headers['content-length'] ?? 0);
  const drip = setInterval(() => {
    if (left-- > 0) socket.write('x');
  }, 50);
  socket.on('data', (bytes) => {
    seen.answer += String(bytes);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(drip);
    seen.closed = true;
  });
  return seen;
}

describe('a body that comes slowly', () => {
  test('without a token is refused at once, and its connection closed', async () => {
    for (const head of ['POST /graphql', 'PUT /artifacts/1/big.bin']) {
      const seen = trickle(head, { 'content-type': 'application/json', 'content-length': '1000000' });
      await waitUntil('the end of the connection', () => seen.closed);
      expect(seen.answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(seen.answer.toLowerCase()).toContain('connection: close');
    }
  });

  test('is given up after the limit, with a clear answer', async () => {
    const startedMs = performance.now();
    const json = { 'content-type': 'application/json', 'content-length': '1000000' };
    const seen = trickle('POST /graphql', { ...authorization, ...json });
    const elsewhere = trickle('POST /health', { 'content-length': '1000000' });
    await waitUntil('the end of the connections', () => seen.closed && elsewhere.closed);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(BODY_MS);
    expect(seen.answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(seen.answer).toContain('"TIMED_OUT"');
  });

  test('may take longer where an artifact is uploaded by somebody who may', async () => {
    const { data } = await api.graphql('mutation { createRun(input: {}) { id } }', {}, authorization);
    const size = 2 + Math.ceil((2 * BODY_MS) / 50);
    const seen = trickle(`PUT /artifacts/${data.createRun.id}/slow.bin`, {
      ...authorization,
      connection: 'close',
      'content-length': String(size),
    });
    await waitUntil('the answer', () => seen.closed);
    expect(seen.answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});
