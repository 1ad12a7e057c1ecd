import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

/** Four runs whose loss falls, and one whose loss diverges. */
async function runs(): Promise<string> {
  let last = '';
  const steps = Array.from({ length: 40 }, (_, step) => step);
  for (const rate of [1, 2, 3, 4, 50]) {
    last = await createExternalRun(api!, { project: 'exploding', name: `rate ${rate}`, parameters: { rate } });
    const values = steps.map(
      (step) => 2 * Math.exp(-step / 10) + (rate < 50 ? rate / 10 : step > 30 ? 3 ** step : 0.5),
    );
    await api!.ok(LOG_METRICS, { runId: last, series: [{ name: 'loss', steps, values: [...values] }] });
    await api!.ok(LOG_METRICS, {
      runId: last,
      series: [{ name: 'start', steps, values: values.map((_, step) => (step === 0 ? 1e9 : rate + (step % 3))) }],
    });
  }
  return last;
}

describeInBrowser('a run that diverges', () => {
  test('does not flatten the other curves, and is shown by one press', async () => {
    const diverged = await runs();
    const { page, context, faults } = await openPage(api!.url);
    await page.goto('/runs?project=exploding&layout=curves');
    const panel = page.locator('figure[data-panel="line:loss"]');
    await panel.getByText('1 curve goes beyond the axis').waitFor();
    await panel.getByRole('img', { name: /1 curve goes beyond the axis$/ }).waitFor();
    await page.locator('figure[data-panel="line:start"]').getByText('5 curves go beyond the axis').waitFor();
    await expectAccessible(page, 'curves without outliers');

    await panel.getByRole('button', { name: 'More for loss' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('1 curve goes beyond the axis');
    await page.keyboard.press('Escape');

    await panel.getByRole('button', { name: 'Show all' }).click();
    await panel.getByText('1 curve goes beyond the axis').waitFor({ state: 'detached' });
    expect(decodeURIComponent(page.url())).toContain('"ignoreOutliers":false');
    await page.reload();
    await panel.getByRole('button', { name: 'Leave out outliers' }).click();
    await panel.getByText('1 curve goes beyond the axis').waitFor();
    expect(decodeURIComponent(page.url())).not.toContain('ignoreOutliers');

    await page.goto(`/runs/${diverged}?tab=metrics`);
    const chart = page.locator('figure', { has: page.getByRole('heading', { name: 'start', exact: true }) });
    await chart.getByText('1 curve goes beyond the axis').waitFor();
    await chart.getByRole('button', { name: 'Show all' }).click();
    await chart.getByRole('button', { name: 'Leave them out' }).waitFor();
    await page.reload();
    await chart.getByRole('button', { name: 'Leave them out' }).click();
    await chart.getByText('1 curve goes beyond the axis').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
