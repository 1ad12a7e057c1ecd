import { beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests, type QueuedRun } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('comparing runs', () => {
  const { api, enqueue, succeed } = dashboard!;
  let slow: QueuedRun[];
  let fast: QueuedRun[];
  const training = (learningRate: number) => ({
    kind: 'mf-bpr',
    dataset: { name: DATASET },
    parameters: { learningRate, epochs: 20, dimension: 8 },
    seeds: [1, 2, 3],
  });

  beforeAll(async () => {
    slow = await enqueue(training(0.01));
    fast = await enqueue(training(0.2));
    await succeed([...slow, ...fast]);
  });
  const address = () => `/compare?runs=${[...slow, ...fast].map((run) => run.number).join(',')}`;

  test('curves lie over each other, best values are marked, replicates counted, and differing fields shown', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto(address());
    const loss = page.getByRole('img', { name: /Line chart of train\/loss/ });
    // Charts are drawn when they come into sight.
    await page.getByRole('heading', { name: 'train/loss' }).scrollIntoViewIfNeeded();
    await page.getByRole('img', { name: /train\/loss\. learningRate 0\.01, seeds 1-3: 20 points/ }).waitFor();
    const legend = page.getByRole('list', { name: 'Legend of the curves' });
    expect(await legend.getByRole('listitem').allInnerTexts()).toEqual([
      ...['learningRate 0.01, seeds 1-3', 'learningRate 0.2, seeds 1-3'],
    ]);
    await page.getByLabel('Replicates as mean ± deviation').uncheck();
    await page.getByRole('img', { name: /Line chart of train\/loss\. #\d+/ }).waitFor();
    expect((await loss.getAttribute('aria-label'))?.match(/20 points/g)?.length).toBe(6);
    await page.getByRole('button', { name: 'Log', exact: true }).click();

    const allMetrics = page.getByRole('button', { name: /All \d+ metrics/ });
    await allMetrics.last().click();
    await allMetrics.click();
    const row = page.getByRole('region', { name: 'Metric values' }).getByRole('row', { name: /train\/loss/ });
    await row.waitFor();
    const texts = await row.getByRole('cell').allInnerTexts();
    const values = texts.map((text) => Number(text.replace(/[^0-9.e-]/g, '')));
    const best = texts.flatMap((text, index) => (text.includes('best') ? [index] : []));
    expect(values).toHaveLength(6);
    expect(best.map((index) => values[index])).toEqual(best.map(() => Math.min(...values)));
    expect(best.length).toBeGreaterThan(0);

    const replicates = page.getByRole('region', { name: 'Replicate statistics' });
    const counted = replicates.getByRole('row', { name: /test\/ndcg@10/ });
    await counted.waitFor();
    for (const text of await counted.getByRole('cell').allInnerTexts()) expect(text).toMatch(/[\d.]+ ± [\d.]+ \(3\)/);

    const fields = page.getByRole('region', { name: 'Configuration fields' });
    await fields.getByRole('row', { name: /^learningRate / }).waitFor();
    expect(await fields.getByRole('row', { name: /^epochs / }).count()).toBe(0);
    await page.getByLabel('Differences only').uncheck();
    await fields.getByRole('row', { name: /^epochs / }).waitFor();
    await page.waitForURL(/fields=all/);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('of one seed each users are tested without a word, and seeds where they are asked for', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto(`/compare?runs=${slow[0]!.number},${fast[0]!.number}`);
    const verdicts = page.getByRole('region', { name: 'Verdicts in test/ndcg@10' });
    await verdicts
      .getByRole('row', {
        name: /learningRate 0\.2.* (better|worse|undecided|these two trained models differ) .* 300 /,
      })
      .waitFor();
    await page.getByRole('button', { name: 'Users', exact: true, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Seeds', exact: true }).click();
    await verdicts.getByText(/needs two seeds of each/).waitFor();
    await page.waitForURL(/pairs=seeds/);
    await context.close();
  });

  test('tests say whether a configuration is better than the baseline, over seeds and over users', async () => {
    const { page, context, faults } = await openPage(api.url, { colorScheme: 'dark' });
    await page.goto(address());
    // The answer stands on the first screen: mean ± s.d., verdict and p of each configuration.
    const verdicts = page.getByRole('region', { name: 'Verdicts in test/ndcg@10' });
    const answer = verdicts.getByRole('row', { name: /learningRate 0\.2/ });
    await answer.waitFor();
    expect((await answer.getByRole('cell').allInnerTexts()).join(' ')).toMatch(
      /[\d.]+ ± [\d.]+ \(3\)\s+(better|worse|undecided)\s+[<\d.e−]+\s/,
    );
    const mean = /[\d.]+ ± [\d.]+ \(3\)/.exec((await answer.getByRole('cell').allInnerTexts()).join(' '))![0];
    const replicates = page.getByRole('region', { name: /^Replicates/ });
    await replicates.getByRole('row', { name: 'test/ndcg@10' }).filter({ hasText: mean }).waitFor();
    const place = await answer.boundingBox();
    expect(place!.y + place!.height).toBeLessThan(860);
    // three seeds of both are tested over seeds and users at once without a word
    await page.getByRole('button', { name: 'Users', exact: true, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Seeds', exact: true }).click();
    await page.getByText('All figures of the tests').click();
    const table = page.getByRole('region', { name: 'Tests against the baseline' });
    const row = table.getByRole('row', { name: /test\/ndcg@10/ });
    await row.getByRole('cell', { name: '3', exact: true }).waitFor();
    const cells = async () => await row.getByRole('cell').allInnerTexts();
    const seeds = await cells();
    expect(seeds[0]).toMatch(/learningRate 0\.2 seeds 1-3/);
    expect(seeds[2]).toBe('3');
    expect(seeds[1]).toMatch(/^(better|worse|undecided)$/);
    expect(seeds[5]).toMatch(/^[+−][\d.]+$/);
    // The other way round the same difference has the other sign.
    await page.getByRole('combobox', { name: 'Baseline' }).selectOption({ index: 1 });
    await page.waitForURL(new RegExp(`baseline=${fast[0]!.number}`));
    const turned = seeds[5]!.replace(/^[+−]/, (sign) => (sign === '+' ? '−' : '+'));
    await table.getByRole('cell', { name: turned, exact: true }).first().waitFor();

    // By keyboard: users are paired, and a second metric is tested.
    await page.getByRole('button', { name: 'Users', exact: true }).focus();
    await page.keyboard.press('Enter');
    await table.getByRole('columnheader', { name: 'Users' }).waitFor();
    await row.getByRole('cell', { name: '300', exact: true }).waitFor();
    const numberIn = (text: string) => Number(text.replace('−', '-'));
    // what was shown before stays until the answer is there
    await expect.poll(async () => numberIn((await cells())[5]!)).toBeCloseTo(numberIn(turned), 2);
    await page.getByRole('button', { name: 'Metrics (1)' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Find tested metrics').fill('hr@10');
    await page.getByLabel('test/hr@10', { exact: true }).focus();
    await page.keyboard.press('Space');
    await table.getByRole('row', { name: /test\/hr@10/ }).waitFor();
    await expectAccessible(page, 'paired tests, dark');
    await page.keyboard.press('Escape');

    // A cut-off that nobody logged, for groups of users.
    await page.getByLabel('Cut-off').fill('7');
    await page.getByLabel('Groups of users').selectOption('length');
    await page.getByLabel('Where groups begin').fill('9, 1');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('ascending whole numbers').waitFor();
    await page.getByLabel('Where groups begin').fill('1, 9');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const groups = page.getByRole('region', { name: 'ndcg@7 by group of users' });
    await groups.getByRole('row', { name: /known interactions: 9 or more/ }).waitFor();
    await groups
      .getByText(/\d+ users above, \d+ equal, \d+ below/)
      .first()
      .waitFor();
    await expectAccessible(page, 'groups of users, dark');
    await page.goto(`${address()}&pairs=users&tested=test/ndcg@10,test/hr@10`);
    await page.getByRole('button', { name: 'Metrics (2)' }).waitFor();

    await page.setViewportSize({ width: 390, height: 780 });
    // long names leave room for the values, and are not broken letter by letter
    await page.goto(`${address()}&fields=all`);
    const longest = page.getByRole('rowheader', { name: 'learningRate' });
    const name = await longest.locator('code').boundingBox();
    expect(name!.width).toBeGreaterThan(80);
    expect(name!.width).toBeLessThan(170);
    const head = await page
      .getByRole('region', { name: 'Configuration fields' })
      .locator('.compare-head')
      .first()
      .boundingBox();
    expect(head!.width).toBeGreaterThan(80);
    await page.goto(`${address()}&pairs=users&tested=test/ndcg@10,test/hr@10`);
    await page.getByRole('button', { name: 'Metrics (2)' }).waitFor();
    // Charts follow the size of the window a frame later.
    await waitUntil('nothing is cut off', () =>
      page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    );
    const select = await page.getByRole('combobox', { name: 'Baseline' }).boundingBox();
    expect(select!.x + select!.width).toBeLessThanOrEqual(390);
    const verdict = page.getByRole('region', { name: 'Verdicts in test/ndcg@10' }).getByRole('cell').nth(3);
    const verdictPlace = await verdict.boundingBox();
    expect(await verdict.textContent()).toMatch(/better|worse|undecided/);
    expect(verdictPlace!.x + verdictPlace!.width).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Metrics (2)' }).click();
    const panel = await page.getByRole('region', { name: 'Tested metrics' }).boundingBox();
    expect(panel!.x).toBeGreaterThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page, 'paired tests, small and light');
    expect(faults).toEqual([]);

    await page.goto(`/compare?runs=${slow[0]!.number},${fast[0]!.number}&pairs=seeds`);
    await page.getByText(/needs two seeds of each, best the same ones/).waitFor();
    await page.goto(`${address()}&tested=nothing`);
    await page.getByText('no compared run has "nothing"').waitFor();
    await context.close();
  });

  test('a run is taken out of the comparison; one that does not exist is told', async () => {
    const { page, context } = await openPage(api.url);
    await page.goto(address());
    await page.getByRole('button', { name: `Remove run ${slow[0]!.number} from the comparison` }).click();
    await page.getByText('5 runs', { exact: true }).waitFor();
    await page.goto('/compare?runs=1,99999');
    await page.getByText('there is no run 99999').waitFor();
    await context.close();
  });

  test('no star stands between runs of unlike data, and why is told', async () => {
    const elsewhere = await enqueue({ kind: 'popularity', dataset: { name: 'generated/markov-medium' } });
    const here = await enqueue({ kind: 'popularity', dataset: { name: DATASET } });
    await succeed([...elsewhere, ...here]);
    const { page, context, faults } = await openPage(api.url);
    const values = page.getByRole('region', { name: 'Metric values' });
    await page.goto(`/compare?runs=${here[0]!.number},${elsewhere[0]!.number}`);
    await page.getByText('nothing is marked: the runs saw different data (dataset, content)').waitFor();
    await values.getByRole('row', { name: /test\/ndcg@10/ }).waitFor();
    expect(await values.getByText('best:').count()).toBe(0);
    // those of the same data compete, whatever others saw
    await page.goto(`/compare?runs=${[here[0]!, elsewhere[0]!, ...fast].map((run) => run.number)}`);
    await page.getByText('best among runs of the same data: they differ in dataset, content').waitFor();
    await page.getByText('best among configurations of the same data').waitFor();
    const row = values.getByRole('row', { name: /test\/ndcg@10/ });
    await row.getByText('best:').first().waitFor();
    const texts = await row.getByRole('cell').allInnerTexts();
    expect(texts[1]).not.toContain('best');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('two configurations are decided by further seeds, from the comparison to the page of its decision', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto(address());
    const form = page.getByRole('region', { name: 'Run seeds until it is decided' });
    await form.getByLabel('Metric').selectOption('train/loss');
    await form.getByLabel('Pairs at most').fill('3');
    await form.getByRole('button', { name: 'Decide' }).click();
    await page.waitForURL(/\/decisions\/1$/);
    await page.getByText('decision 1').waitFor();
    // all of its runs were there
    await page.getByText(/is better than .* in train\/loss, by [\d.]+ \(p [\d.e-]+ over all looks\)/).waitFor();
    await page.getByRole('img', { name: 'Difference in train/loss with its interval after each look' }).waitFor();
    await page.getByRole('img', { name: /^The statistic t after each look/ }).waitFor();
    expect(await page.getByRole('region', { name: 'Pairs' }).getByText('was there').count()).toBeGreaterThanOrEqual(4);
    await expectAccessible(page, 'a decision');
    await page.getByRole('link', { name: 'compared' }).click();
    await page.getByRole('link', { name: 'Decision 1, train/loss' }).waitFor();
    await page.getByRole('link', { name: 'All decisions' }).click();
    await page.getByRole('row', { name: /is better \d of 3/ }).waitFor();
    await expectAccessible(page, 'the list of decisions');
    expect(faults).toEqual([]);
    await context.close();
  });
});
