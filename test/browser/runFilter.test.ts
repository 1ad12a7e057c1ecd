import { beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests } from './support/dashboardForTests.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('the filter above the table of runs', () => {
  const { api, enqueue, succeed } = dashboard!;

  beforeAll(async () => {
    const popular = await enqueue({
      ...{ kind: 'popularity', dataset: { name: DATASET }, seeds: [1, 2, 3], tags: ['baseline'] },
    });
    const nearest = await enqueue({ kind: 'item-knn', dataset: { name: DATASET }, seeds: [1, 2], project: 'other' });
    await succeed([...popular, ...nearest]);
  });

  test('a filter narrows the runs and stands in the address', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/runs');
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

  test('a filter is completed: fields by a part of their name, operators, and values that runs have', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/runs');
    await page.getByText('5 runs', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('ki');
    const offers = page.getByRole('listbox', { name: 'Suggestions' });
    await offers.getByRole('option', { name: 'kind what was run' }).waitFor();
    await expectAccessible(page, 'suggestions of the filter');
    const take = async (offer: RegExp) => {
      await offers.getByRole('option', { name: offer }).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await take(/^kind/);
    await take(/^= is/);
    await page.keyboard.type('pop');
    await take(/^popularity/);
    await take(/^and/);
    await page.keyboard.type('ta');
    await take(/^tag/);
    await page.keyboard.type('= ');
    await offers.getByRole('option', { name: 'baseline' }).click();
    const line = page.getByLabel('Filter runs');
    expect(await line.inputValue()).toBe('kind = popularity and tag = baseline ');
    await page.keyboard.press('Escape');
    expect(await offers.count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('3 runs', { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('words alone find runs by their names, and a number the run of it', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto('/runs');
    await page.getByText('5 runs', { exact: true }).waitFor();
    const line = page.getByLabel('Filter runs');
    await line.fill('POPULAR');
    await page.keyboard.press('Enter');
    await page.waitForURL(/filter=/);
    expect(await line.inputValue()).toBe('name ilike "%POPULAR%"');
    await page
      .getByRole('link', { name: /^popularity/ })
      .first()
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await line.fill('#1');
    await page.keyboard.press('Enter');
    await page.getByText('1 run', { exact: true }).waitFor();
    expect(await line.inputValue()).toBe('number = 1');
    await context.close();
  });

  test('a mistake in a filter is told with its column marked', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto('/runs');
    await page.getByLabel('Filter runs').fill('kind = and');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('filter, column 8').waitFor();
    expect(await alert.locator('mark').textContent()).toBe('a');
    expect(await page.getByLabel('Filter runs').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('5 runs', { exact: true }).waitFor();
    expect(await alert.count()).toBe(0);
    await page.getByLabel('Filter runs').fill('neighbors > 1 and kind = item-knn');
    await page.keyboard.press('Enter');
    await alert.getByRole('button', { name: 'config.neighbours', exact: true }).click();
    await page.getByText('2 runs', { exact: true }).waitFor();
    expect(await page.getByLabel('Filter runs').inputValue()).toBe('config.neighbours > 1 and kind = item-knn');
    await page.goto('/runs?project=nosuch');
    await alert.getByText('there is no project "nosuch"').waitFor();
    expect(await alert.count(), 'it is told once').toBe(1);
    await context.close();
  });

  test('a cell narrows the table to runs with its value, without it, or groups by it', async () => {
    const { page, context, faults } = await openPage(api.url);
    const table = '/runs?columns=name%2Ckind%2Cseed%2Ctags';
    await page.goto(table);
    await page.getByText('5 runs', { exact: true }).waitFor();
    const line = page.getByLabel('Filter runs');
    const press = async (cell: string, entry: string) => {
      await page.getByRole('cell', { name: cell, exact: true }).first().click({ button: 'right' });
      await page.getByRole('menuitem', { name: entry }).waitFor();
      await expectAccessible(page, `the menu of the cell ${cell}`);
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await press('item-knn', 'All but Kind item-knn');
    await page.getByText('3 runs', { exact: true }).waitFor();
    await press('2', 'Only Seed 2');
    await page.getByText('1 run', { exact: true }).waitFor();
    expect(await line.inputValue()).toBe('not (kind = "item-knn") and seed = 2');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('5 runs', { exact: true }).waitFor();
    await press('popularity', 'Pin run 3 to the top');
    await line.fill('kind = item-knn');
    await page.keyboard.press('Enter');
    await page.getByText('2 runs', { exact: true }).waitFor();
    const numbers = async () => (await page.locator('tbody th a').allInnerTexts()).map(Number);
    await waitUntil('the pinned run stands above', async () => String(await numbers()) === '3,5,4');
    await page.reload();
    await waitUntil('it is pinned by the address', async () => String(await numbers()) === '3,5,4');
    await expectAccessible(page, 'a table with a pinned run');
    await line.fill('seed = 99');
    await page.keyboard.press('Enter');
    await page.getByText('No run matches this filter.').waitFor();
    expect(await numbers()).toEqual([3]);
    await line.fill('kind = item-knn');
    await page.keyboard.press('Enter');
    await page.getByText('2 runs', { exact: true }).waitFor();
    await press('popularity', 'Unpin run 3');
    await waitUntil('it has gone', async () => String(await numbers()) === '5,4');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('5 runs', { exact: true }).waitFor();
    await press('popularity', 'Group by Kind');
    await page.getByRole('button', { name: 'Group by: Kind' }).waitFor();
    await page.goto(table);
    await page.getByRole('columnheader', { name: 'Kind' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Group by this' }).click();
    await page.getByRole('button', { name: 'Group by: Kind' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
