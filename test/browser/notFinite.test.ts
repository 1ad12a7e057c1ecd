import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

/** Three runs: `lost` is never finite, `loss` diverges in the last run, `gain` is never above zero. */
async function divergingRuns(): Promise<string> {
  let last = '';
  for (const [index, loss] of [
    [4, 3, 2],
    [4, 2, 1],
    [4, 8, 'NaN'],
  ].entries()) {
    last = await createExternalRun(api!, { project: 'diverging', name: `run ${index}`, parameters: { lr: index + 1 } });
    const steps = [0, 1, 2];
    await api!.ok(LOG_METRICS, {
      runId: last,
      series: [
        { name: 'loss', steps, values: loss },
        { name: 'lost', steps, values: ['NaN', 'Infinity', 'NaN'] },
        { name: 'gain', steps, values: [0, -1, -2] },
        { name: 'test/final', steps: [2], values: [index] },
      ],
    });
  }
  return last;
}

describeInBrowser('values that are not finite', () => {
  test('are told with their numbers, not drawn along an invented axis', async () => {
    const diverged = await divergingRuns();
    const { page, context, faults } = await openPage(api!.url);
    await page.goto('/runs?project=diverging&layout=curves');
    const panel = (name: string) => page.locator(`figure[data-panel="line:${name}"]`);
    await panel('lost').getByText('No value is finite: 6 NaN, 3 ∞.').waitFor();
    expect(await panel('lost').locator('canvas').count()).toBe(0);
    await panel('loss').getByText('◆ 1 not finite').waitFor();
    const single = page.locator('figure[data-panel="value:test/final"]');
    await single.scrollIntoViewIfNeeded();
    await single.getByRole('img', { name: /^test\/final\. .*run 2/ }).waitFor();
    await panel('gain').locator('canvas').waitFor();
    await panel('gain').getByRole('button', { name: 'Settings of gain' }).click();
    const settings = (await page.getByRole('region', { name: 'Settings of gain' }).boundingBox())!;
    expect(settings.y + settings.height, 'all of the settings is in sight').toBeLessThanOrEqual(
      page.viewportSize()!.height,
    );
    await page.getByLabel('logarithmic y').check();
    await panel('gain').getByText('No value is above zero, and the axis is logarithmic: 9 of 0 or less.').waitFor();
    await page.keyboard.press('Escape');

    // one diverged run leaves a scatter plot its numbers
    const scatter = { id: 'dots', kind: 'scatter', metrics: ['loss'], fields: ['config.parameters.lr'] };
    const lost = { ...scatter, id: 'none', metrics: ['lost'] };
    const workspace = encodeURIComponent(JSON.stringify({ panels: [scatter, lost] }));
    await page.goto(`/runs?project=diverging&layout=curves&workspace=${workspace}`);
    const dots = page.locator('figure[data-panel="dots"]');
    await dots.getByRole('img', { name: /, 2 runs$/ }).waitFor();
    await dots.getByText('1 not finite').waitFor();
    await page.getByText('No value is finite: 3 of the 3 runs have NaN or ∞.').waitFor();

    await page.goto(`/runs/${diverged}?tab=metrics`);
    await page.getByText('No value is finite: 2 NaN, 1 ∞.').waitFor();
    await page.getByText('◆ 1 not finite.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
