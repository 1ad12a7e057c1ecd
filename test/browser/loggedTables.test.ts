import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { logMedia, type MediaToLog } from './support/logMedia.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null!;

function table(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): MediaToLog {
  const content = JSON.stringify({ columns, data: rows });
  return { name, kind: 'table', mediaType: 'application/json', content, metadata: { columns, rows: rows.length } };
}

describeInBrowser('tables that a run logs', () => {
  test.each([
    { width: 1440, colorScheme: 'light' as const },
    { width: 390, colorScheme: 'dark' as const },
  ])(
    'are as wide as their content at $width px, and scroll sideways where that is wider than the page',
    async (look) => {
      const run = await createExternalRun(api);
      const names = Array.from({ length: 40 }, (_, index) => `feature ${index}`);
      await logMedia(api, run, [
        table(
          'narrow',
          ['rank', 'hit'],
          Array.from({ length: 50 }, (_, index) => [index, index % 2 === 0]),
        ),
        table(
          'texts',
          ['id', 'title'],
          [
            [1, 'a title of some length'],
            [2, 'x'.repeat(400)],
          ],
        ),
        table('wide', names, [names.map((_, index) => index / 7)]),
      ]);
      const { page, context, faults } = await openPage(api.url, { ...look, height: 1000 });
      await page.goto(`/runs/${run}?tab=media`);
      const rowsOf = (name: string) => page.getByRole('region', { name: `Rows of ${name}` });
      const widths = async (name: string) =>
        await rowsOf(name).evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
      await rowsOf('narrow').getByRole('cell', { name: 'true' }).first().waitFor();
      const narrow = await widths('narrow');
      expect(narrow.clientWidth).toBeLessThan(240);
      expect(narrow.scrollWidth).toBe(narrow.clientWidth);

      const title = rowsOf('texts').getByRole('cell', { name: 'a title of some length' });
      await title.waitFor();
      expect(await title.evaluate((cell) => cell.scrollWidth <= cell.clientWidth), 'it is shown whole').toBe(true);
      const long = await rowsOf('texts').getByRole('cell', { name: 'xxx' }).boundingBox();
      expect(long!.width, 'a very long text is cut').toBeLessThan(520);

      await rowsOf('wide').scrollIntoViewIfNeeded();
      const wide = await widths('wide');
      expect(wide.scrollWidth).toBeGreaterThan(look.width);
      expect(wide.clientWidth).toBeLessThan(look.width);
      await rowsOf('wide').focus();
      await page.keyboard.press('End');
      await rowsOf('wide').evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
      await rowsOf('wide').getByRole('button', { name: 'feature 39' }).click();
      await expectAccessible(page, 'logged tables');
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  test('show fractions in four digits, and are copied whole', async () => {
    const run = await createExternalRun(api);
    await logMedia(api, run, [
      table(
        'sevenths',
        ['name', 'share'],
        [
          ['one', 1 / 7],
          ['two', 2 / 7],
        ],
      ),
    ]);
    const { page, context, faults } = await openPage(api.url, { width: 1440, height: 1000, colorScheme: 'light' });
    await page.goto(`/runs/${run}?tab=media`);
    const rows = page.getByRole('region', { name: 'Rows of sevenths' });
    const cell = rows.getByRole('cell', { name: '0.1429' });
    await cell.waitFor();
    expect(await cell.getAttribute('title')).toBe('0.14285714285714285');
    const copied = async (from: string, to: string): Promise<string> =>
      await rows.evaluate(
        (region, ends) => {
          const [first, last] = ends.map((text) =>
            [...region.querySelectorAll('td')].find((td) => td.textContent === text),
          );
          document.getSelection()?.setBaseAndExtent(first!.firstChild!, 0, last!.firstChild!, last!.textContent.length);
          const event = new ClipboardEvent('copy', {
            clipboardData: new DataTransfer(),
            bubbles: true,
            cancelable: true,
          });
          first!.dispatchEvent(event);
          return event.clipboardData!.getData('text/plain');
        },
        [from, to],
      );
    expect(await copied('one', '0.2857')).toBe('one\t0.14285714285714285\ntwo\t0.2857142857142857');
    expect(await copied('0.1429', '0.1429')).toBe('0.14285714285714285');
    expect(faults).toEqual([]);
    await context.close();
  });
});
