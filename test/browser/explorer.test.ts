import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { describeInBrowser, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const built = builtFile('web');
if (!existsSync(join(built, 'index.html'))) throw new Error('the dashboard is not built: npm run build');
const api = await apiForTests({ dashboardFolder: built });

describeInBrowser('the API explorer', () => {
  test('runs an example, follows a subscription and shows the schema, from the server alone', async () => {
    await api.ok('mutation { createRun(input: { name: "first" }) { id } }');
    const { page, context, faults } = await openPage(api.url);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(api.url)) elsewhere.push(request.url());
    });
    await page.goto('/graphiql');
    const answer = page.getByRole('textbox', { name: 'Answer' });
    await page.getByRole('combobox', { name: 'Example' }).selectOption('Projects and their newest runs');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => answer.inputValue()).toContain('"name": "first"');

    await page.getByRole('combobox', { name: 'Example' }).selectOption('Follow all runs');
    await page.getByRole('textbox', { name: 'Operation' }).press('Control+Enter');
    await expect.poll(() => answer.inputValue()).toContain('"state": "RUNNING"');
    await api.ok('mutation { createRun(input: { name: "second" }) { id } }');
    await expect.poll(() => answer.inputValue()).toContain('"name": "second"');
    await page.getByRole('button', { name: 'Stop' }).click();

    await page.getByRole('searchbox', { name: 'Search the schema' }).fill('Run.history');
    await page.getByText('The points of the metrics of the run, by name.').waitFor();
    await page.getByRole('textbox', { name: 'Operation' }).fill('{ runz { totalCount } }');
    await page.getByText(/Did you mean "run" or "runs"/).waitFor();
    await expectAccessible(page, 'API explorer');
    expect(faults).toEqual([]);
    expect(elsewhere).toEqual([]);
    await context.close();
  });
});
