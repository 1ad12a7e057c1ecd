import { beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/platform/postgres/database.ts';
import { insertManyRuns } from '../integration/support/manyRuns.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { expectAccessible } from './support/expectAccessible.ts';
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

  test('all that match are deleted after a look at their number, and taken back', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/?filter=project %3D "default"');
    await page.getByText('3 runs', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change all 3 runs that match' });
    await dialog.getByLabel('What').selectOption('Delete');
    await expectAccessible(page, 'change all that match');
    await dialog.getByRole('button', { name: 'Delete: 3 runs' }).click();
    await page.getByText('No run matches').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 runs', { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describeInBrowser('groups of runs', () => {
  const { api } = dashboard!;

  test('tell which of five configurations is best and whether it is so, in four actions', async () => {
    const db = openDatabase(api.postgres.url, { poolSize: 1 });
    const runs = [0.1, 0.2, 0.3, 0.31, 0.5].flatMap((mean, width) =>
      [0, 0.01, 0.004].map((more, seed) => ({
        kind: 'mf-bpr',
        datasetName: 'generated/five',
        parameters: { width, depth: 2 },
        seed,
        metrics: { 'test/ndcg@10': mean + more * (1 + width / 10) },
      })),
    );
    await insertManyRuns(db, runs, 'five');
    await closeDatabase(db);
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/?project=five');
    await page.getByRole('button', { name: 'Group by' }).click();
    await page.getByRole('checkbox', { name: 'All but seed' }).check();
    const table = page.getByRole('region', { name: 'Groups of runs' });
    await table.getByRole('columnheader', { name: 'width' }).waitFor();
    await page.getByText('5 groups of 15 runs').waitFor();
    const first = table.getByRole('row').nth(1);
    expect(await first.textContent()).toMatch(/0\.5065 ± 0\.0070 \(3\)/);
    await page.keyboard.press('Escape');
    await table.getByRole('button', { name: 'Pin width 3 as the baseline' }).click();
    await first.getByText('better').waitFor();
    expect(await first.textContent()).toMatch(/better \+0\.19\d+, p = /);
    await first.getByRole('button', { name: 'Runs of width 4' }).click();
    await table.getByRole('link', { name: 'Compare these runs' }).waitFor();
    await expectAccessible(page, 'groups of runs');
    expect(page.url()).toMatch(/group=configuration.*baseline=g_/);
    expect(faults).toEqual([]);
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
