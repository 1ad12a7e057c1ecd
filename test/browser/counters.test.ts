import { beforeAll, expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null!;

describeInBrowser('metrics that only count', () => {
  beforeAll(async () => {
    const steps = Array.from({ length: 20 }, (_, step) => step);
    for (const loss of ['loss', 'objective']) {
      const runId = await createExternalRun(api, { name: 'training' });
      const series = [
        { name: 'epoch', steps, values: steps.map((step) => Math.floor(step / 2)) },
        { name: 'samples', steps, values: steps.map((step) => 64 * step) },
        { name: loss, steps, values: steps.map((step) => 1 / (step + 1)) },
      ];
      await api.ok(LOG_METRICS, { runId, series });
      const definitions = [{ name: loss, stepMetric: 'samples' }];
      const define =
        'mutation ($runId: ID!, $definitions: [MetricDefinitionInput!]!) { defineMetrics(runId: $runId, definitions: $definitions) }';
      await api.ok(define, { runId, definitions });
      await api.ok(`mutation { finishRun(runId: "${runId}") { id } }`);
    }
  });

  test('are drawn where somebody asks for them, and not before', async () => {
    const { page, context, faults } = await openPage(api.url);
    const charts = page.locator('.chart-card h3');
    await page.goto('/runs/1');
    await charts.first().waitFor();
    expect(await charts.allTextContents(), 'the overview').toEqual(['loss']);

    await page.goto('/runs/1?tab=metrics');
    await charts.first().waitFor();
    expect(await charts.allTextContents(), 'all metrics').toEqual(['loss']);
    await page.getByText('2 charts').click();
    await page.getByRole('heading', { level: 3, name: 'samples' }).waitFor();

    await page.goto('/compare?runs=1,2');
    await charts.first().waitFor();
    expect(await charts.allTextContents(), 'a comparison').toEqual(['loss', 'objective']);
    await page.getByRole('button', { name: 'Show more charts (2 left)' }).click();
    await page.getByRole('heading', { level: 3, name: 'epoch' }).waitFor();

    await page.goto('/runs?layout=curves');
    await page.getByRole('heading', { name: 'loss' }).waitFor();
    expect(await page.getByRole('heading', { name: 'epoch' }).count(), 'the curves of a table').toBe(0);
    await page.getByRole('button', { name: /^counters/ }).click();
    await page.getByRole('heading', { name: 'epoch' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
