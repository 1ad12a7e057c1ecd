import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { atEndOfFile } from '../integration/support/atEndOfFile.ts';
import { postgresForTests } from '../integration/support/postgresForTests.ts';
import { describeInBrowser } from './support/chromium.ts';
import { CHROMIUM_FLAGS, findChromium } from './support/findChromium.ts';

/** To the browser another machine's name, so that a page from there without HTTPS has no clipboard. */
const HOST = 'warren.example';

describeInBrowser('a page that another machine serves without HTTPS', () => {
  test('copies by its buttons all the same', async () => {
    const postgres = await postgresForTests();
    const db = openDatabase(postgres.url);
    const { token } = await issueToken({ db }, { name: 'reader', role: 'WRITE' });
    await closeDatabase(db);
    const api = await apiForTests({ postgres, host: '0.0.0.0', dashboardFolder: builtFile('web') });
    const create = 'mutation { createRun(input: { name: "of another machine" }) { id } }';
    await api.graphql(create, {}, { authorization: `Bearer ${token}` });
    const browser = await chromium.launch({
      executablePath: findChromium()!,
      args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
    });
    atEndOfFile(() => browser.close());
    const page = await browser.newPage({ baseURL: `http://${HOST}:${new URL(api.url).port}` });
    page.setDefaultTimeout(20_000);
    await page.addInitScript((value) => sessionStorage.setItem('warren.token', value), token);
    await page.goto('/runs');
    await page.getByRole('link', { name: 'of another machine' }).waitFor();
    const [isSecure, clipboard] = await page.evaluate(() => [isSecureContext, typeof navigator.clipboard]);
    expect([isSecure, clipboard]).toEqual([false, 'undefined']);

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Copy Markdown' }).click();
    await page.getByText('Markdown copied').waitFor();
    const filter = page.getByRole('combobox', { name: 'Filter runs' });
    await filter.click();
    await page.keyboard.press('ControlOrMeta+V');
    expect(await filter.inputValue()).toContain('of another machine');

    await page.goto('/embeddings');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
  });
});
