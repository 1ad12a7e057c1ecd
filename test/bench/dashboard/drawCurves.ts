import type { Page } from 'playwright-core';
import type { BenchRow } from '../benchResult.ts';
import { CATEGORIES, framesOf } from './frames.ts';

const PROJECT = 'curves';
const CURVES = 200;
const POINTS = 1_000;
const LONGEST_MS = 300;
const METRIC = 'train/loss';

/** Opens a panel with many long curves, and says what the longest frame until they are drawn took. */
export async function drawCurves(page: Page, url: string): Promise<BenchRow> {
  await logCurves(url);
  await page.addInitScript(() => performance.mark('scroll-begin'));
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.goto(`/runs?project=${PROJECT}&layout=curves&workspace=${JSON.stringify({ curves: CURVES })}`);
  // six are told, and how many more there are
  await page.getByRole('img', { name: `and ${CURVES - 6} more` }).waitFor();
  await page.locator('body').evaluate(
    (body) =>
      new Promise<void>((resolve) => {
        const view = body.ownerDocument.defaultView!;
        const drawn = () => {
          performance.mark('scroll-end');
          resolve();
        };
        view.requestAnimationFrame(() => view.requestAnimationFrame(() => setTimeout(drawn, 500)));
      }),
  );
  const frames = framesOf(await browser.stopTracing());
  const worst = frames.toSorted((a, b) => b.processor - a.processor)[0];
  const parts = Object.entries(worst?.parts ?? {}).map(([part, ms]) => `${part} ${ms.toFixed(0)}`);
  return {
    ...{ work: `${CURVES} curves of ${POINTS} points are drawn`, value: worst?.processor ?? Number.NaN, unit: 'ms' },
    ...{ aim: LONGEST_MS, processorMs: null },
    also: `longest task ${Math.max(0, ...frames.map(({ longestTask }) => longestTask)).toFixed(0)}; ${parts.join(', ')}`,
  };
}

/** Runs with a curve each, where the server has none yet. */
async function logCurves(url: string): Promise<void> {
  const { runs } = (await ask(url, 'query ($project: String) { runs(project: $project) { totalCount } }', {
    project: PROJECT,
  }).catch(() => ({ runs: { totalCount: 0 } }))) as { runs: { totalCount: number } };
  if (runs.totalCount >= CURVES) return;
  const steps = Array.from({ length: POINTS }, (_, step) => step);
  for (let run = 0; run < CURVES; run++) {
    const input = { project: PROJECT, name: `curve ${run}`, seed: run, parameters: { rate: run } };
    const { createRun } = (await ask(url, 'mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', {
      input,
    })) as { createRun: { id: string } };
    const values = steps.map((step) => 1 / (1 + (step * (run + 1)) / 5_000) + 0.02 * Math.sin(step * (0.1 + run / 50)));
    await ask(url, 'mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
      id: createRun.id,
      series: [{ name: METRIC, steps, values }],
    });
    await ask(url, 'mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: createRun.id });
  }
}

async function ask(url: string, query: string, variables: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  if (errors !== undefined || data === undefined) throw new Error(`the API refused: ${JSON.stringify(errors)}`);
  return data;
}
