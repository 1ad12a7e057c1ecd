import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiForTests } from '#test/integration/support/apiForTests.ts';
import { runShell } from '#test/integration/support/runShell.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { makeDropoutRuns } from './support/dropoutRuns.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

const TEXT = [
  '# What was found\n\nAs [[run 1]] shows, it ends at **[[run 1: test/ndcg@10]]** < 1 & more; [[compare 1-6]], [[run 99]].',
  '| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n> *quoted*\n\n- one\n- two\n\n<b>no HTML</b> [here](/runs) ![x](https://example.org/x.png)',
  '```warren-panel\nmetric: valid/ndcg@10\nruns: 1-6\ngroup by: configuration\ntitle: Validation\nheight: 2\n```',
  '```warren-panel\nmetric: valid/ndcg@10\nruns: 1-7\nsmoothing: exponential\ncolors by: dropout\n```',
  '```warren-panel\nmetric: valid/ndcg@10\nruns: 1-6\ngroup by: dropout\n```',
  ...['scatter', 'bar', 'box', 'parallel', 'importance', 'heat'].map(
    (kind) => `\`\`\`warren-panel\nmetric: test/ndcg@10\nkind: ${kind}\nruns: 1-6\n${fieldsOf(kind)}\`\`\``,
  ),
  '```warren-table\nmetrics: test/ndcg@10\nfilter: name like "dropout%"\ngroup by: dropout\nbaseline: 1\n```',
  '```warren-table\nruns: 1-4\nmetrics: test/ndcg@10\ncolumns: seed, dropout\nfirst: 3\n```',
  '```warren-comparison\nruns: 1-6\nmetrics: test/ndcg@10\n```',
  '```warren-comparison\nruns: 1-6\nshow: differences\n```',
  '```warren-panel\nmetrc: x\n```',
  '```warren-table\nfilter: nothing = (\n```',
].join('\n\n');

function fieldsOf(kind: string): string {
  if (kind === 'scatter') return 'fields: config.dropout\n';
  return kind === 'heat' ? 'fields: config.dropout, seed\n' : '';
}

describeInBrowser('a report as one file', () => {
  const { ok, url } = api!;
  const folder = temporaryFolder();

  beforeAll(async () => {
    await makeDropoutRuns(ok);
    // one is under way
    const { createRun: live } = await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', {
      input: { project: 'papers', name: 'under way', seed: 1, parameters: {} },
    });
    await ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
      id: live.id,
      series: [{ name: 'valid/ndcg@10', steps: [0, 1], values: [0.1, 0.2] }],
    });
    const input = { project: 'papers', title: 'Dropout <helps>', text: TEXT };
    await ok('mutation ($input: SaveReportInput!) { saveReport(input: $input) { id } }', { input });
  });

  const written = async (reference: string, name: string) => {
    const file = join(folder, name);
    await runShell(`npm run -s warren -- report export '${reference}' --output '${file}'`, { WARREN_API_URL: url });
    return await readFile(file, 'utf8');
  };

  /** What a file shows to who reads it, and what it asks of others. */
  const shownBy = async (text: string) => {
    const { page, context, faults } = await openPage('http://127.0.0.1:1');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // a build may write white shorter
    await page.setContent(text.replace(/#(\w)\1(\w)\2(\w)\3\b/g, '#$1$2$3'));
    const shown = await page.evaluate(() => {
      const all = (selector: string) => [...document.querySelectorAll(selector)];
      const attribute = (selector: string, name: string) => all(selector).map((one) => one.getAttribute(name));
      const told = (element: Element) => element.textContent?.replace(/as of .*\d\.$/, 'as of now.');
      return {
        title: document.title,
        styles: all('style').map(({ textContent }) => textContent),
        elements: all('body *').map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''}`),
        texts: all('body p, body li, body h1, body h2, figcaption, .report-problem').map(told),
        cells: all('tr').map((row) => [...row.children].map(({ textContent }) => textContent)),
        numbers: all('th.number').map(({ textContent }) => textContent),
        links: attribute('a', 'href'),
        drawings: all('.report-drawing svg').map((svg) => ({
          label: svg.getAttribute('aria-label'),
          box: svg.getAttribute('viewBox'),
          texts: [...svg.querySelectorAll('text')].map(({ textContent }) => textContent),
          paths: [...svg.querySelectorAll('path')].map((path) => path.outerHTML.match(/ (?:d|stroke|fill)="[^"]*"/g)),
        })),
        keys: all('[aria-label="Key of colors"] li').map((key) => [
          key.textContent,
          /var\((.*?)\)/.exec(key.querySelector('line')?.getAttribute('style') ?? '')?.[1],
        ]),
        small: all('td svg, li svg').map((svg) => svg.querySelectorAll('*').length),
      };
    });
    expect({ faults, asked: asked.filter((address) => !address.startsWith('about:')) }).toEqual({
      faults: [],
      asked: [],
    });
    await context.close();
    return shown;
  };

  test('the command line writes what the dashboard writes, by number and by a read-only link', async () => {
    const { page, context, faults } = await openPage(url);
    await page.goto('/reports/1');
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'HTML, one file' }).click(),
    ]);
    const inBrowser = await shownBy(await readFile((await download.path())!, 'utf8'));
    expect(faults).toEqual([]);
    await context.close();
    expect(inBrowser.drawings).toHaveLength(9);
    expect(inBrowser.numbers, 'a parameter as any number').toEqual(
      expect.arrayContaining(['seed', 'dropout', 'test/ndcg@10']),
    );
    expect(inBrowser.texts.join(' ')).toContain('This cannot be shown.');
    expect(inBrowser.keys).toEqual([
      ['0', '--series-1'],
      ['0.5', '--series-2'],
      ['none, or several', '--text-muted'],
    ]);
    // seven curves in the colors of these three
    expect(new Set(inBrowser.drawings[1]!.paths.flatMap((path) => path?.[1] ?? [])).size).toBeGreaterThanOrEqual(3);

    const onCommandLine = await shownBy(await written('1', 'by-number.html'));
    expect(onCommandLine).toEqual(inBrowser);

    const { createShareLink: made } = await ok(
      'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { address } }',
      { input: { runs: [], report: '1' } },
    );
    expect(await shownBy(await written(`${url}${made.address}`, 'by-link.html'))).toEqual(inBrowser);
  });
});
