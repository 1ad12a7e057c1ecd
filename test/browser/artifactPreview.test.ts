import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '#test/integration/support/apiForTests.ts';
import { createExternalRun } from '#test/integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;
/** One red pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

describeInBrowser('the files of a run', () => {
  test('tables, JSON and pictures are shown where they are listed, other files are not', async () => {
    const runId = await createExternalRun(api!, { project: 'files', name: 'with files' });
    const files: [name: string, content: string | Uint8Array<ArrayBuffer>, mediaType: string][] = [
      ['answers.csv', `question,answer,score\n${'why,because,0.123456\n'.repeat(120)}`, 'text/csv'],
      ['settings.json', '{"width":3}', 'application/json'],
      ['dot.png', Uint8Array.from(Buffer.from(PICTURE, 'base64')), 'image/png'],
      ['weights.bin', 'xyz', 'application/octet-stream'],
    ];
    for (const [name, body, mediaType] of files) {
      const answer = await fetch(`${api!.url}/artifacts/${runId}/${name}`, {
        ...{ method: 'PUT', body, headers: { 'content-type': mediaType } },
      });
      expect(answer.ok, name).toBe(true);
    }
    const { page, context, faults } = await openPage(api!.url);
    await page.goto(`/runs/${runId}?tab=artifacts`);
    await page.getByRole('button', { name: 'Preview answers.csv' }).click();
    const table = page.getByRole('region', { name: 'First rows' });
    const score = table.getByRole('cell', { name: '0.1235' }).first();
    await table.getByRole('cell', { name: 'because' }).first().waitFor();
    await page.getByText('First 100 of 120 rows').waitFor();
    expect(await score.getAttribute('title')).toBe('0.123456');
    expect(await score.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right');
    await page.getByRole('button', { name: 'Preview settings.json' }).click();
    await page.getByText('"width": 3').waitFor();
    await page.getByRole('button', { name: 'Preview dot.png' }).click();
    const picture = page.getByRole('img', { name: 'dot.png' });
    await picture.evaluate((image: HTMLImageElement) => image.decode());
    expect(await page.getByRole('button', { name: /^Preview/ }).count()).toBe(3);
    await expectAccessible(page, 'previews of files');
    await page.getByRole('button', { name: 'Preview answers.csv' }).click();
    await table.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });
});
