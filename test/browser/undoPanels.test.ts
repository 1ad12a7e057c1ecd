import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { logMedia } from './support/logMedia.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

const content = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"></svg>';

async function runWithTwoPanels(): Promise<void> {
  const runId = await createExternalRun(api!, { project: 'undone', parameters: { lr: 1 } });
  await api!.ok(LOG_METRICS, { runId, series: [{ name: 'valid/loss', steps: [0, 1], values: [2, 1] }] });
  await logMedia(
    api!,
    runId,
    ['faces', 'masks'].map((name) => ({
      ...{ name, step: 0, index: 0, kind: 'image', mediaType: 'image/svg+xml', caption: name, content },
    })),
  );
}

describeInBrowser('changes of panels', () => {
  test('are undone and made again by keys, which a list names', async () => {
    await runWithTwoPanels();
    const { page, context, faults } = await openPage(api!.url);
    await page.goto('/runs?project=undone&layout=split');
    const faces = page.locator('figure[data-panel="media:faces"]');
    const masks = page.locator('figure[data-panel="media:masks"]');
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `More for ${name}` }).click();
      await page.getByRole('button', { name: 'Remove panel' }).click();
    };
    await faces.getByLabel('Size').selectOption('large');
    await remove('faces');
    await faces.waitFor({ state: 'detached' });
    await remove('masks');
    await masks.waitFor({ state: 'detached' });

    // in a field the key is the field's own
    await page.getByLabel('Find panels').fill('mas');
    await page.keyboard.press('Control+z');
    expect(await page.getByLabel('Find panels').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Bring back 2 removed' }).focus();
    await page.keyboard.press('Control+z');
    await masks.waitFor();
    await page.getByText('The last change of the panels is undone.').waitFor();
    await page.keyboard.press('Meta+z');
    await faces.waitFor();
    expect(await faces.getByLabel('Size').inputValue()).toBe('large');
    await page.keyboard.press('Control+z');
    await page.waitForURL((url) => !url.search.includes('large'));
    await page.keyboard.press('Control+Shift+z');
    await page.waitForURL((url) => url.search.includes('large'));
    await page.keyboard.press('Control+y');
    await faces.waitFor({ state: 'detached' });

    // one that comes back by its button leaves what was changed since
    await page.reload();
    await page.getByRole('button', { name: 'Bring back 1 removed' }).click();
    await remove('faces');
    await masks.getByLabel('Size').selectOption('small');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await faces.waitFor();
    expect(await faces.getByLabel('Size').inputValue()).toBe('medium');
    expect(await masks.getByLabel('Size').inputValue()).toBe('small');

    // media and curves are copied as the blocks that draw them
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'More for masks' }).click();
    await page.getByRole('button', { name: 'Copy for a report' }).click();
    await page.getByText('Copied. Paste it into the text of a report.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '```warren-panel\nmetric: masks\nkind: media\nproject: undone\nheight: 2\nsize: small\n```\n',
    );
    await page.keyboard.press('Escape');
    await page.getByLabel('Colors by').selectOption('seed');
    await page.getByRole('button', { name: 'More for valid/loss' }).click();
    await page.getByRole('button', { name: 'Copy for a report' }).click();
    await waitUntil('the curve is copied', async () =>
      (await page.evaluate(() => navigator.clipboard.readText())).includes('valid/loss'),
    );
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '```warren-panel\nmetric: valid/loss\nproject: undone\ncolors by: seed\n```\n',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More for valid/loss' }).focus();

    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('undo the last change of panels').waitFor();
    await expectAccessible(page, 'the list of keys');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });
});
