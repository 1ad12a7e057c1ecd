import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { api as readerOf } from '#clients/typescript/node.ts';
import { transportTo } from '#clients/typescript/core/transport.ts';
import { TypedDocumentString as NodeDocument } from '#clients/typescript/generated/api.ts';
import { createApiClient } from '#src/base/terminal/apiClient.ts';
import { TypedDocumentString } from '#src/generated/api.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { registerWorker } from '#src/fleet/workers.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren } from './support/warrenCommand.ts';
import { apiForTests } from './support/apiForTests.ts';
import { pythonForTests } from './support/pythonForTests.ts';

const api = await apiForTests();
/** What a later version may ask. */
const LATER = '{ runs { edges { node { horoscope } } } }';
const WORDS = /is of another version than this \w+: Cannot query field "horoscope".*update the older of the two/;

test('a server that has not what the command line asks is told to be of another version', async () => {
  const asked = createApiClient({ url: api.url, token: null }).request(new TypedDocumentString(LATER), {});
  await expect(asked).rejects.toThrow(WORDS);
});

test('so it is to programs of Node', async () => {
  const asked = transportTo(api.url, null).ask(new NodeDocument(LATER), {});
  await expect(asked).rejects.toThrow(WORDS);
});

test('`warren doctor` names workers of another version', async () => {
  const db = openDatabase(api.postgres.url, { poolSize: 1 });
  const worker = { id: randomUUID(), name: 'old-one', host: 'here', pid: 1, version: '0.0.1', backend: 'cpu' };
  await registerWorker({ db }, { ...worker, device: 'cpu', gpu: false, slots: 1, details: {} });
  await closeDatabase(db);
  const { stdout } = await runWarren(['doctor'], { WARREN_API_URL: api.url, WARREN_HOME: temporaryFolder() });
  expect(stdout).toMatch(/note +Workers +old-one is of Warren 0\.0\.1, the API of \d/);
});

const python = pythonForTests({ WARREN_API_URL: api.url });
test.skipIf(python === null)('so it is to programs of Python', async () => {
  const said = await python!.run(`
import os
from warren.transport import Refused, Transport
try:
    Transport(os.environ["WARREN_API_URL"], None).graphql(${JSON.stringify(LATER)}, {})
except Refused as error:
    print(error)
`);
  expect(said).toMatch(WORDS);
});

/** A server as they were before pages of runs had hints. */
const older = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.setHeader('content-type', 'application/json');
  if (/\bhints\b/.test(body)) {
    response.statusCode = 400;
    response.end(
      '{"errors":[{"message":"Cannot query field \\"hints\\" on type \\"RunConnection\\".","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}',
    );
    return;
  }
  const answer = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  response.end(await answer.text());
});
await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
afterAll(() => older.close());
const olderUrl = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;

test('runs of a server without hints are read all the same', async () => {
  await api.ok('mutation { createRun(input: { project: "old", name: "there" }) { id } }');
  const runs = await readerOf({ server: olderUrl }).runs({ project: 'old' }).all();
  expect(runs.map(({ name }) => name)).toEqual(['there']);
});

test.skipIf(python === null)('in Python, too', async () => {
  const said = await python!.run(`import warren\nprint([run.name for run in warren.Api("${olderUrl}").runs("old")])`);
  expect(said).toBe("['there']\n");
});
