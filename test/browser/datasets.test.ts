import { expect, test } from 'vitest';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('datasets', () => {
  const { api, enqueue, succeed } = dashboard!;

  test('what a run counted stands beside what papers print, and a page shows how it is distributed', async () => {
    await succeed(await enqueue({ kind: 'popularity', dataset: { name: DATASET } }));
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/datasets');
    await page
      .getByRole('row', { name: /OverRec, Table I 22,363 12,101 198,502/ })
      .first()
      .waitFor();
    await page.getByRole('row', { name: /markov-small.*counted, as it is/ }).waitFor();
    const used = page.getByRole('region', { name: 'Used by runs' });
    await used.getByRole('row', { name: /markov-small.*1 run/ }).waitFor();
    expect(await page.getByRole('link', { name: 'UCR Adiac' }).count(), 'families are folded').toBe(0);
    await page.getByLabel('Find datasets').fill('adiac');
    await page.getByRole('link', { name: 'UCR Adiac' }).waitFor();
    await used.waitFor({ state: 'detached' });
    await page.getByLabel('Find datasets').fill('');
    await used.waitFor();
    await expectAccessible(page, 'table of datasets');
    await page.setViewportSize({ width: 390, height: 844 });
    const printed = page.getByRole('row', { name: 'OverRec, Table I 22,363 12,101 198,502' });
    const box = await printed.getByRole('cell', { name: '198,502' }).boundingBox();
    expect(box!.x + box!.width, 'the numbers are in sight on a telephone').toBeLessThanOrEqual(390);
    const reports = await page.getByRole('link', { name: 'Reports', exact: true }).boundingBox();
    const more = await page.getByRole('button', { name: /^More ?: Datasets/ }).boundingBox();
    expect(reports!.x + reports!.width, 'and so are all links of the head').toBeLessThanOrEqual(more!.x);
    await expectAccessible(page, 'table of datasets on a telephone');
    await page.setViewportSize({ width: 1360, height: 860 });

    await page.getByRole('link', { name: DATASET }).click();
    await page.getByRole('heading', { level: 1, name: DATASET }).waitFor();
    await page.getByRole('img', { name: /Histogram of the lengths/ }).waitFor();
    await page.getByRole('img', { name: /both axes logarithmic/ }).waitFor();
    await page.getByRole('heading', { name: 'Sample sequences' }).waitFor();
    expect(await page.getByText('Density').count()).toBeGreaterThan(0);
    await expectAccessible(page, 'page of a dataset');

    expect(await page.getByText(DATASET, { exact: true }).count(), 'its name stands once').toBe(1);

    await page.goto('/datasets/amazon-beauty');
    await page.getByRole('heading', { level: 1, name: /Beauty/ }).waitFor();
    expect(await page.getByText(/^(Amazon Beauty \(.*\)|amazon-beauty)$/).count(), 'title and name once each').toBe(2);
    await page.goto('/datasets/no/such');
    await page.getByText('There is no dataset no/such').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
