import { beforeAll, expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { agentSweep } from '../integration/support/agentSweep.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null!;

describeInBrowser('the home page', () => {
  beforeAll(async () => {
    const own = await createExternalRun(api, { name: 'my own run' });
    await api.ok(`mutation { finishRun(runId: "${own}") { id } }`);
    const sweep = await agentSweep(api, { name: 'learning rates', trials: 200, project: 'Default' });
    for (let trial = 0; trial < 24; trial++) await sweep.end(1 / (trial + 1), trial < 22 ? undefined : 'no memory');
    await sweep.begin(2);
    await sweep.begin(2);
    const tags = ['study:rntk/table-2'];
    for (let run = 0; run < 12; run++) {
      const id = await createExternalRun(api, { name: `arm ${run}`, tags });
      await api.ok(`mutation { finishRun(runId: "${id}") { id } }`);
    }
  });

  test.each([
    { width: 1440, colorScheme: 'light' as const },
    { width: 390, colorScheme: 'dark' as const },
  ])('the trials of a sweep and the runs of a study push nothing out of sight at $width px', async (look) => {
    const { page, context, faults } = await openPage(api.url, { ...look, height: 900 });
    await page.goto('/');
    const ended = page.getByRole('region', { name: 'Ended since you last looked' });
    await ended.getByRole('link', { name: 'Sweep 1: learning rates' }).waitFor();
    expect(await ended.getByRole('listitem').count()).toBe(3);
    const line = ended.getByRole('listitem').filter({ hasText: 'learning rates' });
    expect(await line.textContent()).toMatch(/22 runs\s*best valid\/loss 0\.04545\s*24 of 200 trials\s*2 failed/);
    await ended.getByRole('link', { name: 'my own run' }).waitFor();
    await ended.getByRole('link', { name: 'Study rntk/table-2' }).waitFor();
    await ended.getByText(/^\d+ open/).waitFor();
    await ended.getByText('35', { exact: true }).waitFor();

    const failed = page.getByRole('region', { name: 'Failed' });
    await failed.getByRole('link', { name: /#\d+: no memory/ }).waitFor();
    expect(await failed.getByRole('listitem').count()).toBe(1);
    const running = page.getByRole('region', { name: 'Running' });
    await running.getByRole('link', { name: '2 runs', exact: true }).waitFor();
    await expectAccessible(page, 'the home page with a sweep');

    await failed.getByRole('link', { name: '2 runs failed' }).click();
    await page.getByText('2 runs', { exact: true }).first().waitFor();
    await page.goBack();
    await ended.getByRole('link', { name: '12 runs', exact: true }).click();
    await page.getByText('12 runs', { exact: true }).first().waitFor();
    await page.goBack();
    await ended.getByRole('link', { name: 'Sweep 1: learning rates' }).click();
    await page.getByRole('heading', { level: 1, name: 'learning rates' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
