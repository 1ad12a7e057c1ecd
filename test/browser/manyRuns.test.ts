import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { insertManyRuns } from '../integration/support/manyRuns.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { dashboardForTests } from './support/dashboardForTests.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('a table of many runs', () => {
  const { api } = dashboard!;

  test('draws only the rows in sight and reads page after page', async () => {
    const db = openDatabase(api.postgres.url, { poolSize: 1 });
    const runs = Array.from({ length: 250 }, (_, index) => ({
      ...{ kind: 'run', datasetName: String(index), parameters: { index }, seed: 1, metrics: {} },
    }));
    await insertManyRuns(db, runs, 'many');
    await closeDatabase(db);
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

  test('draws only the columns in sight of 400, and reads their values as they come in sight', async () => {
    const db = openDatabase(api.postgres.url, { poolSize: 1 });
    const names = Array.from({ length: 400 }, (_, index) => `wide/metric-${index}`);
    const runs = Array.from({ length: 60 }, (_, seed) => ({
      ...{ kind: 'run', datasetName: null, parameters: {}, seed },
      metrics: Object.fromEntries(names.map((name, index) => [name, index + seed / 100])),
    }));
    await insertManyRuns(db, runs, 'wide');
    await closeDatabase(db);
    const columns = ['name', ...names.map((name) => `metric."${name}"`)].map((name) => ({ name }));
    const { saveView } = await api.ok('mutation ($input: SaveViewInput!) { saveView(input: $input) { number } }', {
      input: { project: 'wide', name: 'all', settings: { columns, orderBy: 'seed', direction: 'ASC' } },
    });
    const { page, context, faults } = await openPage(api.url);
    await page.goto(`/runs?project=wide&saved=${saveView.number}`);
    await page.getByRole('cell', { name: '7.000', exact: true }).waitFor();
    const table = page.getByRole('region', { name: 'Runs table' });
    const elements = () => table.evaluate((element) => element.getElementsByTagName('*').length);
    expect(await elements()).toBeLessThan(1_500);
    for (const [share, cell] of [
      [0.5, '200.1'],
      [1, '399.1'],
      [0, '7.100'],
    ] as const) {
      await table.evaluate((element, at) => element.scrollTo({ left: at * element.scrollWidth, top: 0 }), share);
      // the run with seed 10
      await table.getByRole('row').nth(11).getByRole('cell', { name: cell, exact: true }).waitFor();
      expect(await elements()).toBeLessThan(1_500);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
