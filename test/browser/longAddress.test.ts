import { beforeAll, expect, test } from 'vitest';
import { apiForTests } from '#test/integration/support/apiForTests.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;
const METRICS = Array.from({ length: 1_000 }, (_, index) => `group/metric-${index}`);

describeInBrowser('a table with a thousand columns', () => {
  const { ok, url } = api!;

  beforeAll(async () => {
    const { createRun: run } = await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', {
      input: { project: 'wide', name: 'one', seed: 1, parameters: { lr: 0.1, optimizer: 'adam' } },
    });
    for (let from = 0; from < METRICS.length; from += 250) {
      const names = METRICS.slice(from, from + 250);
      await ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
        id: run.id,
        series: names.map((name) => ({ name, steps: [0], values: [1] })),
      });
    }
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: run.id });
  });

  test('keeps its address short, is the same when it is loaded anew, and opens elsewhere without its choice', async () => {
    const { page, context, faults } = await openPage(url);
    const named = ['name', 'config.lr', 'config.optimizer', ...METRICS];
    // as somebody chose them: too many for one press of a test
    await page.goto(`/runs?project=wide&columns=name`);
    await page.getByRole('columnheader', { name: 'name' }).waitFor();
    await page.evaluate((columns) => {
      history.pushState(history.state, '', `/runs?project=wide&columns=${columns}`);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }, named.join(','));
    const count = () => page.getByRole('table').getAttribute('aria-colcount');
    await expect.poll(count).toBe('1005');
    // numbers of parameters stand at the right, words at the left
    const align = (name: string) =>
      page.getByRole('columnheader', { name }).evaluate((head) => head.classList.contains('number'));
    expect([await align('lr'), await align('optimizer')]).toEqual([true, false]);
    await page.locator('th[data-column="name"] .runs-sort').click();
    await page.getByText('this browser keeps them').waitFor();
    expect(page.url().length).toBeLessThan(200);
    await page.reload();
    await expect.poll(count).toBe('1005');

    const other = await openPage(url);
    await other.page.goto(page.url());
    await other.page.getByText('another browser keeps them').waitFor();
    await other.page.getByRole('row', { name: /one/ }).waitFor();
    expect(other.faults).toEqual([]);
    await other.context.close();
    expect(faults).toEqual([]);
    await context.close();
  });
});
