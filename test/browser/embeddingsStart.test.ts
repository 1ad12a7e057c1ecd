import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null!;

/** An array of four rows and two columns. */
function embeddings(): Uint8Array<ArrayBuffer> {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }";
  const numbers = new Uint8Array(Float32Array.from([1, 0, 0, 1, 1, 1, 2, 0]).buffer);
  return new Uint8Array([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0, ...Buffer.from(header), ...numbers]);
}

async function runWith(input: Record<string, unknown>, file: string): Promise<void> {
  const id = await createExternalRun(api, input);
  const put = await api.fetch(`/artifacts/${id}/${file}`, { method: 'PUT', body: embeddings() });
  expect(put.ok).toBe(true);
  await api.ok(`mutation { finishRun(runId: "${id}") { id } }`);
}

describeInBrowser('the start page of embeddings', () => {
  test('says how to make some, then offers the runs that have them, newest first and by words', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/embeddings');
    await page.getByRole('heading', { name: 'No run has left embeddings yet' }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    await expectAccessible(page, 'embeddings without any');

    await runWith({ name: 'ranks alone' }, 'per-user-ranks.npy');
    await runWith({ name: 'gru4rec', project: 'beauty' }, 'item-embeddings.npy');
    for (let run = 0; run < 22; run++) await runWith({ name: `sasrec ${run}` }, 'vectors/users.npy');
    await runWith({ name: 'newest' }, 'item-embeddings.npy');
    await page.reload();
    const rows = page.getByRole('region', { name: 'Runs with embeddings' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    expect(await rows.first().textContent()).toContain('#25 newest');
    expect(await rows.nth(1).textContent()).toContain('#24 sasrec 21');
    await expectAccessible(page, 'the start page of embeddings');
    await page.getByRole('button', { name: 'Show more runs' }).click();
    await waitUntil('all runs with embeddings', async () => (await rows.count()) === 24);
    expect(await rows.last().textContent()).toContain('#2 gru4rec');

    const search = page.getByRole('searchbox', { name: 'Find runs with embeddings' });
    await search.fill('nothing like it');
    await page.getByText('No run with embeddings is like that.').waitFor();
    await search.fill('#24');
    await waitUntil('the run of the number', async () => (await rows.count()) === 1);
    await search.fill('BEAUTY gru');
    await page.getByRole('link', { name: '#2 gru4rec' }).click();
    await page.getByText(/Principal components: \d/).waitFor();
    expect(new URL(page.url()).search).toBe('?run=2');
    expect(await page.locator('datalist option').first().getAttribute('label')).toBe('#25 newest');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('is shown for a run that is not there, and fits a phone', async () => {
    const { page, context, faults } = await openPage(api.url, { width: 390, height: 800, colorScheme: 'dark' });
    await page.goto('/embeddings?run=999');
    await page.getByText('There is no run 999.').waitFor();
    await page.getByRole('link', { name: '#25 newest' }).waitFor();
    await expectAccessible(page, 'the start page of embeddings on a phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});
