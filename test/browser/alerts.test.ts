import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

describeInBrowser('the rules of alerts', () => {
  const { url, ok } = api!;

  test('a rule with a long name keeps to one line, and is deleted only after a question', async () => {
    const long = 'tells-of-everything-'.repeat(8);
    const save = 'mutation ($rule: SaveAlertRuleInput!) { saveAlertRule(input: $rule) { rule { id } } }';
    for (const name of ['short', long]) await ok(save, { rule: { name, condition: { trigger: 'RUN_ENDED' } } });
    const { page, context, faults } = await openPage(url, { width: 390, height: 844 });
    await page.goto('/alerts');
    const height = async (name: string) => (await page.getByRole('row', { name }).boundingBox())!.height;
    await page.getByRole('row', { name: long }).waitFor();
    expect(Math.abs((await height(long)) - (await height('short')))).toBeLessThan(3);

    const button = page.getByRole('button', { name: `Delete ${long}` });
    await button.click();
    const question = page.getByRole('dialog', { name: 'Delete rule 2?' });
    await question.waitFor();
    await expectAccessible(page, 'the question before a rule is deleted');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await button.count()).toBe(1);
    await button.click();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await waitUntil('the rule is gone', async () => (await button.count()) === 0);
    expect(faults).toEqual([]);
    await context.close();
  });
});
