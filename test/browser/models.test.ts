import { expect, test } from 'vitest';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { dashboardForTests } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('models', () => {
  const { api } = dashboard!;

  test('what is said of a model is changed; an alias and a version go after a question', async () => {
    const { createRun: run } = await api.ok('mutation { createRun(input: { project: "shop" }) { id } }');
    await api.fetch(`/artifacts/${run.id}/m`, { method: 'PUT', body: 'weights' });
    const input = { name: 'scorer', runId: run.id, artifactName: 'm', aliases: ['best'], description: 'from the toys' };
    await api.ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', { input });
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/models/scorer');
    await page.getByRole('row', { name: /from the toys/ }).waitFor();
    await page.getByRole('button', { name: 'Edit description and tags' }).click();
    await page.getByLabel('Description').fill('ranks what is shown');
    await page.getByLabel('Tags').fill('team');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('team: expected key=value.').waitFor();
    await expectAccessible(page, 'dialog about a model');
    await page.getByLabel('Tags').fill('team=search');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('ranks what is shown').waitFor();
    await page.getByText('team=search').waitFor();

    await page.getByRole('button', { name: 'Alias of version 1' }).click();
    await page.getByRole('button', { name: 'Take best away' }).click();
    await page.getByRole('button', { name: 'Take best away for good' }).click();
    await page.getByText('best = 1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete version 1' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No versions yet').waitFor();
    const { registryEntry } = await api.ok('{ registryEntry(name: "scorer") { tags aliases { name } } }');
    expect(registryEntry).toEqual({ tags: { team: 'search' }, aliases: [] });
    expect(faults).toEqual([]);
    await context.close();
  });
});
