import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from 'graphql-ws';
import type { SignInSettings } from '#src/platform/signInSettings.ts';
import { freePort } from '#src/platform/processes/freePort.ts';
import { connectPostgres } from '#src/platform/postgres/postgresClient.ts';
import { createProject } from '#src/services/projects/createProject.ts';
import { issueToken } from '#src/services/tokens/apiTokens.ts';
import { CookieJar } from './support/cookieJar.ts';
import { apiForTests } from './support/apiForTests.ts';
import { openidProviderForTests } from './support/openidProviderForTests.ts';
import { waitUntil } from './support/waitUntil.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { servicesForTests } from './services/support.ts';

const port = await freePort(0);
const origin = `http://127.0.0.1:${port}`;
const [client, postgres] = [
  { id: 'warren', secret: 'a secret', redirectUri: `${origin}/auth/callback` },
  await postgresForTests(),
];
const provider = await openidProviderForTests(client);
const person = (name: string, groups: string[], domain = 'lab.example') => ({
  ...{ email: `${name}@${domain}`, email_verified: true, name, groups },
});
provider.people = {
  ada: person('ada', ['admins']),
  ben: person('ben', ['papers']),
  cas: person('cas', []),
  dot: person('dot', ['admins'], 'elsewhere.example'),
  eve: { ...person('eve', ['admins']), email_verified: false },
};
const signIn: SignInSettings = {
  ...{ issuer: provider.issuer, clientId: client.id, clientSecret: client.secret, scopes: 'openid email profile' },
  ...{ domains: ['lab.example'], groupsClaim: 'groups', defaultRole: null, publicOrigin: origin },
  ...{ roles: { admins: 'ADMIN', papers: { papers: 'WRITE', missing: 'READ' } }, sessionHours: 24, idleHours: 2 },
};
const context = await servicesForTests(postgres.url);
const api = await apiForTests({ postgres, port, signIn });
for (const name of ['papers', 'books']) await createProject(context, { name });
const admin = (await issueToken(context, { name: 'admin', role: 'ADMIN' })).token;

/** The provider's answer to a browser: the address of the callback, not gone to yet. */
async function askedProvider(browser: CookieJar, who: string, to = '/runs'): Promise<string> {
  provider.person = who;
  const atProvider = new CookieJar(origin);
  let next = (await browser.get(`${origin}/auth/sign-in?to=${encodeURIComponent(to)}`)).headers.get('location') ?? '';
  for (let hop = 0; hop < 6 && !next.startsWith(origin); hop++) {
    next = new URL((await atProvider.get(next)).headers.get('location') ?? '', next).href;
  }
  return next;
}

async function signedIn(who: string): Promise<CookieJar> {
  const browser = new CookieJar(origin);
  expect((await browser.get(await askedProvider(browser, who))).headers.get('location')).toBe(`${origin}/runs`);
  return browser;
}

const own = { origin, 'content-type': 'application/json' };
async function ask(browser: CookieJar, query: string, headers: Record<string, string> = own) {
  const response = await browser.post('/graphql', headers, JSON.stringify({ query }));
  return JSON.parse(await response.text());
}
const codeOf = (answer: { errors?: { extensions: { code: string } }[] }) => answer.errors?.[0]?.extensions.code;
const bearer = { authorization: `Bearer ${admin}` };
const WHO = '{ server { role caller { kind name everywhere grants { project role } } } }';

/** Runs SQL on the server's database, as time would. */
async function sql(statement: string): Promise<Record<string, unknown>[]> {
  const connection = await connectPostgres(postgres.url, { applicationName: 'warren tests' });
  try {
    return (await connection.query(statement)).rows;
  } finally {
    await connection.end();
  }
}

it('signs people in, with what their groups give, and out; the audit log names them', async () => {
  expect(await (await api.fetch('/auth/status')).json()).toEqual({ signIn: `${origin}/auth/sign-in` });
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

it('shows and changes people for admins of the whole server alone, and writes it down', async () => {
  const browser = await signedIn('ben');
  const PERSON = 'email seenAt role tokens links grants { project role byGroup }';
  const give =
    'mutation { grantUser(user: "ben@lab.example", grants: [{ project: "papers", role: ADMIN }]) { email } }';
  expect((await api.graphql(give, {}, bearer)).errors).toEqual([]);
  // who administers one project makes tokens for it, and is told nothing of people
  expect((await ask(browser, '{ server { caller { mayAdminister } } }')).data.server.caller.mayAdminister).toBe(true);
  const operations = [
    `{ users { ${PERSON} } }`,
    'mutation { disableUser(user: "ada@lab.example") { email } }',
    'mutation { grantUser(user: "ben@lab.example", grants: [{ project: "books", role: ADMIN }]) { email } }',
    'mutation { grantUser(user: "nobody", withdraw: ["books"]) { email } }',
  ];
  const tokens = [];
  for (const role of ['READ', 'WRITE'] as const)
    tokens.push((await issueToken(context, { name: `a ${role}`, role })).token);
  const inPapers = [{ project: 'papers', role: 'ADMIN' as const }];
  tokens.push((await issueToken(context, { name: 'of papers', role: 'ADMIN', grants: inPapers })).token);
  for (const operation of operations) {
    expect(codeOf(await ask(browser, operation))).toBe('FORBIDDEN');
    expect(codeOf(await ask(new CookieJar(origin), operation))).toBe('UNAUTHENTICATED');
    for (const token of tokens) {
      expect(codeOf(await api.graphql(operation, {}, { authorization: `Bearer ${token}` }))).toBe('FORBIDDEN');
    }
  }
  const issue =
    'mutation { issueToken(name: "of ben", role: READ, grants: [{ project: "papers", role: READ }]) { token } }';
  expect((await ask(browser, issue)).errors).toBeUndefined();
  const share = 'mutation { createShareLink(input: { project: "papers", title: "t" }) { address } }';
  expect((await ask(browser, share)).errors).toBeUndefined();

  const ada = await signedIn('ada');
  const { users } = (await ask(ada, `{ users { ${PERSON} } }`)).data;
  const ben = users.find(({ email }: { email: string }) => email === 'ben@lab.example');
  expect(ben).toEqual({
    ...{ email: 'ben@lab.example', role: null, tokens: ['of ben'], links: 1, seenAt: expect.any(String) },
    grants: [
      { project: 'papers', role: 'ADMIN', byGroup: false },
      { project: 'papers', role: 'WRITE', byGroup: true },
    ],
  });
  expect(Date.now() - Date.parse(ben.seenAt)).toBeLessThan(60_000);
  expect(codeOf(await ask(ada, 'mutation { disableUser(user: "ADA@lab.example") { email } }'))).toBe('CONFLICT');
  const shutOut = await ask(ada, `mutation { disableUser(user: "ben@lab.example") { ${PERSON} disabledAt } }`);
  expect(shutOut.data.disableUser).toMatchObject({ tokens: [], links: 0, disabledAt: expect.any(String) });
  await ask(ada, 'mutation { disableUser(user: "ben@lab.example", disabled: false) { email } }');
  const withdraw = await ask(
    ada,
    `mutation { grantUser(user: "ben@lab.example", withdraw: ["papers"]) { ${PERSON} } }`,
  );
  expect(withdraw.data.grantUser.grants).toEqual([{ project: 'papers', role: 'WRITE', byGroup: true }]);
  const written = (await ask(ada, '{ auditLog(first: 4) { actor action objects result details } }')).data.auditLog;
  const [who, subject] = ['ada@lab.example', 'ben@lab.example'];
  expect(written).toMatchObject([
    { actor: who, action: 'grantUser', objects: [subject], details: { user: subject, withdraw: ['papers'] } },
    { actor: who, action: 'disableUser', objects: [subject], details: { disabled: false } },
    {
      actor: who,
      action: 'disableUser',
      objects: [subject],
      details: { disabled: true, tokens: ['of ben'], links: 1 },
    },
    { actor: who, action: 'disableUser', objects: [], result: 'CONFLICT' },
  ]);
});

it('has the right to queue commands given by those alone who have it, and taken away by all admins', async () => {
  const commander = await issueToken(context, { name: 'commander', role: 'ADMIN', mayQueueCommands: true });
  const may = { authorization: `Bearer ${commander.token}` };
  const RIGHTS = '{ mayQueueCommands grants { project role mayQueueCommands } }';
  const inBooks = (role: string) =>
    `mutation { grantUser(user: "ben@lab.example", grants: [{ project: "books", role: ${role}, mayQueueCommands: true }]) ${RIGHTS} }`;
  const everywhere = (given: boolean) =>
    `mutation { grantUser(user: "ben@lab.example", mayQueueCommands: ${given}) ${RIGHTS} }`;
  await signedIn('ben');
  for (const change of [inBooks('WRITE'), everywhere(true)]) {
    const refused = await api.graphql(change, {}, bearer);
    expect([codeOf(refused), refused.errors[0]?.message]).toEqual([
      'FORBIDDEN',
      expect.stringContaining('warren user grant ADDRESS --commands'),
    ]);
  }
  expect(codeOf(await api.graphql(inBooks('READ'), {}, may))).toBe('BAD_INPUT');
  expect((await api.graphql(inBooks('WRITE'), {}, may)).data?.grantUser).toEqual({
    mayQueueCommands: false,
    grants: expect.arrayContaining([{ project: 'books', role: 'WRITE', mayQueueCommands: true }]),
  });
  expect((await api.graphql(everywhere(true), {}, may)).data?.grantUser).toMatchObject({ mayQueueCommands: true });
  expect((await api.graphql(everywhere(false), {}, bearer)).data?.grantUser).toMatchObject({ mayQueueCommands: false });
  const withdraw = `mutation { grantUser(user: "ben@lab.example", withdraw: ["books"]) ${RIGHTS} }`;
  const written = await api.graphql('{ auditLog(first: 1) { action details } }', {}, bearer);
  expect(written.data?.auditLog).toMatchObject([
    { action: 'grantUser', details: { user: 'ben@lab.example', mayQueueCommands: false } },
  ]);
  expect((await api.graphql(withdraw, {}, bearer)).errors).toEqual([]);
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

it('voids the tokens that a disabled admin has made, and those that these have made, unless they are to go on', async () => {
  const browser = await signedIn('ada');
  const issue = (name: string) => `mutation { issueToken(name: "${name}", role: ADMIN) { token } }`;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const first = as((await ask(browser, issue('of ada'))).data.issueToken.token);
  const second = as((await api.graphql(issue('of her token'), {}, first)).data.issueToken.token);
  const codes = () =>
    Promise.all([first, second].map(async (headers) => codeOf(await api.graphql('{ server { role } }', {}, headers))));
  const { tokens } = (await api.graphql('{ tokens { name madeBy } }', {}, bearer)).data;
  expect(tokens).toEqual(
    expect.arrayContaining([
      { name: 'of ada', madeBy: 'ada@lab.example' },
      { name: 'of her token', madeBy: 'of ada' },
    ]),
  );
  const disable = (rest: string) =>
    api.graphql(`mutation { disableUser(user: "ada@lab.example"${rest}) { disabledAt } }`, {}, bearer);
  expect((await disable(', keepTokens: true')).errors).toEqual([]);
  expect(await codes()).toEqual([undefined, undefined]);
  expect((await disable('')).errors).toEqual([]);
  await waitUntil('both to be void', async () => (await codes()).every((code) => code === 'UNAUTHENTICATED'));
  expect((await disable(', disabled: false')).errors).toEqual([]);
  expect(await codes()).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
});
