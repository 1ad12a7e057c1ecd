import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '#test/integration/support/apiForTests.ts';
import { createExternalRun } from '#test/integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { expectFocused, tabTo } from './support/keyboard.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

describeInBrowser('the page Administration', () => {
  test('makes a token for one project by keyboard alone, shows it once, and it works', async () => {
    await createExternalRun(api!, { project: 'papers' });
    const { page, context, faults } = await openPage(api!.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/admin');
    const make = page.getByRole('button', { name: 'New token' });
    await tabTo(page, make);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New token' }).waitFor();
    await expectFocused(page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('laptop of Ada');
    await tabTo(page, page.getByRole('combobox', { name: 'In', exact: true }));
    await page.getByRole('option', { name: 'papers' }).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('p');
    expect(await page.getByRole('combobox', { name: 'In', exact: true }).inputValue()).toBe('papers');
    await expectAccessible(page, 'the form of a token');
    await tabTo(page, page.getByRole('button', { name: 'Make token' }));
    await page.keyboard.press('Enter');
    const shown = page.getByLabel('The token; it is shown this once');
    await shown.waitFor();
    const secret = await shown.inputValue();
    await expectFocused(page.getByRole('button', { name: 'Copy', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('The token is copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await page.keyboard.press('Escape');
    await expectFocused(make);
    await page.getByRole('row', { name: /laptop of Ada May write/ }).waitFor();
    expect(await page.content()).not.toContain(secret);

    // the server knows its bearer, and where it works
    const answer = await fetch(`${api!.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        query: '{ server { caller { name } } tokens { name role grants { project role } expiresAt } }',
      }),
    });
    const { data } = await answer.json();
    expect(data.server.caller.name).toBe('laptop of Ada');
    expect(data.tokens).toMatchObject([
      { name: 'laptop of Ada', role: 'WRITE', grants: [{ project: 'papers', role: 'WRITE' }] },
    ]);
    const days = (Date.parse(data.tokens[0].expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);

    // a name is given once
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('laptop of Ada');
    await page.keyboard.press('Enter');
    await page.getByText('No token was made.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
