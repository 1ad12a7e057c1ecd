import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { makeDropoutRuns } from './support/dropoutRuns.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

describeInBrowser('reports', () => {
  const { ok, url } = api!;
  const numbers: number[] = [];

  beforeAll(async () => {
    numbers.push(...(await makeDropoutRuns(ok)));
  });

  /** A run of the project that comes after a report was saved; it goes again, since other tests count runs. */
  const later = async (name: string) => {
    const { createRun: run } = await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', {
      input: { project: 'papers', name, seed: 1, parameters: {} },
    });
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: run.id });
    return run.id as string;
  };

  test('a report is written beside its preview, saved, restored and exported as files without a script', async () => {
    const { page, context, faults } = await openPage(url);
    const list = numbers.join(', ');
    await page.goto('/reports');
    await page.getByText('No reports yet').waitFor();
    await page.getByRole('link', { name: 'New report' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Dropout helps');
    const text = page.getByLabel('Text in Markdown');
    await text.fill(
      [
        `# Dropout helps\n\n# What was found\n\nAs [[run ${numbers[0]}]] shows, it ends at **[[run ${numbers[0]}: test/ndcg@10]]**; [[compare ${list}]].`,
        '<script>window.harmed = true</script> <img src=x onerror="window.harmed=true">',
        '[press](javascript:window.harmed=true) ![x](https://example.org/x.png)',
        `\`\`\`warren-panel\nmetric: valid/ndcg@10\nruns: ${list}\ngroup by: configuration\ntitle: Validation\n\`\`\``,
        '```warren-table\nmetrics: test/ndcg@10\nfilter: name = dropout\ngroup by: name\n```',
        `\`\`\`warren-comparison\nruns: ${list}\nmetrics: test/ndcg@10\n\`\`\``,
        '```warren-panel\nmetrc: x\n```',
      ].join('\n\n'),
    );
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('img', { name: /Curves of valid\/ndcg@10\..* dropout 0: 4 points/ }).waitFor();
    await preview.getByText('No run matches.').waitFor();
    await preview.getByText('line 1: “metrc” is not known here. Did you mean "metric"?').waitFor();
    await preview.getByRole('link', { name: `run ${numbers[0]} dropout 0` }).waitFor();
    await preview.getByRole('link', { name: '0.3100' }).waitFor();
    expect(await preview.getByRole('link', { name: 'press' }).count()).toBe(0);
    await text.fill((await text.inputValue()).replace('name = dropout', 'name like "dropout%"'));
    await preview.getByRole('row', { name: /dropout 0\.5 3/ }).waitFor();
    await preview.getByRole('region', { name: 'Verdicts in test/ndcg@10' }).getByText('better').waitFor();
    await expectAccessible(page, 'the editor of a report');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Dropout helps', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'What was found' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Dropout helps' }).count(), 'its title stands once').toBe(1);
    const verdicts = page.getByRole('region', { name: 'Verdicts in test/ndcg@10' });
    await verdicts.getByText('better').waitFor();
    expect(await verdicts.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

    // somebody else saves while it is edited here: nothing is lost
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Dropout helps much');
    await ok('mutation { saveReport(input: { id: "1", basedOn: 1, title: "Dropout helps a little" }) { version } }');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/saved version 2 of report 1 since version 1 was edited/).waitFor();
    await page.getByRole('button', { name: 'Save mine as a newer version' }).click();
    await page.getByRole('heading', { name: 'Dropout helps much', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Version 3' }).click();
    await page.getByRole('button', { name: /^2 Dropout helps a little/ }).click();
    await page.getByText('This is version 2 of 3. It shows the runs of when it was saved').waitFor();
    const added = await later('dropout 0.9');
    await page.reload();
    await page.getByRole('row', { name: /dropout 0\.5 3/ }).waitFor();
    expect(await page.getByRole('row', { name: /dropout 0\.9/ }).count()).toBe(0);
    await expectAccessible(page, 'an old version of a report');
    await page.getByRole('button', { name: 'Show today’s runs' }).click();
    await page.getByRole('row', { name: /dropout 0\.9 1/ }).waitFor();
    await page.getByRole('button', { name: 'Show the runs of when it was saved' }).click();
    await page.getByText('It shows the runs of when it was saved').waitFor();
    await page.getByRole('row', { name: /dropout 0\.9/ }).waitFor({ state: 'detached' });
    await ok('mutation ($ids: [ID!]!) { deleteRuns(ids: $ids) { id } }', { ids: [added] });
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByRole('button', { name: 'Version 4' }).waitFor();
    await page.getByRole('heading', { name: 'Dropout helps a little', level: 1 }).waitFor();
    await expectAccessible(page, 'a report');

    const saved = async (name: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      await page.keyboard.press('Escape');
      return { name: download.suggestedFilename(), text: await readFile((await download.path())!, 'utf8') };
    };
    const markdown = await saved('Markdown');
    expect(markdown.name).toBe('Dropout-helps-a-little.md');
    expect(markdown.text).toMatch(/\| \*\*0\.42\d+ ± 0\.01\d+\*\* \| better/);
    const html = await saved('HTML, one file');
    const file = await context.newPage();
    await file.setContent(html.text);
    await file.getByRole('img', { name: /Curves of valid\/ndcg@10/ }).waitFor();
    expect(await file.locator('svg path').count()).toBeGreaterThan(1);
    expect(await file.locator('.report-drawing text').last().textContent()).toBe('step');
    expect(await file.getByRole('row', { name: /dropout 0\.5/ }).count()).toBeGreaterThan(0);
    expect(
      await file.evaluate(() => {
        const all = [...document.querySelectorAll('*')];
        const acts = (element: Element) =>
          ['SCRIPT', 'IFRAME', 'BUTTON', 'INPUT'].includes(element.tagName) ||
          [...element.attributes].some(
            ({ name, value }) => name.startsWith('on') || name === 'src' || /^javascript:/.test(value),
          );
        const { color } = getComputedStyle(document.querySelector('.report-file')!);
        return { acting: all.filter(acts).map(({ outerHTML }) => outerHTML), color, harmed: 'harmed' in window };
      }),
    ).toEqual({ acting: [], color: 'rgb(26, 30, 36)', harmed: false });
    await file.close();
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);

    // the paper has the report alone, its figures as drawings
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('#root').isVisible()).toBe(false);
    expect(await page.locator('.report-print svg[role="img"]').isVisible()).toBe(true);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    expect(await page.locator('.report-print').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a comparison becomes a report of its runs, and a report that nobody needs goes to the trash', async () => {
    const { page, context, faults } = await openPage(url, { colorScheme: 'dark' });
    await page.goto(`/compare?runs=${numbers.join(',')}&tested=test/ndcg@10`);
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(
      `Comparison of runs ${numbers[0]}-${numbers[5]}`,
    );
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('region', { name: 'Verdicts in test/ndcg@10' }).getByText('better').waitFor();
    await preview.getByRole('region', { name: 'Configuration fields' }).getByText('dropout', { exact: true }).waitFor();
    await preview.getByRole('img', { name: /Curves of valid\/ndcg@10/ }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const other = await openPage(url);
    await other.page.goto(await page.getByLabel('The link').inputValue());
    await other.page.getByRole('heading', { level: 1, name: 'Comparison of runs' }).waitFor();
    await other.page.getByRole('img', { name: /Curves of valid\/ndcg@10/ }).waitFor();
    await other.page.getByRole('region', { name: 'Verdicts in test/ndcg@10' }).getByText('better').waitFor();
    expect(await other.page.getByText('This cannot be shown.').count()).toBe(0);
    expect(await other.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(other.faults).toEqual([]);
    await other.context.close();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This report is in the trash.').waitFor();
    await page.getByRole('link', { name: 'Reports' }).click();
    await expectAccessible(page, 'the list of reports');
    expect(await page.getByRole('link', { name: /Comparison of runs/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Trash' }).click();
    await page
      .getByRole('row', { name: /Comparison of runs/ })
      .getByRole('button', { name: 'Restore' })
      .click();
    await page.getByText('No report is in the trash').waitFor();
    await page.goto('/runs?project=papers&filter=state+%3D+SUCCEEDED');
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    await page
      .getByRole('region', { name: 'Preview' })
      .getByRole('row', { name: /^0\.5 3 .*0\.4220/ })
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a citation of several runs is completed in the editor, and tells their mean', async () => {
    const { page, context, faults } = await openPage(url);
    await page.goto('/reports/new');
    await page.getByLabel('Project').selectOption('papers');
    const text = page.getByLabel('Text in Markdown');
    await text.pressSequentially('They end at [[ru');
    await page.getByRole('option', { name: /^runs/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await text.pressSequentially(`${numbers.slice(0, 3).join(', ')}: ndc`);
    await page.getByRole('option', { name: 'test/ndcg@10' }).waitFor();
    await expectAccessible(page, 'metrics that complete a citation');
    await page.getByRole('option', { name: 'test/ndcg@10' }).click();
    expect(await text.inputValue()).toBe(`They end at [[runs ${numbers.slice(0, 3).join(', ')}: test/ndcg@10]]`);
    await page
      .getByRole('region', { name: 'Preview' })
      .getByRole('link', { name: /^0\.\d+ ± 0\.\d+ \(3\)$/ })
      .waitFor();
    await text.pressSequentially(' [[');
    const offered = page.getByRole('listbox', { name: 'Suggestions' });
    await offered.waitFor();
    await page.keyboard.press('Escape');
    await offered.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a long legend is folded on the page and whole in the file', async () => {
    for (let index = 0; index < 15; index++) {
      const { createRun: run } = await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', {
        input: { project: 'legends', name: `curve ${index}`, seed: 1, parameters: { index } },
      });
      await ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
        ...{ id: run.id, series: [{ name: 'loss', steps: [0, 1], values: [index, index / 2] }] },
      });
    }
    const { saveReport: report } = await ok(
      'mutation ($input: SaveReportInput!) { saveReport(input: $input) { number } }',
      { input: { project: 'legends', title: 'Many', text: '```warren-panel\nmetric: loss\n```' } },
    );
    const { page, context, faults } = await openPage(url);
    await page.goto(`/reports/${report.number}`);
    const legend = page.getByRole('list', { name: 'Legend' });
    const named = legend.getByText(/^#\d+ curve \d+$/).filter({ visible: true });
    const rest = legend.getByRole('button', { name: 'and 3 more' });
    await rest.waitFor();
    expect(await named.count()).toBe(12);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /HTML/ }).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    expect(file.match(/>#\d+ curve \d+</g)).toHaveLength(15);
    expect(file).not.toContain('3 more');
    await page.keyboard.press('Escape');
    await rest.click();
    await legend.getByRole('button', { name: 'Show fewer' }).waitFor();
    expect(await named.count()).toBe(15);
    expect(faults).toEqual([]);
    await context.close();
  });
});
