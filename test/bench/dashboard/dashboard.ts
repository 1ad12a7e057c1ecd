import { readFlags } from '../readFlags.ts';
import { chromium } from 'playwright-core';
import { badInput } from '#src/base/contracts/errors.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { CHROMIUM_FLAGS, findChromium } from '#test/browser/support/findChromium.ts';
import { withApi } from '../apiProcess.ts';
import type { BenchResult } from '../benchResult.ts';
import { withFolder, withPostgres } from '../postgresProcess.ts';
import { settle } from '../service/serviceData.ts';
import { whileOpen } from '../whileOpen.ts';
import { wholeNumber } from '../wholeNumber.ts';
import { drawCurves } from './drawCurves.ts';
import { scrollTable } from './scrollTable.ts';
import { loadTableData, metricNames, PROJECT } from './tableData.ts';

const OPTIONS = {
  runs: { type: 'string', default: '10000' },
  /** Metrics of each run, all of them columns. */
  metrics: { type: 'string', default: '1000' },
  /** A folder that keeps the database for the next time. */
  home: { type: 'string' },
  /** Only rows whose names contain this. */
  only: { type: 'string', default: '' },
  /** A folder for traces, which Chrome's developer tools show. */
  traces: { type: 'string' },
  /** A folder for profiles of the scripts; taking them makes every frame longer. */
  profiles: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** What the dashboard takes of the processor for a frame: scrolling through the table of runs, drawing many curves. */
export async function dashboardBench(flags: readonly string[]): Promise<BenchResult> {
  const values = readFlags(flags, OPTIONS);
  const size = { runs: wholeNumber('runs', values.runs), metrics: wholeNumber('metrics', values.metrics) };
  const program = findChromium();
  if (program === null)
    throw badInput('Chromium is not installed; WARREN_CHROMIUM names another place', 'WARREN_CHROMIUM');
  const inFolder = (work: (folder: string) => Promise<BenchResult>) =>
    values.home === undefined ? withFolder(work) : work(values.home);
  return await inFolder((folder) =>
    withPostgres(folder, async (postgres) => {
      const client = await connectPostgres(postgres.superuserUrl(), { applicationName: 'bench', answerMs: 0 });
      const { rows } = await client.query<{ runs: number }>('SELECT count(*)::int AS runs FROM run');
      if (rows[0]?.runs === 0) {
        await loadTableData(client, size);
        await settle(client);
      }
      await client.end();
      const table = await withApi({ databaseUrl: postgres.url, home: folder }, async (url) => {
        const begin = () => chromium.launch({ executablePath: program, args: [...CHROMIUM_FLAGS] });
        return await whileOpen(
          begin,
          (browser) => browser.close(),
          async (browser) => {
            const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, baseURL: url });
            await page.goto(`/runs?project=${PROJECT}&saved=${await saveAllColumns(url, size.metrics)}`);
            const rows = await scrollTable(page, {
              ...{ runs: size.runs, only: values.only },
              ...{ traces: values.traces, profiles: values.profiles },
            });
            return 'curves'.includes(values.only) ? [...rows, await drawCurves(page, url)] : rows;
          },
        );
      });
      const notes = [
        `${size.runs} runs with ${size.metrics} metrics each, all in columns; ${program}, 1440 × 900 pixels`,
        'a frame: processor time of the main thread from one call of requestAnimationFrame to the next',
      ];
      return { name: 'dashboard', ours: {}, peers: {}, ratios: {}, spread: {}, notes, table };
    }),
  );
}

/** A view with a column for every metric; an address with so many would be longer than servers take. */
async function saveAllColumns(url: string, metrics: number): Promise<number> {
  const columns = ['name', 'state', 'seed', ...metricNames(metrics).map((name) => `metric."${name}"`)].map((name) => ({
    name,
    pinned: name === 'name',
  }));
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($input: SaveViewInput!) { saveView(input: $input) { number } }',
      variables: { input: { project: PROJECT, name: `all ${Date.now()}`, settings: { columns } } },
    }),
  });
  const { data, errors } = (await response.json()) as { data?: { saveView: { number: number } }; errors?: unknown };
  if (data === undefined) throw new Error(`the view was not saved: ${JSON.stringify(errors)}`);
  return data.saveView.number;
}
