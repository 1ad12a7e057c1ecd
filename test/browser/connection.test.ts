import { expect, test } from 'vitest';
import { createLogger } from '#src/platform/logger.ts';
import { closeDatabase, openDatabase } from '#src/platform/postgres/database.ts';
import { startServer } from '#src/server/startServer.ts';
import { issueToken } from '#src/services/tokens/apiTokens.ts';
import { builtFile } from '#src/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

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

  test('a server that wants a token asks for one, and says when it is wrong', async () => {
    const db = openDatabase(postgres.url);
    const { token } = await issueToken({ db }, { name: 'reader', role: 'READ' });
    await closeDatabase(db);
    const guarded = await startServer({ ...options, port: 0, requireToken: true });
    const { page, context } = await openPage(guarded.url);
    try {
      await page.goto('/runs');
      const dialog = page.getByRole('dialog', { name: 'This server needs a token' });
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
      await page.getByRole('button', { name: 'Delete', disabled: true }).waitFor(); // at once, or when the role is known
    } finally {
      await context.close();
      await guarded.close();
    }
  });
});
