import { expect } from 'vitest';
import type { SignInSettings } from '#src/base/platform/signInSettings.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { createProject } from '#src/projects/createProject.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { servicesForTests } from '../services/support.ts';
import { apiForTests } from './apiForTests.ts';
import { CookieJar } from './cookieJar.ts';
import { openidProviderForTests } from './openidProviderForTests.ts';
import { postgresForTests } from './postgresForTests.ts';

/** Who calls, as the API tells it. */
export const WHO = '{ server { role caller { kind name everywhere grants { project role } } } }';

/** The code of an answer's first error. */
export const codeOf = (answer: { errors?: { extensions: { code: string } }[] }) => answer.errors?.[0]?.extensions.code;

/**
 * An API with the projects `papers` and `books` to which people sign in by an OpenID provider: ada, an admin of all; ben, who
 * writes in `papers`; cas, without a role; dot, of another domain; eve, whose address is not verified.
 */
export async function signInForTests() {
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
    ...{ verifiedClaim: 'email_verified', groupDays: 30 },
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
  const bearer = { authorization: `Bearer ${admin}` };

  /** Runs SQL on the server's database, as time would. */
  async function sql(statement: string): Promise<Record<string, unknown>[]> {
    const connection = await connectPostgres(postgres.url, { applicationName: 'warren tests' });
    try {
      return (await connection.query(statement)).rows;
    } finally {
      await connection.end();
    }
  }
  return { origin, own, api, context, bearer, askedProvider, signedIn, ask, sql };
}
