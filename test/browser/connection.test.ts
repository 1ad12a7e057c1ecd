import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#src/base/platform/logger.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { startServer } from '#src/server/startServer.ts';
import { createProject } from '#src/projects/createProject.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { openidProviderForTests } from '../integration/support/openidProviderForTests.ts';
import { silentProxy } from '../integration/support/silentProxy.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;
const guarded = hasChromium ? await serverWithSignIn() : null;

/** A second API over the same database, where people sign in at a real OpenID provider. */
async function serverWithSignIn() {
  const port = await freePort(0);
  const origin = `http://127.0.0.1:${port}`;
  const client = { id: 'warren', secret: 'a secret', redirectUri: `${origin}/auth/callback` };
  const provider = await openidProviderForTests(client);
  const person = (name: string, groups: string[]) => ({
    ...{ email: `${name.toLowerCase()}@lab.example`, email_verified: true, name, groups },
  });
  provider.people = { ada: person('Ada', ['admins']), ben: person('Ben', ['papers']), cas: person('Cas', []) };
  const started = await apiForTests({
    ...{ postgres: api!.postgres, port, dashboardFolder: builtFile('web') },
    signIn: {
      ...{ issuer: provider.issuer, clientId: client.id, clientSecret: client.secret, scopes: 'openid email profile' },
      ...{ domains: ['lab.example'], groupsClaim: 'groups', defaultRole: null, publicOrigin: origin },
      ...{ verifiedClaim: 'email_verified', groupDays: 30 },
      ...{ roles: { admins: 'ADMIN', papers: { papers: 'WRITE' } }, sessionHours: 24, idleHours: 2 },
    },
  });
  return { ...started, provider };
}

describeInBrowser('the connection to the API', () => {
  const { url, postgres, server, ok, artifactFolder } = api!;
  const options = {
    databaseUrl: postgres.url,
    redisUrl: null,
    queuePrefix: 'warren',
    host: '127.0.0.1',
    orNextPort: false,
    origins: [],
    artifacts: artifactFolder,
    dashboardFolder: builtFile('web'),
    clientFolder: builtFile('clients'),
    logger: createLogger('api', 'silent'),
  };

  test('an API that goes away and comes back is told, and what was missed is there', async () => {
    const { page, context } = await openPage(url);
    const { createRun: run } = await ok('mutation { createRun(input: { name: "steady" }) { id number } }');
    await page.goto(`/runs/${run.number}`);
    await page.getByText('Running').first().waitFor();
    await server.close();
    // The page notices at its next request, or when its socket breaks.
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('lost');
    await page.keyboard.press('Enter');
    await page.getByText('The API cannot be reached.').first().waitFor();

    const second = await startServer({ ...options, port: server.port, requireToken: false });
    try {
      await page.locator('.notice', { hasText: 'The API cannot be reached.' }).waitFor({ state: 'detached' });
      await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: run.id });
      await page.getByText('Succeeded').first().waitFor();
    } finally {
      await second.close();
      await context.close();
    }
  });

  test('a page that is opened while the API is away comes when it is back', async () => {
    const first = await startServer({ ...options, port: 0, requireToken: false });
    const { page, context } = await openPage(first.url);
    await page.goto('/runs');
    await page.getByText(/^\d+ runs?$/).waitFor();
    await first.close();
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('heading', { name: 'This page is still to come' }).waitFor();
    await page.locator('.notice', { hasText: 'The API cannot be reached.' }).waitFor();
    await page.getByRole('link', { name: 'Sweeps' }).click();
    await page.waitForURL(/sweeps/);
    const second = await startServer({ ...options, port: first.port, requireToken: false });
    try {
      await page.getByRole('heading', { name: 'Sweeps', exact: true }).waitFor();
    } finally {
      await second.close();
      await context.close();
    }
  });

  test('a database that goes away and comes back is told, and what was asked for comes without a word', async () => {
    const proxy = await silentProxy(postgres.url);
    const away = await apiForTests({
      ...{ postgres, databaseUrl: proxy.url, dashboardFolder: builtFile('web') },
      answerLimits: { statementMs: 1_000, silenceMs: 2_000 },
    });
    await away.ok('mutation { createRun(input: { name: "found" }) { id } }');
    const { page, context } = await openPage(away.url);
    await page.goto('/runs');
    await page.getByText(/^\d+ runs?$/).waitFor();
    proxy.silence();
    proxy.silenceNew(true);
    await page.getByLabel('Filter runs').fill('name = found');
    await page.keyboard.press('Enter');
    await page.getByText('reading …').waitFor();
    await page.getByText('The runs cannot be shown.').waitFor();
    proxy.silenceNew(false);
    await page.getByText('1 run', { exact: true }).waitFor();
    await context.close();
  });

  test('a server that wants a token asks for one, and says when it is wrong', async () => {
    const db = openDatabase(postgres.url);
    const { token } = await issueToken({ db }, { name: 'reader', role: 'READ' });
    await closeDatabase(db);
    const second = await startServer({ ...options, port: 0, requireToken: true });
    const { page, context } = await openPage(second.url);
    try {
      const dialog = page.getByRole('dialog', { name: 'This server needs a token' });
      // a page that was refused says nothing of it behind the question
      for (const path of ['/runs/999', '/nowhere', '/admin', '/runs']) {
        await page.goto(path);
        await dialog.waitFor();
        await page.waitForLoadState('networkidle');
        expect([await page.locator('main').isVisible(), await page.getByRole('alert').count()]).toEqual([false, 0]);
      }
      const asked: string[] = [];
      page.on('request', (sent) => void (sent.url().endsWith('/graphql') && asked.push(sent.postData() ?? '')));
      // what the page would ask for again is not asked of a server that would refuse it
      await page.evaluate(() => history.pushState(null, '', '/'));
      await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      await page.locator('h1', { hasText: 'Home' }).waitFor({ state: 'attached' });
      expect(asked).toEqual([]);
      await page.goto('/runs');
      await dialog.getByLabel('Token').fill('wrong');
      await dialog.getByRole('button', { name: 'Use token' }).click();
      await dialog.getByText('refused').waitFor();
      await dialog.getByLabel('Token').fill(token);
      await dialog.getByRole('button', { name: 'Use token' }).click();
      await page.getByText(/^\d+ runs?$/).waitFor();
      await page.reload();
      await page.getByText(/^\d+ runs?$/).waitFor();
      expect(await dialog.count()).toBe(0);
      // A reader's page offers nothing that would be refused.
      await page.getByRole('checkbox', { name: 'Select all loaded runs' }).check();
      await page.getByRole('button', { name: 'Compare' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).waitFor({ state: 'detached' }); // when the role is known
    } finally {
      await context.close();
      await second.close();
    }
  });
});

describeInBrowser('signing in at an OpenID provider', () => {
  const { url, provider, graphql } = guarded!;
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in, or give a token' });

  /** A browser of its own, in which somebody has signed in from a page. */
  async function signedIn(who: string, from = '/runs') {
    const opened = await openPage(url);
    provider.person = who;
    await opened.page.goto(from);
    await dialogOf(opened.page).getByRole('button', { name: 'Sign in' }).click();
    return opened;
  }

  /** Runs SQL on the server's database, as time would. */
  async function sql(statement: string): Promise<void> {
    const connection = await connectPostgres(api!.postgres.url, { applicationName: 'warren tests' });
    await connection.query(statement).finally(() => connection.end());
  }

  beforeAll(async () => {
    const db = openDatabase(api!.postgres.url);
    const { token } = await issueToken({ db }, { name: 'programs', role: 'ADMIN' });
    for (const name of ['papers', 'books']) {
      await createProject({ db }, { name });
      const create = 'mutation ($name: String!) { createRun(input: { project: $name, name: $name }) { id } }';
      expect((await graphql(create, { name }, { authorization: `Bearer ${token}` })).errors).toEqual([]);
    }
    await closeDatabase(db);
  });

  test('leads back to the page asked for, with what groups give, and out again', async () => {
    const { page, context, faults } = await signedIn('ben', '/runs?project=papers');
    const account = page.getByRole('button', { name: 'Account: ben@lab.example' });
    await account.waitFor();
    expect(page.url()).toBe(`${url}/runs?project=papers`);
    await page.goto('/');
    await page.getByRole('link', { name: 'papers' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'books' }).count()).toBe(0);
    await page.goto('/admin');
    await page.getByText('Your role here: May write. It needs the role Admin in all projects.').waitFor();
    expect(await page.getByText('People').count()).toBe(0);
    expect(
      (await context.cookies()).map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite })),
    ).toContainEqual({
      ...{ name: 'warren-session', httpOnly: true, sameSite: 'Lax' },
    });

    await account.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Signed in as ben@lab.example').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('warren-session');
    await page.goBack();
    await dialogOf(page).waitFor();
    expect(await account.count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a session that has ended asks again, and leads back to where the person was', async () => {
    const { page, context, faults } = await signedIn('ada', '/admin');
    const people = page.getByRole('region', { name: 'People table' });
    await people.getByText('ada@lab.example').waitFor();
    for (const change of [`expires_at = now()`, `used_at = now() - interval '3 hours'`]) {
      await sql(`UPDATE user_session SET ${change}`);
      await page.reload();
      await dialogOf(page).waitFor();
      expect(await people.count()).toBe(0);
      await dialogOf(page).getByRole('button', { name: 'Sign in' }).click();
      await people.getByText('ada@lab.example').waitFor();
      expect(page.url()).toBe(`${url}/admin`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('somebody who is no admin makes a token, sees where it works, and withdraws it', async () => {
    const { page, context, faults } = await signedIn('ben');
    await page.getByRole('button', { name: 'Account: ben@lab.example' }).click();
    await page.getByRole('link', { name: 'Your tokens' }).click();
    await page.getByText('You have no token').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabel('Name', { exact: true }).fill('laptop');
    const roles = await dialog.getByLabel('Its bearer may').getByRole('option').allInnerTexts();
    expect(roles).toEqual(['see everything', 'also queue, log and change runs']);
    await expectAccessible(page, 'the form of a token of one’s own');
    await dialog.getByRole('button', { name: 'Make token' }).click();
    const secret = await page.getByLabel('The token; it is shown this once').inputValue();
    expect(secret).toMatch(/^warren_[\w-]{43}$/);
    await page.keyboard.press('Escape');
    const line = page.getByRole('row', { name: /^ben@lab\.example\/laptop May write where its owner may/ });
    await line.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, 'tokens of one’s own, small');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    await line.getByRole('button', { name: 'Withdraw ben@lab.example/laptop' }).click();
    await line.getByRole('button', { name: 'Withdraw ben@lab.example/laptop now' }).click();
    await page.getByText('You have no token').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('who may not come in is told why, and comes in when an admin has given rights', async () => {
    const cas = await signedIn('cas');
    await cas.page.getByRole('heading', { level: 1, name: 'You are not signed in' }).waitFor();
    await cas.page.getByText('cas@lab.example has no role on this server').waitFor();
    await expectAccessible(cas.page, 'a refused sign-in');
    expect((await cas.context.cookies()).map(({ name }) => name)).not.toContain('warren-session');

    // the admin does it by keyboard alone
    const { page, context, faults } = await signedIn('ada', '/admin');
    const line = page.getByRole('row', { name: /cas@lab\.example/ });
    await line.getByText('nothing').waitFor();
    await expectAccessible(page, 'people');
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    await page.getByRole('region', { name: 'People table' }).focus();
    for (let presses = 0; (await focused()) !== 'Rights of cas@lab.example' && presses < 20; presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const rights = page.getByRole('dialog', { name: 'Rights of cas@lab.example' });
    const project = rights.getByLabel('Project');
    await project.getByRole('option', { name: 'books' }).waitFor({ state: 'attached' });
    await project.focus();
    // one letter: a pause between two, as on a busy machine, begins another word
    await page.keyboard.press('b');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await rights.getByText('books: May write').waitFor();
    await rights.getByLabel('Commands, too').check();
    await rights.getByRole('button', { name: 'Give' }).press('Enter');
    await rights.getByText('only who may queue commands there gives others that right').waitFor();
    await sql("UPDATE app_user SET may_queue_commands = true WHERE email = 'ada@lab.example'");
    await rights.getByRole('button', { name: 'Give' }).press('Enter');
    await rights.getByText('books: May write, commands').waitFor();
    await expectAccessible(page, 'rights of a person');
    await page.keyboard.press('Escape');
    await rights.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Rights of cas@lab.example');
    await line.getByText('books: May write').waitFor();

    provider.person = 'cas';
    await cas.page.getByRole('link', { name: 'Sign in' }).click();
    await cas.page.getByRole('button', { name: 'Account: cas@lab.example' }).waitFor();
    await cas.page.goto('/');
    await cas.page.getByRole('link', { name: 'books' }).first().waitFor();

    await page.reload();
    await line.getByText('may sign in').waitFor();
    await page.getByRole('button', { name: 'Rights of cas@lab.example' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const disable = page.getByRole('dialog', { name: 'Disable cas@lab.example?' });
    await disable.getByText('has made no token and no link').waitFor();
    await expectAccessible(page, 'disabling a person');
    await disable.getByRole('button', { name: 'Disable' }).focus();
    await page.keyboard.press('Enter');
    await disable.waitFor({ state: 'detached' });
    await line.getByText(/^disabled/).waitFor();
    await cas.page.reload();
    await dialogOf(cas.page).getByRole('button', { name: 'Sign in' }).click();
    await cas.page.getByText('cas@lab.example was disabled here; ask an admin of this server').waitFor();
    // nobody shuts themselves out
    expect(await page.getByRole('button', { name: 'Disable ada@lab.example' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Enable cas@lab.example' }).press('Enter');
    await line.getByText('may sign in').waitFor();
    await page.getByRole('button', { name: 'Rights of cas@lab.example' }).press('Enter');
    await rights.getByRole('button', { name: 'Withdraw May write in books' }).press('Enter');
    await rights.getByText('Nothing.').waitFor();
    await page.keyboard.press('Escape');
    await waitUntil('cas may do nothing', async () => (await line.getByText('nothing').count()) === 1);
    expect([...faults, ...cas.faults]).toEqual([]);
    for (const one of [context, cas.context]) await one.close();
  });
});
