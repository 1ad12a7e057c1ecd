import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from 'graphql-ws';
import { admitUser, grantUser } from '#src/people/users.ts';
import { CookieJar } from './support/cookieJar.ts';
import { codeOf, signInForTests, WHO } from './support/signInForTests.ts';

const { api, ask, askedProvider, bearer, context, origin, own, signedIn, sql } = await signInForTests();

it('signs people in, with what their groups give, and out; the audit log names them', async () => {
  expect(await (await api.fetch('/auth/status')).json()).toEqual({ signIn: `${origin}/auth/sign-in`, groupDays: 30 });
  expect(codeOf(await ask(new CookieJar(origin), WHO))).toBe('UNAUTHENTICATED');
  const browser = new CookieJar(origin);
  const back = await browser.get(await askedProvider(browser, 'ada'));
  const [cookie = ''] = back.headers.getSetCookie().filter((one) => one.startsWith('warren-session='));
  expect(cookie).toMatch(/^warren-session=warren_session_[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/);
  const { server } = (await ask(browser, WHO)).data;
  expect(server).toMatchObject({ role: 'ADMIN', caller: { kind: 'user', name: 'ada@lab.example', everywhere: true } });
  const stored = await sql(`SELECT to_jsonb(s)::text AS row FROM user_session s`);
  expect(JSON.stringify(stored)).not.toContain('warren_session_');

  await ask(browser, 'mutation { revokeToken(name: "nobody") { name } }');
  expect((await browser.post('/auth/sign-out', {})).status).toBe(401);
  expect((await browser.post('/auth/sign-out', { origin, 'x-warren-request': '1' })).status).toBe(204);
  const before = new CookieJar(origin);
  before.cookies.set('warren-session', /=([^;]*)/.exec(cookie)?.[1] ?? '');
  expect(codeOf(await ask(before, WHO))).toBe('UNAUTHENTICATED');
  const { auditEntries = [] } = {
    auditEntries: await sql(`SELECT actor_kind, actor, action FROM audit_entry ORDER BY id`),
  };
  const actor = { actor_kind: 'user', actor: 'ada@lab.example' };
  expect(auditEntries).toEqual(['signIn', 'revokeToken', 'signOut'].map((action) => ({ ...actor, action })));
});

it('shows who is held to some projects nothing else', async () => {
  const browser = await signedIn('ben');
  const { server } = (await ask(browser, WHO)).data;
  expect(server).toMatchObject({ role: 'WRITE', caller: { everywhere: false } });
  expect(server.caller.grants).toEqual([{ project: 'papers', role: 'WRITE' }]);
  expect((await ask(browser, '{ projects { edges { node { name } } } }')).data.projects).toEqual({
    edges: [{ node: { name: 'papers' } }],
  });
  const made = await ask(browser, 'mutation { createRun(input: { project: "books" }) { id } }');
  expect(codeOf(made)).toBeDefined();
  expect((await browser.get(`${origin}/metrics`)).status).toBe(403);
});

it('refuses other domains, unverified addresses and people without a role, with a page that says why', async () => {
  for (const [who, why] of [
    ['dot', 'this server is for addresses at lab.example'],
    ['eve', 'verified'],
    ['cas', 'has no role on this server'],
  ] as const) {
    const browser = new CookieJar(origin);
    const answer = await browser.get(await askedProvider(browser, who));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(why);
    expect(browser.cookies.size).toBe(0);
  }
  const grant = 'mutation { grantUser(user: "cas@lab.example", grants: [{ project: "books", role: READ }]) { email } }';
  expect((await api.graphql(grant, {}, bearer)).errors).toEqual([]);
  const { server } = (await ask(await signedIn('cas'), WHO)).data;
  expect(server.caller.grants).toEqual([{ project: 'books', role: 'READ' }]);
});

it('knows people by provider and id: an address that is not verified names nobody, nor one that only looks the same', async () => {
  const settings = { issuer: 'https://login.example', domains: [], defaultRole: null };
  const roles = { 'user:kim@lab.example': 'ADMIN', 'subject:s-7': { books: 'READ' } } as const;
  const admit = (subject: string, email: string, emailVerified: boolean) =>
    admitUser(context, { ...settings, roles }, { subject, email, emailVerified, name: 'The Boss', groups: [] });
  await expect(admit('mallory', 'boss@lab.example', false)).rejects.toThrow(/\(unverified, [0-9a-f]{8}\) has no role/);
  const give = { grants: [{ project: 'books', role: 'WRITE' as const }], withdraw: [] };
  await expect(grantUser(context, 'boss@lab.example', give)).rejects.toThrow('(mallory at https://login.example)');
  await expect(admit('boss', 'boss@lab.example', true)).rejects.toThrow('boss@lab.example has no role');
  expect(await grantUser(context, 'BOSS@lab.example', give)).toMatchObject({
    subject: 'boss',
    label: 'boss@lab.example',
  });
  await expect(admit('mallory', 'boss@lab.example', false)).rejects.toThrow('has no role');
  // KELVIN SIGN, whose lower case is a "k"; NUL, which the database would replace
  for (const odd of ['\u212aim@lab.example', 'k\0im@lab.example', 'kim@lab.example@lab.example']) {
    await expect(admit('odd', odd, true)).rejects.toThrow('printable ASCII');
    await expect(grantUser(context, odd, give)).rejects.toThrow('there is no user');
  }
  await expect(admit('s-7\0', '', false)).rejects.toThrow('claim sub');
  expect(await admit('s-7', '', false)).toMatchObject({ role: null, email: '' });
  expect(await admit('kim', 'KIM@lab.example', true)).toMatchObject({ role: 'ADMIN' });
  expect(await sql(`SELECT subject FROM app_user WHERE issuer = '${settings.issuer}' ORDER BY 1`)).toEqual(
    ['boss', 'kim', 'mallory', 's-7'].map((subject) => ({ subject })),
  );
});

it('ends the session before where somebody signs in again in the same browser', async () => {
  const browser = await signedIn('ada');
  const before = new CookieJar(origin);
  for (const [name, value] of browser.cookies) before.cookies.set(name, value);
  await browser.get(await askedProvider(browser, 'ben'));
  expect((await ask(browser, WHO)).data.server.caller.name).toBe('ben@lab.example');
  expect(codeOf(await ask(before, WHO))).toBe('UNAUTHENTICATED');
});

it('asks for groups again: own tokens have what groups gave for thirty days after signing in', async () => {
  const browser = await signedIn('ben');
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const issue = `mutation { issueOwnToken(name: "laptop", role: READ, expiresAt: "${expiresAt}") { token } }`;
  const token = async () => ({
    authorization: `Bearer ${(await ask(browser, issue.replace('laptop', randomUUID()))).data.issueOwnToken.token}`,
  });
  const projects = '{ projects { edges { node { name } } } }';
  const [first, second] = [await token(), await token()];
  expect((await api.graphql(projects, {}, first)).errors).toEqual([]);
  await sql(`UPDATE app_user SET signed_in_at = now() - interval '31 days' WHERE email = 'ben@lab.example'`);
  const refused = await api.graphql(projects, {}, second);
  expect([codeOf(refused), refused.errors[0]?.message]).toEqual([
    'UNAUTHENTICATED',
    expect.stringContaining('sign in at the dashboard once'),
  ]);
  await signedIn('ben');
  expect((await api.graphql(projects, {}, second)).errors).toEqual([]);
});

it('takes an answer of the provider from the browser that asked, once, and never leads to another server', async () => {
  const browser = new CookieJar(origin);
  const answer = await askedProvider(browser, 'ada');
  const status = async (jar: CookieJar, address: string) => (await jar.get(address)).status;
  expect(await status(new CookieJar(origin), answer)).toBe(400); // another browser
  const kept = new Map(browser.cookies);
  const again = () => {
    for (const [name, value] of kept) browser.cookies.set(name, value);
  };
  expect(await status(browser, answer.replace(/state=[^&]+/, 'state=forged'))).toBe(400);
  again();
  expect(await status(browser, answer.replace(/code=[^&]+/, 'code=forged'))).toBe(400);
  again();
  expect(await status(browser, answer)).toBe(303);
  expect(await status(browser, answer)).toBe(400); // its cookie is gone
  again();
  expect(await status(browser, answer)).toBe(400); // and the code was used
  again();
  for (const [name, value] of kept) browser.cookies.set(name, `${value.slice(0, -4)}AAAA`);
  expect(await status(browser, answer)).toBe(400);

  for (const to of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '/.//evil.example',
    '/auth/sign-in',
  ]) {
    const other = new CookieJar(origin);
    const location = (await other.get(await askedProvider(other, 'ada', to))).headers.get('location') ?? '';
    expect(new URL(location).origin).toBe(origin);
    expect(location).not.toContain('/auth/');
  }
});

it('counts cookies for its own pages alone', async () => {
  const browser = await signedIn('ada');
  const { origin: _, ...withoutOrigin } = own;
  expect(codeOf(await ask(browser, WHO, withoutOrigin))).toBe('UNAUTHENTICATED');
  expect(codeOf(await ask(browser, WHO, { ...own, origin: 'http://evil.example' }))).toBe('FORBIDDEN');
  expect(codeOf(await ask(browser, WHO, { ...own, 'sec-fetch-site': 'same-site' }))).toBe('UNAUTHENTICATED');
  const put = await fetch(`${origin}/artifacts/1/x.txt`, {
    method: 'PUT',
    body: 'x',
    headers: { origin, cookie: browser.header() },
  });
  expect(put.status).toBe(401);
  expect((await browser.get(`${origin}/export?format=csv`)).status).toBe(200);
  expect((await browser.get(`${origin}/export`, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect(await heard(browser, origin)).toContain('ada@lab.example');
  expect(await heard(browser, null)).toContain('4403');
  // a token counts, whatever the cookie says
  expect((await ask(browser, WHO, { ...own, ...bearer })).data.server.caller.kind).toBe('token');
});

/** What a WebSocket with the browser's cookie is answered: data, or why it was closed. */
async function heard(browser: CookieJar, from: string | null): Promise<string> {
  const socket = createClient({
    url: `${origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocols: string) {
        super(address, protocols, {
          headers: { cookie: browser.header() },
          ...(from === null ? {} : { origin: from }),
        });
      }
    },
    retryAttempts: 0,
  });
  const result = await new Promise<unknown>((resolve) => {
    let last: unknown;
    socket.subscribe({ query: WHO }, { next: (data) => (last = data), error: resolve, complete: () => resolve(last) });
  });
  await socket.dispose();
  return JSON.stringify(result) + String(Reflect.get(Object(result), 'code'));
}

it('changes the secret of a session, and ends one whose old secret comes again', async () => {
  const browser = await signedIn('ada');
  const old = new CookieJar(origin);
  for (const [name, value] of browser.cookies) old.cookies.set(name, value);
  const role = async (jar: CookieJar) => (await ask(jar, WHO)).data?.server.role;
  await sql(`UPDATE user_session SET rotated_at = rotated_at - interval '1 hour'`);
  // several requests at once: one of them gets the new secret
  const stale = old.header();
  expect(await Promise.all([role(browser), role(old)])).toEqual(['ADMIN', 'ADMIN']);
  const isNew = [browser, old].filter((jar) => jar.header() !== stale);
  expect(isNew).toHaveLength(1);
  const [current, former] = isNew[0] === browser ? [browser, old] : [old, browser];
  expect(await role(former)).toBe('ADMIN'); // for a minute
  await sql(`UPDATE user_session SET rotated_at = rotated_at - interval '2 minutes'`);
  expect(await role(current)).toBe('ADMIN');
  expect(await role(former)).toBeUndefined();
  expect(await role(current)).toBeUndefined();
});

it('ends sessions that were not used, or are old, and those of disabled users at once', async () => {
  for (const change of [`used_at = now() - interval '3 hours'`, `expires_at = now()`]) {
    const browser = await signedIn('ada');
    await sql(`UPDATE user_session SET ${change}`);
    expect(codeOf(await ask(browser, WHO))).toBe('UNAUTHENTICATED');
  }
  const browser = await signedIn('ben');
  const disable = (disabled: boolean) =>
    api.graphql(`mutation { disableUser(user: "BEN@lab.example", disabled: ${disabled}) { disabledAt } }`, {}, bearer);
  expect((await disable(true)).errors).toEqual([]);
  expect(codeOf(await ask(browser, WHO))).toBe('UNAUTHENTICATED');
  const other = new CookieJar(origin);
  expect(await (await other.get(await askedProvider(other, 'ben'))).text()).toContain('was disabled here');
  await disable(false);
  await signedIn('ben');
});
