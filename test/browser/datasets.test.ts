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
    await expectAccessible(page, 'table of datasets');

    await page.getByRole('link', { name: DATASET }).click();
    await page.getByRole('heading', { level: 1, name: DATASET }).waitFor();
    await page.getByRole('img', { name: /Histogram of the lengths/ }).waitFor();
    await page.getByRole('img', { name: /both axes logarithmic/ }).waitFor();
    await page.getByRole('heading', { name: 'Sample sequences' }).waitFor();
    expect(await page.getByText('Density').count()).toBeGreaterThan(0);
    await expectAccessible(page, 'page of a dataset');

    await page.goto('/datasets/amazon-beauty');
    await page.getByRole('heading', { level: 1, name: /Beauty/ }).waitFor();
    await page.goto('/datasets/no/such');
    await page.getByText('There is no dataset no/such').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
