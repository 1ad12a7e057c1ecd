import { beforeAll, expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null!;
const RUNS = 50;

describeInBrowser('comparisons', () => {
  beforeAll(async () => {
    const steps = [0, 1, 2, 3];
    for (let index = 0; index < RUNS; index++) {
      const input = { name: `with rate ${index}`, seed: 1, parameters: { rate: index }, project: 'rates' };
      const runId = await createExternalRun(api, input);
      const values = steps.map((step) => 1 / (step + index + 1));
      await api.ok(LOG_METRICS, { runId, series: [{ name: 'train/loss', steps, values }] });
      await api.ok(`mutation { finishRun(runId: "${runId}") { id } }`);
    }
    await api.ok('mutation { createProject(name: "empty") { id } }');
    await createExternalRun(api, { name: 'alone', project: 'single' });
  });

  test.each([
    { width: 1440, height: 900, colorScheme: 'light' as const, first: 12 },
    { width: 390, height: 800, colorScheme: 'dark' as const, first: 6 },
  ])('of 50 runs have a short legend at $width px, which unfolds', async ({ first, ...look }) => {
    const { page, context, faults } = await openPage(api.url, look);
    await page.goto(`/compare?runs=1-${RUNS}`);
    const legend = page.getByRole('list', { name: 'Legend of the curves' });
    const rest = legend.getByRole('button', { name: `and ${RUNS - first} more` });
    await rest.scrollIntoViewIfNeeded();
    expect(await legend.evaluate((element) => element.clientHeight)).toBeLessThan(look.height / 4);
    await expectAccessible(page, 'a comparison of many runs');
    await rest.click();
    expect(await legend.getByRole('listitem').count()).toBe(RUNS + 1);
    await legend.getByRole('button', { name: 'Show fewer' }).click();
    expect(await legend.getByRole('listitem').count()).toBe(first + 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('begin with projects that have something to compare, and say what to do', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/compare');
    await page.getByRole('heading', { name: 'No runs chosen' }).waitFor();
    const offered = page.getByRole('main').getByRole('listitem');
    await offered.first().waitFor();
    expect(await offered.allTextContents()).toEqual([`rates ${RUNS} runs`]);
    await expectAccessible(page, 'the start page of comparisons');
    await page.getByRole('link', { name: 'rates', exact: true }).click();
    await page.getByText(`${RUNS} groups of ${RUNS} runs`).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'table of runs' }).click();
    await page.getByRole('region', { name: 'Runs table' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each([
    ['a run that is not there', '1,99999', /there is no run 99999/],
    ['words that are no run', '1,best', /"best" names no run; give a run/],
  ])('of %s say so and lead back to the runs', async (_, runs, message) => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto(`/compare?runs=${runs}`);
    await page.getByText('The runs cannot be compared.').waitFor();
    await page.getByText(message).waitFor();
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('region', { name: 'Runs table' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
