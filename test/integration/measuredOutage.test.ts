import { expect, test } from 'vitest';
import { issueToken } from '#src/people/apiTokens.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { postgresServerForTests } from './support/postgresServerForTests.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresServerForTests();
const { token } = await issueToken(await servicesForTests(postgres.url), { name: 'prometheus', role: 'READ' });
const api = await apiForTests({ postgres, requireToken: true });

async function measured(bearer: string): Promise<{ status: number; text: string }> {
  const answer = await api.fetch('/metrics', { headers: { authorization: `Bearer ${bearer}` } });
  return { status: answer.status, text: await answer.text() };
}

test('/metrics tells those who measure before that the database is away, and nobody else', async () => {
  expect((await measured(token)).text).toMatch(/^warren_database_up 1$/m);
  await postgres.kill();
  const seen = await measured(token);
  expect(seen.status).toBe(200);
  expect(seen.text).toMatch(/^warren_database_up 0$/m);
  expect(seen.text).toMatch(/^warren_queue_up 0$/m);
  // longer than tokens are remembered for other requests
  const headers = { authorization: `Bearer ${token}` };
  await waitUntil('others to be refused', async () => (await api.fetch('/export', { headers })).status === 503);
  expect((await measured(token)).text).toMatch(/^warren_database_up 0$/m);
  expect((await measured('warren_unknown')).status).toBe(503);
  await postgres.restart();
  await waitUntil('the database', async () => /^warren_database_up 1$/m.test((await measured(token)).text));
  expect((await measured('warren_unknown')).status).toBe(401);
});
