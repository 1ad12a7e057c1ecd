import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { KNOWN_FINGERPRINTS } from '#src/catalog/datasetFingerprints.ts';
import { studyByName } from '#src/catalog/studies/studies.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { reproduceStudy } from '#src/studies/reproduceStudy.ts';
import { executeRuns } from '#test/integration/services/executeRuns.ts';
import { servicesForTests } from '#test/integration/services/support.ts';
import { apiForTests } from '#test/integration/support/apiForTests.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

describeInBrowser('reproductions', () => {
  test('each table stands as the paper prints it, with verdicts, claims, their runs, and files to take along', async () => {
    const services = await servicesForTests(api!.postgres.url);
    const study = studyByName('overrec/table-2');
    const asked = { rows: ['beauty'], columns: ['sknn', 'stan', 'sasrec'] };
    const { queued } = await reproduceStudy(services, study, asked);
    await executeRuns(services, queued, {
      metrics: ({ name }) => ({ 'test/mrr@5': name.includes('sknn') ? 0.0035 : 0.02, 'test/ndcg@10': 0.03 }),
      fingerprint: KNOWN_FINGERPRINTS['amazon-beauty.txt'] ?? '',
    });
    const { page, context, faults } = await openPage(api!.url, { colorScheme: 'dark', width: 1440 });
    await page.goto('/reproductions');
    await page.getByRole('row', { name: /overrec\/table-2 .* partly run .*1 agrees/ }).waitFor();
    await expectAccessible(page, 'list of reproductions');
    await page.setViewportSize({ width: 390, height: 844 });
    const narrow = page.getByRole('row', { name: /overrec\/table-2 .* partly run 1 agrees/ });
    await narrow.getByText('partly run').waitFor();
    for (const mark of await narrow.locator('.verdict').all()) {
      const box = await mark.boundingBox();
      expect(box!.x + box!.width, 'what became of a study is in sight on a telephone').toBeLessThanOrEqual(390);
    }
    await expectAccessible(page, 'list of reproductions on a telephone');
    await page.setViewportSize({ width: 1440, height: 860 });

    await page.getByRole('link', { name: 'overrec/table-2' }).click();
    await page.getByRole('heading', { level: 1, name: /OverRec and eight methods/ }).waitFor();
    const row = page.getByRole('row', { name: /^MRR@5/ }).first();
    await row.getByRole('button', { name: '0.0035 0.0035 (0.0000) agrees' }).click();
    await page.getByText('Beauty MRR@5, SkNN').waitFor();
    await row.getByRole('button', { name: '0.0200 0.0083 (+0.0117) differs' }).waitFor();
    await row.getByRole('button', { name: /shortened/ }).waitFor();
    await page
      .getByText('STAN improves on SkNN by a large margin (here: by at least 10 %).', { exact: true })
      .waitFor();
    await expectAccessible(page, 'page of a study');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, 'page of a study on a telephone');

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'LaTeX' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('overrec-table-2.tex');
    expect(await readFile(await download.path(), 'utf8')).toContain('\\toprule');

    await page.getByRole('button', { name: 'Queue runs…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run overrec/table-2' });
    await dialog.getByText(/runs would be queued, about .* of computing; 3 runs finished before/).waitFor();
    await dialog.getByRole('button', { name: 'As in the paper' }).click();
    await dialog.getByLabel('Rows').fill('no such row');
    await dialog.getByText(/no such row/).waitFor();
    await dialog.getByLabel('Rows').fill('Beauty');
    await dialog.getByLabel('Columns').fill('SkNN, STAN, SASRec');
    await dialog.getByText(/^\d runs? would be queued, .*; 2 runs finished before and are not run again\.$/).waitFor();
    await expectAccessible(page, 'what is to be run of a study');
    await dialog.getByRole('button', { name: /^Queue \d runs?$/ }).click();
    await page.getByText(/runs? queued, 2 finished ones serve/).waitFor();
    const number = queued.find(({ name }) => name.includes('sknn'))?.number;
    await row.getByRole('button', { name: /0.0035 0.0035/ }).click();
    await row.getByRole('button', { name: /0.0035 0.0035/ }).click();
    await page
      .getByRole('link', { name: `Run ${number}` })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'overrec/table-2 · sknn/beauty' }).waitFor();
    await page.goto('/reproductions/no/such');
    await page.getByText('there is no study "no/such"').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
