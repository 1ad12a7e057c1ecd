import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
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

  test('columns of metrics and parameters are chosen, and sorted by the server', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto('/runs');
    await page.getByRole('columnheader', { name: 'test/ndcg@10' }).waitFor();
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByLabel('Find columns').fill('cutoffs');
    await page.getByLabel('cutoffs').check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'cutoffs' }).waitFor();
    await page.getByRole('cell', { name: '[5,10]' }).nth(4).waitFor();

    const head = page.getByRole('columnheader', { name: 'test/ndcg@10' });
    await head.getByRole('button', { name: 'test/ndcg@10', exact: true }).click();
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

  test('columns move by mouse and keyboard, are sized, shaded, pinned and hidden, and the address says so', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/runs?columns=name,state,seed,kind,test/ndcg@10');
    const heads = async () =>
      await page.locator('th[data-column]').evaluateAll((all) => all.map((head) => head.getAttribute('aria-label')));
    const order = (...names: string[]) =>
      waitUntil(`the order is ${names}`, async () => String(await heads()) === String(names));
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    await head('Kind').dragTo(head('State'), { targetPosition: { x: 4, y: 10 } });
    await order('Name', 'Kind', 'State', 'Seed', 'test/ndcg@10');
    await head('Seed').getByRole('button', { name: 'Seed', exact: true }).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await order('Name', 'Kind', 'Seed', 'State', 'test/ndcg@10');
    const width = (await head('Seed').boundingBox())!.width;
    await page.keyboard.press('Shift+ArrowRight');
    await waitUntil('it is wider', async () => (await head('Seed').boundingBox())!.width === width + 20);

    const choose = async (column: string, item: string) => {
      await page.getByRole('button', { name: `Column ${column}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('test/ndcg@10', 'Shade by value');
    await page.locator('td.runs-heat').first().waitFor();
    await choose('test/ndcg@10', 'Pin');
    await choose('State', 'Hide');
    await order('Name', 'test/ndcg@10', 'Kind', 'Seed');
    expect(await head('test/ndcg@10').evaluate((cell) => getComputedStyle(cell).position)).toBe('sticky');
    await expectAccessible(page, 'a table with shaded and pinned columns');
    await page.reload();
    await page.locator('td.runs-heat').first().waitFor();
    await order('Name', 'test/ndcg@10', 'Kind', 'Seed');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a view is saved, seen by others, overridden by the address, and the default of its project', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/runs?project=other&filter=seed %3D 1&columns=name,seed');
    await page.getByText('1 run', { exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto('/runs?project=other');
    await other.getByText('2 runs', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name of a new view').fill('first seeds');
    await page.getByRole('button', { name: 'Save as' }).click();
    await page.getByRole('button', { name: 'View: first seeds' }).waitFor();
    expect(page.url()).toMatch(/\/runs\?project=other&saved=\d+$/);
    await page.getByRole('button', { name: 'Make default' }).click();
    await other.getByRole('button', { name: 'View: first seeds' }).waitFor();
    await other.getByText('1 run', { exact: true }).waitFor();

    await other.getByLabel('Filter runs').fill('seed = 2 or seed = 1');
    await other.keyboard.press('Enter');
    await other.getByText('2 runs', { exact: true }).waitFor();
    await other.getByText('changed: filter').waitFor();
    await expectAccessible(other, 'a table that differs from its view');
    await other.getByRole('button', { name: 'Revert' }).click();
    await other.getByText('1 run', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('2 runs', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('View first seeds saved.').waitFor();
    await other.getByText('2 runs', { exact: true }).waitFor();
    await other.goto('/runs?project=other&saved=999');
    await other.getByRole('alert').getByText('View 999 is not there').waitFor();
    expect(faults).toEqual([]);
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
    await page.goto('/?filter=metric.los < 1');
    await page.getByText('No run has a metric "los"').waitFor();
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
    await table.getByRole('button', { name: 'Set as baseline: width 3' }).click();
    await first.getByText('better').waitFor();
    expect(await first.textContent()).toMatch(/better \+0\.19\d+, p = /);
    await first.getByRole('button', { name: 'Runs of width 4' }).click();
    await table.getByRole('link', { name: 'Compare these runs' }).waitFor();
    await expectAccessible(page, 'groups of runs');
    expect(page.url()).toMatch(/group=configuration.*baseline=g_/);

    // a run of other data makes the means of the metric unlike
    const unlike = page.getByText('Not comparable, for the runs differ in their data: test/ndcg@10 by dataset.');
    expect(await unlike.count()).toBe(0);
    const runId = await createExternalRun(api, { project: 'five', datasetName: 'generated/other' });
    const series = [{ name: 'test/ndcg@10', steps: [0], values: [0.9] }];
    await api.ok(LOG_METRICS, { runId, series });
    await api.ok('mutation ($runId: ID!) { finishRun(runId: $runId) { id } }', { runId });
    await page.reload();
    await unlike.waitFor();
    await expectAccessible(page, 'groups of unlike runs');
    // 0.9 stands first, and is neither the best of like data nor better than the baseline
    await table.getByText('other data than the baseline (dataset)').waitFor();
    expect(await first.textContent()).toContain('0.9000');
    expect(await first.textContent()).not.toMatch(/best|better/);
    expect(await table.getByRole('row').nth(2).textContent()).toMatch(/best: 0\.5065.*better/);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describeInBrowser('curves beside the table', () => {
  const { api } = dashboard!;

  test('all loss curves with one learning rate, grouped by model, in five actions; kept in a view, saved as a file', async () => {
    for (const [model, level] of [
      ['deep', 1],
      ['wide', 3],
    ] as const) {
      for (const learningRate of [0.001, 0.01]) {
        for (const seed of [1, 2]) {
          const runId = await createExternalRun(api, { project: 'curves', parameters: { model, learningRate }, seed });
          const steps = Array.from({ length: 40 }, (_, step) => step);
          const values = steps.map((step) => level + seed / 10 + 2 * Math.exp(-step / 10));
          await api.ok(LOG_METRICS, {
            runId,
            series: [
              { name: 'train/loss', steps, values },
              { name: 'valid/accuracy', steps, values: values.map((value) => 1 / value) },
            ],
          });
        }
      }
    }
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/');
    await page.getByRole('link', { name: 'curves', exact: true }).first().click();
    await page.getByLabel('Filter runs').fill('config.learningRate = 0.001');
    await page.keyboard.press('Enter');
    await page.getByText('4 runs', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Group by' }).click();
    await page.getByRole('checkbox', { name: 'model' }).check();
    await page.getByRole('button', { name: 'Split' }).click();
    const panel = page.locator('[data-panel="line:train/loss"]');
    const plot = panel.getByRole('img', { name: /^Curves of train\/loss\./ });
    await plot.waitFor();
    const words = await plot.getAttribute('aria-label');
    expect(words).toMatch(/deep: 40 points/);
    expect(words).toMatch(/wide: 40 points, last 3\.19/);

    // the pointer on a curve lights its row, and tells of how many runs it is
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 40);
    await panel.getByText('n 2').first().waitFor();
    await page.locator('tr[data-lit]').waitFor();
    await expectAccessible(page, 'curves beside groups');

    const deep = page.getByRole('button', { name: /^Curve of .*deep/ });
    await deep.click();
    await plot.and(page.locator(':not([aria-label*="deep"])')).waitFor();
    expect(await plot.getAttribute('aria-label')).toMatch(/wide: 40 points/);
    await page.getByRole('button', { name: 'Show 1 hidden curve' }).click();
    await plot.and(page.locator('[aria-label*="deep"]')).waitFor();
    await deep.click({ modifiers: ['Alt'] });
    await plot.and(page.locator(':not([aria-label*="wide"])')).waitFor();
    await deep.click({ modifiers: ['Alt'] });
    await plot.and(page.locator('[aria-label*="wide"]')).waitFor();
    const colorOf = () => deep.locator('line').evaluate((line) => getComputedStyle(line).stroke);
    const before = await colorOf();
    await deep.click({ modifiers: ['Shift'] });
    await expect.poll(colorOf).not.toBe(before);
    await page.getByLabel('Colors by').selectOption('model');
    const key = page.getByRole('list', { name: 'Key of colors' });
    expect(await key.getByRole('listitem').allTextContents()).toEqual(['deep', 'wide']);

    await page.getByRole('button', { name: 'Add panel' }).click();
    await page.getByLabel('What').selectOption('Curves of a formula over metrics');
    await page.getByRole('textbox', { name: 'Formula' }).fill('train/loss * 2');
    await page.keyboard.press('Enter');
    await page.getByText('Put names of more than one word in quotes: "train/loss".').waitFor();
    await page.getByRole('textbox', { name: 'Formula' }).fill('"train/loss" * "valid/accuracy"');
    await page.keyboard.press('Enter');
    await page
      .getByRole('img', { name: /^Curves of "train\/loss" \* .* 40 points, last 1;.* 40 points, last 1$/ })
      .waitFor();

    // in full, with what each line is, and from one panel to the next
    await page.getByRole('button', { name: 'More for valid/accuracy' }).click();
    await page.getByRole('button', { name: 'Full screen' }).click();
    const full = page.getByRole('dialog', { name: 'valid/accuracy' });
    await full.getByRole('list', { name: 'Legend' }).getByText('deep').waitFor();
    await expectAccessible(page, 'a panel in full');
    await full.getByRole('button', { name: 'Next panel', disabled: true }).waitFor();
    await full.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name of a new view').fill('losses');
    await page.getByRole('button', { name: 'Save as' }).click();
    await page.getByRole('button', { name: 'View: losses' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More for valid/accuracy' }).click();
    await page.getByRole('button', { name: 'Remove panel' }).click();
    await page.getByText('changed: panels').waitFor();
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.getByRole('button', { name: 'More for valid/accuracy' }).waitFor();
    await page.getByRole('button', { name: 'More for train/loss' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv.split('\n')[0]).toBe('curve,step,value,low,high,n');
    expect(csv.split('\n')).toHaveLength(2 * 40 + 2);
    expect(faults).toEqual([]);
    await context.close();
  });
});
