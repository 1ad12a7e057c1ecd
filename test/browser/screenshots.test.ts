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
/** Pixels of a desk's screen, and of a phone's. */
const SCREENS = [
  { name: '', width: 1440, height: 900 },
  { name: '-phone', width: 390, height: 844 },
];
const SWEEP = {
  ...{ method: 'sobol', kind: 'item-knn', dataset: 'generated/markov-medium', run_cap: 24 },
  metric: { name: 'valid/ndcg@10' },
  parameters: {
    shrinkage: { distribution: 'uniform', min: 0, max: 100 },
    neighbours: { values: [10, 20, 50, 100] },
  },
};

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
    const report = await writeReport(api, trained.flat());
    await api.ok('mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { id } } }', { file: SWEEP });
    const ended = 'query { sweep(id: "1") { state counts { succeeded } } }';
    await waitUntil('the sweep has ended', async () => (await api.ok(ended)).sweep.state === 'FINISHED', 240_000);
    const [running] = await enqueue({ kind: 'mf-bpr', dataset, parameters: LONG_TRAINING, name: 'long training' });
    await enqueue({ kind: 'mf-bpr', dataset, seeds: [4, 5, 6], priority: 2000 });
    await waitUntil('one runs', async () => (await stateOf(running!)) === 'RUNNING');

    const compared = trained.flat().map((run) => run.number);
    const canvas = async (page: Page) => {
      await page.locator('figure').first().scrollIntoViewIfNeeded();
      await page.locator('canvas').first().waitFor();
    };
    const head = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
    const row = (page: Page) => page.getByRole('row').nth(2).waitFor();
    const pages: [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
      ['home', '/', (page) => page.getByRole('heading', { name: /^Projects/ }).waitFor()],
      ['runs', '/runs', row],
      ['sweeps', '/sweeps', (page) => page.getByText('24 of 24').waitFor()],
      ['sweep', '/sweeps/1', (page) => page.getByRole('img', { name: /so far over/ }).waitFor()],
      ['report', `/reports/${report}`, (page) => page.getByRole('region', { name: /^Verdicts/ }).waitFor()],
      ['datasets', '/datasets', head],
      ['reproductions', '/reproductions', head],
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
      for (const screen of SCREENS) {
        const { page, context } = await openPage(api.url, { colorScheme, ...screen });
        for (const [name, path, ready] of pages) {
          await page.goto(path);
          await ready(page);
          // Charts draw at the next frame.
          await page.evaluate(
            () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
          );
          await page.screenshot({ path: join(folder!, `${name}${screen.name}-${colorScheme}.png`) });
        }
        await context.close();
      }
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

/** A report with a figure, a table and a comparison of runs; returns its number. */
async function writeReport(api: TestApi, runs: readonly { number: number }[]): Promise<number> {
  const numbers = runs.map(({ number }) => number).join(', ');
  const text = [
    `The higher rate ends at [[run ${runs[0]!.number}: test/ndcg@10]], as [[run ${runs[0]!.number}]] shows.`,
    `\`\`\`warren-panel\nmetric: train/loss\nruns: ${numbers}\ngroup by: configuration\n\`\`\``,
    `\`\`\`warren-table\nmetrics: test/ndcg@10\nruns: ${numbers}\ngroup by: configuration\n\`\`\``,
    `\`\`\`warren-comparison\nruns: ${numbers}\nmetrics: test/ndcg@10\n\`\`\``,
  ].join('\n\n');
  const { saveReport } = await api.ok('mutation ($input: SaveReportInput!) { saveReport(input: $input) { number } }', {
    input: { project: 'default', title: 'Learning rates', text },
  });
  return saveReport.number;
}
