import { expect, test } from 'vitest';
import { transportTo } from '#clients/typescript/core/transport.ts';
import { TypedDocumentString as NodeDocument } from '#clients/typescript/generated/api.ts';
import { createApiClient } from '#src/cli/apiClient.ts';
import { TypedDocumentString } from '#src/generated/api.ts';
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
