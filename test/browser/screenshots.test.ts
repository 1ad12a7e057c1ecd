import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { hasChromium, openPage } from './support/chromium.ts';
import { dashboardForTests, LONG_TRAINING } from './support/dashboardForTests.ts';

/** Where the pictures go; without it none are taken. */
const folder = process.env.WARREN_SCREENSHOTS;
const wanted = folder !== undefined && folder !== '' && hasChromium;
const dashboard = wanted ? await dashboardForTests() : null;
const dataset = { name: 'generated/markov-medium' };

describe.skipIf(!wanted)('screenshots', () => {
  test('of each page, in light and dark', async () => {
    const { api, enqueue, succeed, stateOf } = dashboard!;
    mkdirSync(folder!, { recursive: true });
    const simple = await Promise.all(
      ['popularity', 'item-knn', 'markov', 'overrec'].map((kind) => enqueue({ kind, dataset, tags: ['baseline'] })),
    );
    const trained = await Promise.all(
      [0.05, 0.2].map((learningRate) =>
        enqueue({ kind: 'mf-bpr', dataset, parameters: { learningRate, epochs: 30 }, seeds: [1, 2, 3] }),
      ),
    );
    const [wrong] = await enqueue({ kind: 'popularity', dataset: { name: 'no-such-dataset' } });
    await succeed([...simple, ...trained].flat());
    await waitUntil('one has failed', async () => (await stateOf(wrong!)) === 'FAILED');
    const [running] = await enqueue({ kind: 'mf-bpr', dataset, parameters: LONG_TRAINING, name: 'long training' });
    await enqueue({ kind: 'mf-bpr', dataset, seeds: [4, 5, 6], priority: 2000 });
    await waitUntil('one runs', async () => (await stateOf(running!)) === 'RUNNING');

    const compared = trained.flat().map((run) => run.number);
    const canvas = (page: Page) => page.locator('canvas').first().waitFor();
    const row = (page: Page) => page.getByRole('row').nth(2).waitFor();
    const pages: [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
      ['runs', '/', row],
      ['replicates', '/?view=replicates', row],
      ['filter-error', '/?filter=kind %3D mf-bpr and metric > 3', (page) => page.getByRole('alert').waitFor()],
      ['run', `/runs/${trained[0]![0]!.number}`, canvas],
      ['run-live', `/runs/${running!.number}`, canvas],
      ['run-failed', `/runs/${wrong!.number}`, (page) => page.getByText('Stack').waitFor()],
      ['log', `/runs/${running!.number}?tab=log`, (page) => page.locator('.log-line').first().waitFor()],
      ['configuration', `/runs/${simple[3]![0]!.number}?tab=configuration`, row],
      ['artifacts', `/runs/${trained[0]![0]!.number}?tab=artifacts`, (page) => page.getByText('sha256').waitFor()],
      ['history', `/runs/${trained[0]![0]!.number}?tab=history`, row],
      ['environment', `/runs/${trained[0]![0]!.number}?tab=environment`, row],
      ['compare', `/compare?runs=${compared}`, canvas],
      ['workers', '/workers', row],
      ['new', '/new?kind=overrec', (page) => page.getByRole('group', { name: 'Parameters' }).waitFor()],
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await openPage(api.url, { colorScheme, width: 1440, height: 900 });
      for (const [name, path, ready] of pages) {
        await page.goto(path);
        await ready(page);
        // Charts draw at the next frame.
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        await page.screenshot({ path: join(folder!, `${name}-${colorScheme}.png`) });
      }
      await context.close();
    }
  });
});
