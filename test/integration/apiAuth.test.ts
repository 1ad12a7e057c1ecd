import { describe, expect, test } from 'vitest';
import { openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken, revokeToken } from '#src/people/apiTokens.ts';
import { apiForTests } from './support/apiForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { runWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();
const db = openDatabase(postgres.url);

test('a server that other machines can reach refuses to start without a token, and says how to make one', async () => {
  const databaseUrl = await postgres.freshDatabase();
  const start = () => apiForTests({ postgres, databaseUrl, host: '0.0.0.0' });
  await expect(start()).rejects.toThrow('warren token create NAME --role admin');
  const empty = openDatabase(databaseUrl);
  await issueToken({ db: empty }, { name: 'gone', role: 'ADMIN' });
  await revokeToken({ db: empty }, 'gone');
  await expect(start()).rejects.toThrow('warren token create');
  await issueToken({ db: empty }, { name: 'there', role: 'ADMIN' });
  await empty.$disconnect();
  expect((await (await start()).graphql('{ server { role } }')).status).toBe(401);
});

describe('with tokens', async () => {
  const tokens = {
    READ: (await issueToken({ db }, { name: 'reader', role: 'READ' })).token,
    WRITE: (await issueToken({ db }, { name: 'writer', role: 'WRITE' })).token,
    QUEUE: (await issueToken({ db }, { name: 'operator', role: 'WRITE', mayManageQueue: true })).token,
    ADMIN: (await issueToken({ db }, { name: 'admin', role: 'ADMIN' })).token,
  };
  await db.$disconnect();
  const api = await apiForTests({ postgres, requireToken: true });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const CREATE = 'mutation { createRun(input: {}) { id } }';

  test.each([
    ['none', {}],
    ['an unknown one', bearer('warren_nonsense')],
    ['another scheme', { authorization: `Basic ${tokens.ADMIN}` }],
  ])('a request with token %s is refused', async (_what, headers) => {
    const { status, errors } = await api.graphql('{ server { role } }', {}, headers);
    expect(status).toBe(401);
    expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await api.fetch('/artifacts/1/x', { headers })).status).toBe(401);
    expect((await api.fetch('/export', { headers })).status).toBe(401);
    expect((await api.fetch('/schema.graphql', { headers })).status).toBe(401);
    expect((await api.fetch('/metrics', { headers })).status).toBe(401);
  });

  test('a token in the address is not looked at', async () => {
    expect((await api.fetch(`/export?token=${tokens.ADMIN}`)).status).toBe(401);
  });

  test('/health, /ready and the dashboard’s files need none', async () => {
    expect((await api.fetch('/health')).status).toBe(200);
    expect((await api.fetch('/ready')).status).toBe(200);
    expect((await api.fetch('/runs')).status).toBe(200);
  });

  test('admins alone see sizes, slow work and tokens of the server, and have rules for all projects', async () => {
    await api.graphql(CREATE, {}, bearer(tokens.WRITE));
    const overview = `{ administration { version changes databaseMs queueMs databaseBytes tables { name bytes }
      projects { name runs points artifactBytes } slowWork { what } } }`;
    const { administration } = (await api.graphql(overview, {}, bearer(tokens.ADMIN))).data;
    expect(administration).toMatchObject({ databaseMs: expect.any(Number), queueMs: expect.any(Number) });
    expect(administration.projects.length).toBeGreaterThan(0);
    expect(administration.tables.map(({ name }: { name: string }) => name)).toContain('run');
    expect(administration.changes.length).toBeGreaterThan(0);
    const save = `mutation { saveAlertRule(input: { name: "all", condition: { trigger: RUN_ENDED } }) { rule { id } } }`;
    for (const query of [overview, save]) {
      for (const token of [tokens.READ, tokens.WRITE]) {
        expect((await api.graphql(query, {}, bearer(token))).errors[0]?.extensions.code).toBe('FORBIDDEN');
      }
    }
    expect((await api.graphql(save, {}, bearer(tokens.ADMIN))).errors).toEqual([]);
  });

  test('the queue is paused by admins, and by tokens that were made for it', async () => {
    const pause = (token: string) => api.graphql('mutation { pauseQueue { kind } }', {}, bearer(token));
    expect((await pause(tokens.WRITE)).errors[0]).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
      message: expect.stringContaining('--queue'),
    });
    for (const token of [tokens.ADMIN, tokens.QUEUE]) {
      expect((await pause(token)).data.pauseQueue).toEqual([{ kind: null }]);
    }
    const drain = await api.graphql('mutation { drainWorker(worker: "x") { id } }', {}, bearer(tokens.WRITE));
    expect(drain.errors[0]?.extensions.code).toBe('FORBIDDEN');
  });

  test.each(['READ', 'WRITE', 'ADMIN'] as const)('%s is told its role', async (role) => {
    const { data } = await api.graphql('{ server { role } }', {}, bearer(tokens[role]));
    expect(data.server.role).toBe(role);
  });

  test('READ changes nothing, neither by GraphQL nor by PUT; WRITE does', async () => {
    const refused = await api.graphql(CREATE, {}, bearer(tokens.READ));
    expect(refused.errors[0]?.extensions.code).toBe('FORBIDDEN');
    const { data } = await api.graphql(CREATE, {}, bearer(tokens.WRITE));
    const put = (token: string) =>
      api.fetch(`/artifacts/${data.createRun.id}/a`, { method: 'PUT', body: 'x', headers: bearer(token) });
    expect((await put(tokens.READ)).status).toBe(403);
    expect((await put(tokens.WRITE)).status).toBe(201);
    expect((await api.fetch(`/artifacts/${data.createRun.id}/a`, { headers: bearer(tokens.READ) })).status).toBe(200);
  });

  test('tokens are for admins: made, listed without their text, and void within seconds of being revoked', async () => {
    const issue = 'mutation { issueToken(name: "ci", role: WRITE) { token record { name role } } }';
    expect((await api.graphql('{ tokens { name } }', {}, bearer(tokens.WRITE))).errors[0]?.extensions.code).toBe(
      'FORBIDDEN',
    );
    expect((await api.graphql(issue, {}, bearer(tokens.WRITE))).errors[0]?.extensions.code).toBe('FORBIDDEN');
    const { data } = await api.graphql(issue, {}, bearer(tokens.ADMIN));
    expect(data.issueToken.record).toEqual({ name: 'ci', role: 'WRITE' });
    const fresh = bearer(data.issueToken.token);
    expect((await api.graphql('{ server { role } }', {}, fresh)).status).toBe(200);
    const listed = await api.graphql(
      '{ tokens { name role lastUsedAt revokedAt expiresAt createdAt id } }',
      {},
      bearer(tokens.ADMIN),
    );
    expect(listed.data.tokens.map((token: { name: string }) => token.name)).toContain('ci');
    const revoke = 'mutation { revokeToken(name: "ci") { revokedAt } }';
    expect((await api.graphql(revoke, {}, bearer(tokens.ADMIN))).data.revokeToken.revokedAt).not.toBeNull();
    await waitUntil(
      'the token is refused',
      async () => (await api.graphql('{ server { role } }', {}, fresh)).status === 401,
    );
  });

  test('a token that has expired cannot be made', async () => {
    const query = 'mutation { issueToken(name: "old", role: READ, expiresAt: "2020-01-01T00:00:00Z") { token } }';
    const { errors } = await api.graphql(query, {}, bearer(tokens.ADMIN));
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', path: 'expiresAt' });
  });

  test('a WebSocket shows its token when it connects, and has the same rights', async () => {
    const ask = async (token: string | undefined, query: string) => {
      const client = api.socket(token === undefined ? {} : { token });
      try {
        for await (const result of client.iterate({ query })) return result;
        return null;
      } catch (error) {
        return error;
      } finally {
        await client.dispose();
      }
    };
    expect(await ask(undefined, '{ server { role } }')).toMatchObject({ code: 4403 });
    expect(await ask('warren_nonsense', '{ server { role } }')).toMatchObject({ code: 4403 });
    expect(await ask(tokens.READ, '{ server { role } }')).toMatchObject({ data: { server: { role: 'READ' } } });
    expect(await ask(tokens.READ, CREATE)).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(await ask(tokens.WRITE, CREATE)).toMatchObject({ data: { createRun: { id: expect.any(String) } } });
  });
});

test('a server on loopback answers to a token that it does not know, and says so', async () => {
  const api = await apiForTests({ postgres });
  const ask = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ query: '{ server { role } }' });
    const sent = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
    const { status, headers: answered } = await api.fetch('/graphql', sent);
    return [status, answered.get('warren-token')];
  };
  const own = openDatabase(api.postgres.url);
  const { token } = await issueToken({ db: own }, { name: 'known', role: 'READ' });
  await own.$disconnect();
  expect(await ask({ authorization: 'Bearer warren_nonsense' })).toEqual([200, 'unknown']);
  expect(await ask({ authorization: `Bearer ${token}` })).toEqual([200, null]);
  expect(await ask({})).toEqual([200, null]);
  const { code, stderr } = await runWarren(['ls'], { WARREN_API_URL: api.url, WARREN_TOKEN: 'warren_nonsense' });
  expect([code, stderr.match(/does not know the token in WARREN_TOKEN; it needs none/g)?.length]).toEqual([0, 1]);
});

test('a server on loopback stays open though there are tokens', async () => {
  const open = await apiForTests({ postgres });
  expect((await open.ok('{ server { role } }')).server.role).toBe('none');
  expect((await open.ok('{ tokens { name } }')).tokens.length).toBeGreaterThan(0);
});
