import { beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests, type QueuedRun } from './support/dashboardForTests.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('the table of runs', () => {
  const { api, enqueue, succeed } = dashboard!;
  let popular: QueuedRun[];
  let nearest: QueuedRun[];

  beforeAll(async () => {
    popular = await enqueue({ kind: 'popularity', dataset: { name: DATASET }, seeds: [1, 2, 3], tags: ['baseline'] });
    nearest = await enqueue({ kind: 'item-knn', dataset: { name: DATASET }, seeds: [1, 2], project: 'other' });
    await succeed([...popular, ...nearest]);
  });

  test('a filter narrows the runs and stands in the address', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/');
    await page.getByText('5 runs', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('kind = popularity and tag = baseline');
    await page.keyboard.press('Enter');
    await page.getByText('3 runs', { exact: true }).waitFor();
    const shared = page.url();
    const other = await context.newPage();
    await other.goto(shared);
    await other.getByText('3 runs', { exact: true }).waitFor();
    expect(await other.getByLabel('Filter runs').inputValue()).toBe('kind = popularity and tag = baseline');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a mistake in a filter is told with its column marked', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto('/');
    await page.getByLabel('Filter runs').fill('kind = and');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('filter, column 8').waitFor();
    expect(await alert.locator('mark').textContent()).toBe('a');
    expect(await page.getByLabel('Filter runs').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('5 runs', { exact: true }).waitFor();
    expect(await alert.count()).toBe(0);
    await context.close();
  });

  test('columns of metrics and parameters are chosen, and sorted by the server', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto('/');
    await page.getByRole('columnheader', { name: 'test/ndcg@10' }).waitFor();
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByLabel('Find columns').fill('cutoffs');
    await page.getByLabel('cutoffs').check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'cutoffs' }).waitFor();
    await page.getByRole('cell', { name: '[5,10]' }).nth(4).waitFor();

    const head = page.getByRole('columnheader', { name: 'test/ndcg@10' });
    await head.getByRole('button').click();
    await waitUntil('the order is told', async () => (await head.getAttribute('aria-sort')) === 'descending');
    await page.waitForURL(/order=metric/);
    const numbers = async () => (await page.locator('tbody th a').allInnerTexts()).map(Number);
    const { runs } = await api.ok('query ($by: RunOrder) { runs(orderBy: $by) { edges { node { number } } } }', {
      by: { by: 'metric."test/ndcg@10"', direction: 'DESC' },
    });
    const expected = runs.edges.map((edge: { node: { number: number } }) => edge.node.number);
    await waitUntil('the rows are in order', async () => JSON.stringify(await numbers()) === JSON.stringify(expected));
    await context.close();
  });

  test('a run queued elsewhere appears and changes its state by itself', async () => {
    const { page, context } = await openPage(api.url);
    await api.ok('mutation { createProject(name: "live") { id } }');
    await page.goto('/?project=live');
    await page.getByText('No runs yet').waitFor();
    const [run] = await enqueue({ kind: 'popularity', dataset: { name: DATASET }, project: 'live', seeds: [9] });
    const row = page.getByRole('row', { name: `${run!.number}` });
    await row.waitFor();
    await row.getByText('Succeeded').waitFor();
    await context.close();
  });

  test('rows are selected with shift, compared, deleted into the trash and restored', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/?filter=project %3D "default"');
    await page.getByText('3 runs', { exact: true }).waitFor();
    const boxes = page.getByRole('checkbox', { name: /^Select run/ });
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Replicates' }).waitFor();
    await page.goBack();
    await boxes.nth(0).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 run moved to the trash.').waitFor();
    await page.getByText('2 runs', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByText('1 run', { exact: true }).waitFor();
    await boxes.nth(0).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty').or(page.getByText('No run matches')).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('replicates are gathered with mean and deviation', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto('/?view=replicates&filter=kind %3D popularity and project %3D "default"');
    await page.getByText('3 replicates').waitFor();
    await page.getByTitle('mean and sample standard deviation of 3 runs').first().waitFor();
    await context.close();
  });
});

describeInBrowser('a table of many runs', () => {
  const { api } = dashboard!;

  test('draws only the rows in sight and reads page after page', async () => {
    for (let i = 0; i < 250; i += 1) {
      await api.ok('mutation ($i: CreateRunInput!) { createRun(input: $i) { id } }', {
        i: { project: 'many', name: `run ${i}`, parameters: { index: i } },
      });
    }
    const { page, context } = await openPage(api.url);
    await page.goto('/?project=many');
    await page.getByText('250 runs', { exact: true }).waitFor();
    expect(await page.locator('tbody tr[data-run]').count()).toBeLessThan(80);
    const table = page.getByRole('region', { name: 'Runs table' });
    await waitUntil('the last run is reached', async () => {
      await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      return (await page.getByRole('link', { name: 'run 0', exact: true }).count()) > 0;
    });
    expect(await page.locator('tbody tr[data-run]').count()).toBeLessThan(80);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('251');
    await context.close();
  });
});
