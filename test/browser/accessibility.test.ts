import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { isAlive } from '#src/base/platform/processes/processTree.ts';
import { childrenOf } from '../integration/support/childrenOf.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests, LONG_TRAINING, type QueuedRun } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { showPage } from './support/showPage.ts';
import { drawnChart, visitedPages } from './support/visitedPages.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

/** An executor tells of itself every two seconds, and is ended once it has been silent for two minutes. */
const SIGN_OF_LIFE_MS = 2_500;

const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);

/** The structure of a page is the same in both themes: in the dark one its colors are looked at. */
async function expectAccessibleInBothThemes(page: Page, name: string): Promise<void> {
  expect(await theme(page)).toBe('light');
  await expectAccessible(page, `${name}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await waitUntil(`${name} is dark`, async () => (await theme(page)) === 'dark');
  await expectAccessible(page, `${name}, dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
}

describeInBrowser('accessibility', () => {
  const { api, worker, enqueue, succeed, stateOf } = dashboard!;
  let runs: QueuedRun[];
  let logged: QueuedRun;
  let running: QueuedRun;
  let waking: NodeJS.Timeout;

  beforeAll(async () => {
    await api.ok('mutation { createProject(name: "empty") { id } }');
    const rule = { name: 'failures', condition: { trigger: 'RUN_ENDED' }, project: 'empty' };
    const save =
      'mutation ($rule: SaveAlertRuleInput!) { saveAlertRule(input: $rule) { rule { id } } testAlertRule(id: 1) { id } }';
    await api.ok(save, { rule });
    const parameters = { epochs: 10, dimension: 8 };
    runs = await enqueue({ kind: 'mf-bpr', dataset: { name: DATASET }, parameters, seeds: [1, 2], tags: ['a', 'b'] });
    [logged] = (await enqueue({ kind: 'overrec', dataset: { name: DATASET } })) as [QueuedRun];
    await succeed([...runs, logged]);
    const { artifacts } = await api.ok('query ($id: ID!) { artifacts(runId: $id) { name } }', { id: runs[0]!.id });
    const version = { name: 'ranker', runId: runs[0]!.id, artifactName: artifacts[0].name, aliases: ['production'] };
    await api.ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', {
      input: version,
    });
    const numbers = runs.map(({ number }) => number).join(', ');
    const text = `[[run ${runs[0]!.number}]] [[run x]]\n\n\`\`\`warren-panel\nmetric: train/loss\nruns: ${numbers}\n\`\`\`\n\n\`\`\`warren-table\nruns: ${numbers}\nmetrics: test/mrr\ngroup by: seed\nbaseline: ${runs[0]!.number}\n\`\`\`\n\n\`\`\`warren-table\nx: y\n\`\`\``;
    await api.ok('mutation ($input: SaveReportInput!) { saveReport(input: $input) { id } }', {
      input: { project: 'empty', title: 'Findings', text },
    });
    [running] = (await enqueue({ kind: 'mf-bpr', dataset: { name: DATASET }, parameters: LONG_TRAINING })) as [
      QueuedRun,
    ];
    await enqueue({ kind: 'popularity', dataset: { name: DATASET }, seeds: [1, 2] });
    await waitUntil('one runs', async () => (await stateOf(running)) === 'RUNNING');
    await waitUntil('it has a curve', async () => {
      // System metrics have curves, too, but their charts are folded away.
      const query = 'query ($id: ID!) { run(id: $id) { metrics(names: ["train/loss"]) { pointCount } } }';
      const told = await api.ok(query, { id: running.id });
      return told.run.metrics.some(({ pointCount }: { pointCount: number }) => pointCount >= 2);
    });
    // Held still, it goes on running without taking a processor from the pages; let go for moments, it is not taken for hung.
    const executors = childrenOf(worker.pid);
    const tell = (signal: 'SIGSTOP' | 'SIGCONT') => {
      for (const executor of executors) if (isAlive(executor)) process.kill(executor, signal);
    };
    tell('SIGSTOP');
    waking = setInterval(() => {
      tell('SIGCONT');
      setTimeout(() => tell('SIGSTOP'), SIGN_OF_LIFE_MS);
    }, 60_000);
  });
  afterAll(() => clearInterval(waking));

  // every page twice: minutes, where the machine is busy
  const ALL_PAGES_MS = 480_000;
  test('axe finds nothing on any page, light or dark, and a small screen cuts nothing off', {
    timeout: ALL_PAGES_MS,
  }, async () => {
    const { page, context, faults } = await openPage(api.url);
    const tooWide: string[] = [];
    await page.goto('/');
    for (const [name, path, ready] of visitedPages({ runs, logged, running })) {
      await showPage(page, { name, path, ready });
      await expectAccessibleInBothThemes(page, name);
      await page.setViewportSize({ width: 390, height: 780 });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wider > 0) tooWide.push(`${name}: ${wider} pixels`);
      await page.setViewportSize({ width: 1360, height: 860 });
    }
    await page.setViewportSize({ width: 390, height: 780 });
    await page.goto('/workers');
    const workers = page.getByRole('region', { name: 'Workers' }).locator('.table-scroll');
    await workers.getByText(/^1 slot/).waitFor();
    expect(await workers.evaluate((part) => part.scrollWidth - part.clientWidth), 'workers are whole').toBe(0);
    await page.setViewportSize({ width: 1360, height: 860 });
    // a section with one panel leaves no empty place beside it
    await page.goto('/runs?layout=curves');
    const single = page.getByRole('region', { name: 'Panels of train' });
    await single.getByText('1 panel', { exact: true }).waitFor();
    const [panel, section] = [await single.getByRole('figure').boundingBox(), await single.boundingBox()];
    expect(panel!.width).toBeGreaterThan(0.95 * section!.width);
    await page.goto('/runs');
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByLabel('Find columns').waitFor();
    await expectAccessibleInBothThemes(page, 'columns');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find pages' }).waitFor();
    await page.keyboard.type(`#${logged.number}`);
    await page.getByRole('option', { name: `#${logged.number} ` }).waitFor();
    await expectAccessibleInBothThemes(page, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `#${logged.number} ` }).waitFor();
    expect(tooWide).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a run is shared by a link, which shows it to somebody else, read-only, and nothing beside', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto(`/runs/${runs[0]!.number}`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByLabel('Title').fill('For my supervisor');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const address = await page.getByLabel('The link').inputValue();
    await context.close();
    const other = await openPage(api.url);
    await other.page.goto(address);
    await other.page.getByRole('heading', { level: 1, name: `#${runs[0]!.number} ` }).waitFor();
    await other.page.getByText('For my supervisor (shared, read-only)').waitFor();
    await drawnChart(other.page);
    expect(other.page.url()).not.toContain('warren_share_');
    expect(await other.page.getByRole('link', { name: 'Sweeps' }).count()).toBe(0);
    expect(await other.page.getByRole('alert').count()).toBe(0);
    const offered = other.page.getByRole('button', { name: /^(Delete|Retry|Rename|Add tag|Add notes|Share)$/ });
    await waitUntil('nothing is offered that would be refused', async () => (await offered.count()) === 0);
    expect(await other.page.getByRole('link', { name: 'Run again with …' }).count()).toBe(0);
    await expectAccessibleInBothThemes(other.page, 'a shared run');
    await other.page.goto(`/runs/${runs[1]!.number}`);
    await other.page.getByText(/^There is no run /).waitFor();
    await other.context.close();
    expect(faults).toEqual([]);
  });

  test('a shared table offers nothing that would be refused, and names its one project', async () => {
    const { createShareLink } = await api.ok(
      'mutation { createShareLink(input: { project: "default", title: "All of it" }) { address } }',
    );
    const { page, context, faults } = await openPage(api.url);
    await page.goto(createShareLink.address);
    await page.getByRole('row').nth(2).waitFor();
    await page.getByText('All of it (shared, read-only)').waitFor();
    await page.getByRole('button', { name: 'Compare' }).waitFor();
    const refused = page.getByRole('button', {
      name: /^(Cancel|Retry|Delete|Restore|Trash|Report|Share|Change all…)$/,
    });
    await waitUntil('nothing is offered that would be refused', async () => (await refused.count()) === 0);
    expect(await page.getByRole('combobox', { name: 'Project' }).count()).toBe(0);
    await expectAccessibleInBothThemes(page, 'a shared table');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('everything is reached without a mouse', async () => {
    const { page, context, faults } = await openPage(api.url);
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      });
    const tabTo = async (name: string | RegExp) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        const text = (await focused()).trim();
        if (typeof name === 'string' ? text === name : name.test(text)) return;
      }
      throw new Error(`Tab never came to ${name}`);
    };
    await page.goto('/runs');
    await page.getByRole('row').nth(3).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');

    // Selecting: down the rows by arrows, a range with Shift and Space.
    await tabTo(/^Select run/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await page.getByText('2 selected').waitFor();
    for (let presses = 0; (await focused()) !== 'Compare' && presses < 80; presses += 1)
      await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    await page.getByRole('region', { name: 'Metric values' }).waitFor();

    // Opening a run and going through its tabs by arrows.
    const onRun = () => page.evaluate(() => document.activeElement?.matches('a[href^="/runs/"]') ?? false);
    for (let presses = 0; !(await onRun()) && presses < 60; presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await tabTo('Overview');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: /^Metrics/, selected: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Media', selected: true }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('tab', { name: 'Environment', selected: true }).waitFor();

    // Deleting asks in a dialog, which Escape closes and which gives the focus back.
    await tabTo('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await focused()).trim()).toBe('Delete');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('on a small screen the link of the page shown is in sight', async () => {
    const { page, context } = await openPage(api.url, { width: 390, height: 780 });
    const links = page.getByRole('navigation', { name: 'Main' });
    const inSight = (what: Locator) =>
      waitUntil('it is in sight', async () => {
        const [row, link] = [(await links.boundingBox())!, (await what.boundingBox())!];
        return link.x >= row.x && link.x + link.width <= row.x + row.width;
      });
    await page.goto('/reports');
    await inSight(links.getByRole('link', { name: 'Reports' }));
    // six things to press; what is needed less often is a group further, by keyboard too
    await inSight(links.getByRole('button', { name: 'More' }));
    expect(await links.locator('a, button').count()).toBe(6);
    await links.getByRole('button', { name: 'More' }).focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await waitUntil('the second is focused', () =>
      page.evaluate(() => document.activeElement?.getAttribute('href') === '/models'),
    );
    expect(await links.getByRole('link', { name: /^Adaptive comparisons/ }).getAttribute('href')).toBe('/decisions');
    await expectAccessible(page, 'more pages');
    const panel = (await page.getByRole('region', { name: 'More pages' }).boundingBox())!;
    expect(panel.x >= 0 && panel.x + panel.width <= 390).toBe(true);
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: 'Queue and workers' }).waitFor();
    await inSight(links.getByRole('button', { name: /^More ?: Queue and workers/ }));

    // what chooses runs is behind one button: the table begins in the upper half
    await page.goto('/runs');
    const table = (await page.getByRole('region', { name: 'Runs table' }).boundingBox())!;
    expect(table.y).toBeLessThan(780 / 2);
    await page.getByRole('button', { name: 'Filter and view' }).click();
    await page.getByRole('combobox', { name: 'Filter runs' }).fill('seed = ');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Filter and view (set)', expanded: true }).waitFor();
    await expectAccessible(page, 'the filter on a small screen');
    await context.close();
  });

  test('the theme follows the system, and the choice of the user before it', async () => {
    const { page, context } = await openPage(api.url, { colorScheme: 'dark' });
    await page.goto('/runs');
    expect(await theme(page)).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await waitUntil('the page is light', async () => (await theme(page)) === 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: /^Theme/ }).click();
    expect(await theme(page)).toBe('light');
    await page.reload();
    expect(await theme(page)).toBe('light');
    await context.close();
  });
});
