import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { logMedia } from './support/logMedia.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;
/** Where pictures of the page go; without it none are taken. */
const pictures = process.env.WARREN_SCREENSHOTS;

const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="${color}"/></svg>`;

/** Six runs of three learning rates that sample two pictures at steps 0 and 10; the last one has come to step 0 only. */
async function sampledRuns(): Promise<void> {
  for (const [index, lr] of [0.1, 0.01, 0.1, 0.01, 0.001, 0.001].entries()) {
    const parameters = { lr, seed: index, layers: 2 };
    const runId = await createExternalRun(api!, { project: 'pictures', parameters });
    const steps = index === 5 ? [0] : [0, 10];
    await logMedia(
      api!,
      runId,
      steps.flatMap((step) =>
        [0, 1].map((place) => ({
          ...{ name: 'samples', step, index: place, kind: 'image', mediaType: 'image/svg+xml' },
          ...{ caption: `${index} at ${step}, ${place}`, content: picture(`rgb(${40 * index}, ${20 * step}, 99)`) },
        })),
      ),
    );
  }
  await createExternalRun(api!, { project: 'pictures', parameters: { lr: 1, seed: 9, layers: 2 } });
}

describeInBrowser('media of many runs', () => {
  test('stand beside the table, at any step, grouped by a parameter', async () => {
    await sampledRuns();
    const { page, context, faults } = await openPage(api!.url);
    await page.goto('/runs?project=pictures&layout=split');
    const panel = page.getByRole('region', { name: 'Panels of media' }).getByRole('figure').first();
    await panel.getByText('6 of 7 runs have it').waitFor();
    const images = panel.getByRole('img', { name: /^\d at / });
    expect(await images.count()).toBe(6);
    await panel.getByRole('img', { name: '0 at 10, 0' }).waitFor();
    await panel.getByRole('img', { name: '5 at 0, 0' }).waitFor();

    await panel.getByLabel('Grouped by').selectOption({ label: 'lr' });
    const group = panel.getByRole('region', { name: 'samples, lr 0.01' });
    await waitUntil('two runs in the group', async () => (await group.getByRole('img').count()) === 2);
    expect(await panel.getByRole('heading', { level: 4 }).allTextContents()).toEqual(['lr 0.001', 'lr 0.01', 'lr 0.1']);
    await panel.getByLabel('Of each run').selectOption('4');
    await group.getByRole('img', { name: '1 at 10, 1' }).waitFor();
    await panel.getByLabel('Step of samples').press('ArrowLeft');
    await group.getByRole('img', { name: '1 at 0, 1' }).waitFor();
    await panel.getByLabel('Size').selectOption('large');
    await expectAccessible(page, 'media beside the table');
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, 'media-of-runs.png'), fullPage: true });
    }

    // the address says step, size and number, so that a link shows the same
    await page.waitForURL((url) => /step/.test(url.search) && /large/.test(url.search));
    await page.goto(page.url());
    await group.getByRole('img', { name: '1 at 0, 1' }).waitFor();
    expect(await panel.getByLabel('Size').inputValue()).toBe('large');
    expect(await panel.getByLabel('Of each run').inputValue()).toBe('4');
    await panel.getByLabel('Step of samples').press('ArrowRight');
    await group.getByRole('img', { name: '1 at 10, 1' }).waitFor({ state: 'attached' });
    await panel.getByLabel('Of each run').selectOption('1');
    await panel.getByLabel('Size').selectOption('medium');
    await page.waitForURL((url) => !/step|size|first/.test(url.search));
    await panel.getByRole('button', { name: 'More for samples' }).click();
    await page.getByRole('button', { name: 'Remove panel' }).click();
    await page.getByText('samples is removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await panel.getByRole('region', { name: 'samples, lr 0.1' }).getByRole('img').first().waitFor();
    await panel.getByRole('button', { name: 'More for samples' }).click();
    await page.getByRole('button', { name: 'Remove panel' }).click();
    await page.getByRole('button', { name: 'Bring back 1 removed' }).click();
    await panel.getByText('6 of 7 runs have it').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('of more runs than have curves are gone through page by page', async () => {
    for (let index = 0; index < 23; index++) {
      const runId = await createExternalRun(api!, { project: 'pages', parameters: { index } });
      await logMedia(api!, runId, [
        {
          ...{ name: 'samples', kind: 'image', mediaType: 'image/svg+xml' },
          ...{ caption: `of ${index}`, content: picture(`rgb(${10 * index}, 0, 99)`) },
        },
      ]);
    }
    const { page, context, faults } = await openPage(api!.url);
    await page.goto('/runs?project=pages&layout=curves');
    const panel = page.getByRole('region', { name: 'Panels of media' }).getByRole('figure').first();
    await panel.getByText('page 1 of 2, from run 1 of 23').waitFor();
    await panel.getByText('20 of 20 runs have it').waitFor();
    expect(await panel.getByRole('button', { name: 'Runs before' }).isDisabled()).toBe(true);
    await panel.getByRole('button', { name: 'Further runs' }).press('Enter');
    await panel.getByText('page 2 of 2, from run 21 of 23').waitFor();
    await panel.getByText('3 of 3 runs have it').waitFor();
    for (const index of [0, 1, 2]) await panel.getByRole('img', { name: `of ${index}`, exact: true }).waitFor();
    await expectAccessible(page, 'the second page of media');
    await panel.getByRole('button', { name: 'Runs before' }).press('Enter');
    await panel.getByText('20 of 20 runs have it').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('stand in reports, too, and a formula that is wrong is told there', async () => {
    const { page, context, faults } = await openPage(api!.url);
    await page.goto('/reports/new');
    const project = page.getByLabel('Project');
    await project.selectOption('pictures');
    const block = (...lines: string[]) => `\`\`\`warren-panel\n${lines.join('\n')}\n\`\`\``;
    await page
      .getByLabel('Text in Markdown')
      .fill(
        [
          block(
            'metric: samples',
            'kind: media',
            'order: seed',
            'first: 2',
            'step: 0',
            'size: large',
            'of each run: 4',
          ),
          block('metric: loss', 'formula: "loss" / "acuracy"'),
        ].join('\n\n'),
      );
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('img', { name: '1 at 0, 1' }).waitFor();
    expect(await preview.getByRole('img', { name: /at 0/ }).count()).toBe(4);
    await preview.getByText('The first 2 of 7.').waitFor();
    await preview.getByText(/formula: .*acuracy/).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
