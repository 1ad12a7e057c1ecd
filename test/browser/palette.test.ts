import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

describeInBrowser('the palette', () => {
  const { url, ok } = api!;

  test('what is typed before its code has come is looked for, and Escape still closes it', async () => {
    await ok('mutation { createRun(input: { name: "steady-otter" }) { id } }');
    const { page, context, faults } = await openPage(url);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/CommandPalette-[\w-]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/workers');
    await page.getByRole('heading', { level: 1, name: 'Queue and workers' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('forgotten');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('steady');
    expect(await page.getByLabel('Find pages, actions').inputValue()).toBe('steady');
    await expectAccessible(page, 'the palette while its code comes');
    release();
    await page.getByRole('combobox', { name: 'Find pages' }).waitFor();
    await page.keyboard.type('-otter');
    await page.getByRole('option', { name: 'steady-otter' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Find pages' }).inputValue()).toBe('steady-otter');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'steady-otter' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
