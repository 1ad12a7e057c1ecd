import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;
/** Where a picture of the page goes; without it none is taken. */
const pictures = process.env.WARREN_SCREENSHOTS;

describeInBrowser('the lineage of a run', () => {
  const { ok, fetch, url } = api!;

  /** A queued run that takes the embeddings of another. */
  async function taker(name: string, runId: string): Promise<string> {
    const inputs = [{ name: 'items', runId, artifactName: 'item-embeddings.npy' }];
    const input = { name, kind: 'embedding-map', dataset: { name: 'generated/clusters-600x300' }, inputs };
    const query = 'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }';
    return (await ok(query, { input })).enqueueRuns[0].id;
  }

  test('is a graph whose nodes lead to what they are, and a list for those who do not see it', async () => {
    const pretrained = await createExternalRun(api!, { name: 'pretrained' });
    await fetch(`/artifacts/${pretrained}/item-embeddings.npy`, { method: 'PUT', body: 'x' });
    const version = { name: 'ranker', runId: pretrained, artifactName: 'item-embeddings.npy' };
    await ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', {
      input: version,
    });
    const middle = await taker('middle', pretrained);
    await fetch(`/artifacts/${middle}/item-embeddings.npy`, { method: 'PUT', body: 'x' });
    for (let index = 0; index < 10; index++) await taker(`taker ${index}`, middle);
    const { page, context, faults } = await openPage(url);
    await page.goto(`/runs/${middle}`);
    await page.getByRole('tab', { name: 'Lineage' }).click();
    const before = page.getByRole('list', { name: 'One step before' });
    await before.getByText('item-embeddings.npy').waitFor();
    await before.getByRole('link', { name: 'generated/clusters-600x300 data' }).waitFor();
    const after = page.getByRole('list', { name: 'One step after' });
    expect(await after.getByRole('link').count()).toBe(8);
    await after.getByText('and 2 more').waitFor();
    if (pictures !== undefined) {
      await page.screenshot({ path: `${pictures}/lineage.png` });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: `${pictures}/lineage-dark.png` });
    }
    await expectAccessible(page, 'lineage');
    await before.getByRole('link', { name: 'pretrained' }).click();
    await page.getByRole('heading', { level: 1, name: 'pretrained' }).waitFor();
    await page.getByRole('list', { name: 'Two steps after' }).getByText('and 6 more').waitFor();
    await page.getByRole('link', { name: 'ranker:1' }).click();
    await page.waitForURL('**/models/ranker');
    expect(faults).toEqual([]);
    await context.close();
  });
});
