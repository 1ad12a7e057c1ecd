import { expect, test } from 'vitest';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { dashboardForTests } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('projects', () => {
  const { api } = dashboard!;

  test('a project is made, renamed, deleted and taken back on their page', async () => {
    const { createRun } = await api.ok('mutation { createRun(input: { project: "busy" }) { number } }');
    const { page, faults } = await openPage(api.url);
    await page.goto('/');
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('papers');
    await page.getByLabel('What it is about').fill('For the camera-ready version');
    await page.getByRole('button', { name: 'Make project' }).click();
    const row = page.getByRole('row', { name: /^papers 0 .*For the camera-ready version/ });
    await row.waitFor();

    await row.getByRole('button', { name: 'Edit papers' }).click();
    const dialog = page.getByRole('dialog', { name: 'Project papers' });
    await dialog.getByLabel('Name').fill('busy');
    await dialog.getByText('Programs that name the old name make a new project.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('there is a project "busy" already').waitFor();
    await dialog.getByLabel('Name').fill('articles');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: 'articles' }).waitFor();

    await page.getByRole('button', { name: 'Delete busy' }).click();
    await page.getByText(`project "busy" is still at work: run ${createRun.number}.`).waitFor();
    await page.getByRole('button', { name: 'Delete articles' }).click();
    const trash = page.getByRole('region', { name: 'In the trash' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('rowheader', { name: 'articles' }).waitFor();
    await page.getByRole('button', { name: 'Delete articles' }).click();
    await trash.getByText('articles').waitFor();
    await expectAccessible(page, 'projects and trash');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, 'projects and trash on a telephone');
    await trash.getByRole('button', { name: 'Take back articles' }).click();
    await trash.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
