import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '#test/integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '#test/integration/support/externalRunCalls.ts';
import { waitUntil } from '#test/integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

describeInBrowser('the table of runs of programs that log texts', () => {
  test('texts are chosen as a column, ordered by, exported, and kept in the address', async () => {
    const verdicts = ['fine', 'diverged\nat epoch 3', null];
    for (const [index, text] of verdicts.entries()) {
      const runId = await createExternalRun(api!, { project: 'words', name: `run ${'abc'[index]}` });
      await api!.ok(LOG_METRICS, { runId, series: [{ name: 'loss', steps: [0], values: [index] }] });
      const items = text === null ? [] : [{ name: 'verdict', step: 0, kind: 'text', metadata: { text } }];
      await api!.ok('mutation ($runId: ID!, $items: [MediaInput!]!) { logMedia(runId: $runId, items: $items) }', {
        ...{ runId, items },
      });
    }
    const { page, context, faults } = await openPage(api!.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/runs?project=words');
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByRole('group', { name: 'Texts' }).getByLabel('verdict').check();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'diverged …' }).waitFor();
    expect(await page.getByTitle('diverged\nat epoch 3').count()).toBe(1);

    const head = page.getByRole('columnheader', { name: 'verdict' });
    const names = async () => await page.getByRole('link', { name: /^run [abc]$/ }).allInnerTexts();
    await head.getByRole('button', { name: 'verdict', exact: true }).click();
    await waitUntil('the last word stands first', async () => String(await names()) === 'run a,run b,run c');
    await head.getByRole('button', { name: 'verdict', exact: true }).click();
    await waitUntil('the first word stands first', async () => String(await names()) === 'run b,run a,run c');
    await expectAccessible(page, 'a column of texts');

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Copy CSV' }).click();
    await page.getByText('CSV copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"diverged\nat epoch 3"');

    await page.goto('/runs?project=words&columns=name,text.verdict');
    await page.getByRole('cell', { name: 'diverged …' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
