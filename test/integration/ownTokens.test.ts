import { expect, it } from 'vitest';
import { issueToken } from '#src/people/apiTokens.ts';
import { CookieJar } from './support/cookieJar.ts';
import { codeOf, signInForTests, WHO } from './support/signInForTests.ts';

const { api, ask, bearer, context, origin, signedIn, sql } = await signInForTests();

const TOMORROW = new Date(Date.now() + 24 * 3600 * 1000).toISOString();
const issue = (name: string, role: string, more = '') =>
  `mutation { issueOwnToken(name: "${name}", role: ${role}, expiresAt: "${TOMORROW}"${more}) { token record { name role isOwn grants { project role } } } }`;
const createRun = (project: string) => `mutation { createRun(input: { project: "${project}" }) { user } }`;
const as = (token: string) => ({ authorization: `Bearer ${token}` });

it('lets a person log with a token of its own, under its name, in its projects alone', async () => {
  const ben = await signedIn('ben');
  const { token, record } = (await ask(ben, issue('laptop', 'WRITE'))).data.issueOwnToken;
  expect(record).toEqual({ name: 'ben@lab.example/laptop', role: 'WRITE', isOwn: true, grants: [] });
  const made = await api.graphql(createRun('papers'), {}, { ...as(token), 'x-warren-user': 'root' });
  expect(made.data.createRun.user).toBe('ben@lab.example');
  expect(codeOf(await api.graphql(createRun('books'), {}, as(token)))).toBeDefined();
  expect((await api.graphql(WHO, {}, as(token))).data.server).toEqual({
    role: 'WRITE',
    caller: {
      ...{ kind: 'token', name: 'ben@lab.example/laptop', everywhere: false },
      grants: [{ project: 'papers', role: 'WRITE' }],
    },
  });

  // it neither makes tokens, nor sees them, nor queues commands or administers
  for (const operation of [issue('another', 'READ'), '{ ownTokens { name } }', '{ tokens { name } }'])
    expect(codeOf(await api.graphql(operation, {}, as(token)))).toBe('FORBIDDEN');
  const MAY = '{ server { mayManageQueue caller { mayAdminister } } }';
  expect((await api.graphql(MAY, {}, as(token))).data.server).toEqual({
    mayManageQueue: false,
    caller: { mayAdminister: false },
  });
});

it('refuses more than the person may, and what cannot be', async () => {
  const ben = await signedIn('ben');
  const codes = async (...operations: string[]) =>
    await Promise.all(operations.map(async (one) => codeOf(await ask(ben, one))));
  await sql("DELETE FROM access_grant WHERE project_id = (SELECT id FROM project WHERE name = 'books')");
  expect(
    await codes(
      issue('a', 'ADMIN'),
      issue('a', 'WRITE', ', projects: ["books"]'),
      issue('a', 'READ', ', projects: []'),
      issue('a', 'READ').replace(TOMORROW, '2000-01-01T00:00:00Z'),
      issue('a', 'READ').replace(TOMORROW, '2999-01-01T00:00:00Z'),
      issue('laptop', 'READ'),
    ),
  ).toEqual(['BAD_INPUT', 'NOT_FOUND', 'BAD_INPUT', 'BAD_INPUT', 'BAD_INPUT', 'CONFLICT']);
  await sql("UPDATE access_grant SET role = 'READ' WHERE user_id IS NOT NULL");
  // who reads alone still makes a token that reads
  expect(await codes(issue('a', 'WRITE'), issue('a', 'WRITE', ', projects: ["papers"]'))).toEqual([
    'FORBIDDEN',
    'FORBIDDEN',
  ]);
  const { token } = (await ask(ben, issue('reader', 'READ', ', projects: ["papers"]'))).data.issueOwnToken;
  expect((await api.graphql('{ runs { totalCount } }', {}, as(token))).data.runs.totalCount).toBe(1);
  expect(codeOf(await api.graphql(createRun('papers'), {}, as(token)))).toBe('FORBIDDEN');
  // that a reader may change these things opens no other change
  expect(codeOf(await ask(ben, createRun('papers')))).toBe('FORBIDDEN');
  const both = `mutation { revokeOwnToken(name: "x") { name } ${createRun('papers').slice('mutation {'.length)}`;
  expect(codeOf(await ask(ben, both))).toBe('FORBIDDEN');
  const behind = 'mutation { ...on Mutation { createRun(input: { project: "papers" }) { user } } }';
  expect(codeOf(await ask(ben, behind))).toBe('FORBIDDEN');
  const other = (await issueToken(context, { name: 'an admin', role: 'ADMIN' })).token;
  expect(codeOf(await api.graphql(issue('a', 'READ'), {}, as(other)))).toBe('FORBIDDEN');
  expect(codeOf(await ask(new CookieJar(origin), issue('a', 'READ')))).toBe('UNAUTHENTICATED');
});

it('takes from a token what is taken from the person, also where the token names more', async () => {
  const ada = await signedIn('ada');
  const everywhere = (await ask(ada, issue('all', 'WRITE'))).data.issueOwnToken.token;
  const books = (await ask(ada, issue('books', 'WRITE', ', projects: ["books"]'))).data.issueOwnToken.token;
  const rights = async (token: string) => {
    const { data } = await api.graphql(WHO, {}, as(token));
    return [data.server.role, data.server.caller.everywhere, data.server.caller.grants];
  };
  // tokens are looked up again after five seconds: each is used for the first time after the change
  await sql("UPDATE app_user SET role = 'READ' WHERE email = 'ada@lab.example'");
  expect(await rights(books)).toEqual(['READ', false, [{ project: 'books', role: 'READ' }]]);
  expect(codeOf(await api.graphql(createRun('books'), {}, as(books)))).toBe('FORBIDDEN');
  await sql("UPDATE app_user SET role = NULL WHERE email = 'ada@lab.example'");
  expect(await rights(everywhere)).toEqual(['READ', false, []]);
  expect((await api.graphql('{ runs { totalCount } }', {}, as(everywhere))).data.runs.totalCount).toBe(0);
});

it('shows a person its own tokens alone, and ends them; admins see and end all', async () => {
  const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
  const names = async (browser: CookieJar) =>
    (await ask(browser, '{ ownTokens { name } }')).data.ownTokens.map(({ name }: { name: string }) => name);
  expect(await names(ada)).toEqual(['ada@lab.example/books', 'ada@lab.example/all']);
  const revoke = (name: string) => `mutation { revokeOwnToken(name: "${name}") { revokedAt } }`;
  expect(codeOf(await ask(ben, revoke('ada@lab.example/all')))).toBe('NOT_FOUND');
  expect(codeOf(await ask(ada, revoke('an admin')))).toBe('NOT_FOUND');
  const { token } = (await ask(ben, issue('soon withdrawn', 'READ'))).data.issueOwnToken;
  expect((await ask(ben, revoke('ben@lab.example/soon withdrawn'))).data.revokeOwnToken.revokedAt).not.toBeNull();
  expect(codeOf(await api.graphql(WHO, {}, as(token)))).toBe('UNAUTHENTICATED');

  const all = (await api.graphql('{ tokens { name madeBy isOwn } }', {}, bearer)).data.tokens;
  expect(all).toContainEqual({ name: 'ben@lab.example/laptop', madeBy: 'ben@lab.example', isOwn: true });
  const disable = 'mutation { disableUser(user: "ben@lab.example") { tokens } }';
  expect((await api.graphql(disable, {}, bearer)).data.disableUser.tokens).toEqual([]);
  const held = await sql("SELECT name FROM api_token WHERE made_by = 'ben@lab.example' AND revoked_at IS NULL");
  expect(held).toEqual([]);
});
