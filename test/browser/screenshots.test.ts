import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import type { TestApi } from '../integration/support/apiForTests.ts';
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
    const own = await logOwnRun(api);
    const [running] = await enqueue({ kind: 'mf-bpr', dataset, parameters: LONG_TRAINING, name: 'long training' });
    await enqueue({ kind: 'mf-bpr', dataset, seeds: [4, 5, 6], priority: 2000 });
    await waitUntil('one runs', async () => (await stateOf(running!)) === 'RUNNING');

    const compared = trained.flat().map((run) => run.number);
    const canvas = async (page: Page) => {
      await page.locator('figure').first().scrollIntoViewIfNeeded();
      await page.locator('canvas').first().waitFor();
    };
    const row = (page: Page) => page.getByRole('row').nth(2).waitFor();
    const pages: [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
      ['runs', '/runs', row],
      ['replicates', '/?view=replicates', row],
      ['filter-error', '/?filter=kind %3D mf-bpr and metric > 3', (page) => page.getByRole('alert').waitFor()],
      ['run', `/runs/${trained[0]![0]!.number}`, canvas],
      ['run-live', `/runs/${running!.number}`, canvas],
      ['run-failed', `/runs/${wrong!.number}`, (page) => page.getByText('Stack').waitFor()],
      ['run-own', `/runs/${own}`, canvas],
      ['log', `/runs/${own}?tab=log`, (page) => page.locator('.log-line').first().waitFor()],
      ['configuration', `/runs/${simple[3]![0]!.number}?tab=configuration`, row],
      ['artifacts', `/runs/${trained[0]![0]!.number}?tab=artifacts`, (page) => page.getByText('sha256').waitFor()],
      ['history', `/runs/${trained[0]![0]!.number}?tab=history`, row],
      ['environment', `/runs/${trained[0]![0]!.number}?tab=environment`, row],
      ['compare', `/compare?runs=${compared}`, row],
      [
        'compare-curves',
        `/compare?runs=${compared}&curves=replicates`,
        async (page) => {
          await page.locator('figure').last().scrollIntoViewIfNeeded();
          await canvas(page);
        },
      ],
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

/** A run of a program of one's own, with a long log and a loss that ends as NaN; returns its number. */
async function logOwnRun(api: TestApi): Promise<number> {
  const { createRun: run } = await api.ok(
    'mutation { createRun(input: { name: "autoencoder, own code", datasetName: "mnist", tags: ["external"] }) { id number } }',
  );
  const steps = Array.from({ length: 400 }, (_, i) => i);
  const loss = steps.map((step) => (step > 380 ? 'NaN' : 2 * Math.exp(-step / 90) + 0.1 * Math.sin(step / 3)));
  const gradient = steps.map((step) => (step > 380 ? 'Infinity' : 10 ** (step / 100)));
  await api.ok('mutation ($r: ID!, $s: [MetricPointsInput!]!) { logMetrics(runId: $r, series: $s) }', {
    r: run.id,
    s: [
      { name: 'train/loss', steps, values: loss },
      { name: 'train/gradient', steps, values: gradient },
    ],
  });
  const lines = steps.map((step) => ({
    level: step > 380 ? 'error' : step % 40 === 0 ? 'warn' : 'info',
    text: step > 380 ? `step ${step}: loss is not a number` : `step ${step}: loss ${Number(loss[step]).toFixed(4)}`,
  }));
  await api.ok('mutation ($r: ID!, $l: [LogLineInput!]!) { logLines(runId: $r, from: 0, lines: $l) }', {
    r: run.id,
    l: lines,
  });
  return run.number;
}
