import { beforeAll, expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import { expectAccessible } from './support/expectAccessible.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests } from './support/dashboardForTests.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;
const WIDTH = 390;

describeInBrowser('runs on a phone', () => {
  const { api, enqueue, succeed } = dashboard!;

  beforeAll(async () => {
    const few = await enqueue({ kind: 'item-knn', dataset: { name: DATASET }, parameters: { neighbours: 5 } });
    const many = await enqueue({ kind: 'item-knn', dataset: { name: DATASET }, parameters: { neighbours: 50 } });
    await succeed([...few, ...many]);
  });

  const expectInSight = async (...found: Locator[]) => {
    for (const one of found) {
      const box = (await one.boundingBox())!;
      expect(box.x, `${await one.textContent()} begins in sight`).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width, `${await one.textContent()} ends in sight`).toBeLessThanOrEqual(WIDTH);
    }
  };

  test.each(['table', 'split'])(
    'name, state and the primary metric stand in sight together, look %s',
    async (layout) => {
      const { page, context, faults } = await openPage(api.url, { width: WIDTH, height: 844 });
      await page.goto(`/runs?layout=${layout}`);
      const row = page.locator('tr[data-run]').first();
      await expectInSight(
        page.getByRole('columnheader', { name: 'test/ndcg@10' }),
        row.getByRole('link').nth(1),
        row.getByText('Succeeded'),
        row.getByRole('cell', { name: /^0\.\d{4}$/ }).first(),
      );
      await expectAccessible(page, `runs on a phone, ${layout}`);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  test('what buttons open stands within the screen, and can be pressed', async () => {
    const { page, context, faults } = await openPage(api.url, { width: WIDTH, height: 844 });
    await page.goto('/runs');
    await page.getByRole('button', { name: 'Filter and view' }).click();
    for (const name of ['Columns', 'Syntax', 'Export']) {
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await expectInSight(page.locator('.popover-panel'));
      await page.keyboard.press('Escape');
    }
    // one is open still: a press on the next closes it and does what it is for
    await page.getByRole('button', { name: /^Export/ }).click();
    const panel = page.locator('.popover-panel');
    await panel.waitFor();
    const next = page.getByRole('button', { name: 'Columns' });
    await next.scrollIntoViewIfNeeded();
    const box = (await next.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.popover-panel[aria-label="Columns"]').waitFor();
    expect(await panel.count()).toBe(1);
    // a drag out of the panel, as when text is selected, leaves it open
    const inside = (await panel.boundingBox())!;
    await page.mouse.move(inside.x + 20, inside.y + 20);
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    expect(await panel.count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Group by' }).click();
    await page.getByLabel('All but seed').check();
    await page.getByRole('button', { name: 'Group by: All but seed' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('of a group one sees name, mean and verdict, whichever metric is tested', async () => {
    const { page, context, faults } = await openPage(api.url, { width: WIDTH, height: 844 });
    await page.goto('/runs?group=configuration&columns=name,test/ndcg@10,test/mrr');
    const pin = page.getByRole('button', { name: /^Set as baseline/ }).first();
    await expectInSight(pin);
    await pin.click();
    const row = page.getByRole('row', { name: /needs two seeds/ });
    await expectInSight(row.getByRole('rowheader'), row.getByRole('cell').nth(0), row.getByText('needs two seeds'));
    const heads = () => page.getByRole('columnheader').allInnerTexts();
    expect(await heads()).toEqual(['neighbours', 'test/ndcg@10', 'verdict', 'test/mrr']);
    await page.getByRole('button', { name: 'test/mrr' }).click();
    await expect.poll(heads).toEqual(['neighbours', 'test/ndcg@10', 'test/mrr', 'verdict']);
    await expectAccessible(page, 'groups on a phone');
    await page.getByRole('button', { name: 'Compare them' }).click();
    const verdicts = page.getByRole('region', { name: /^Verdicts/ });
    await expectInSight(verdicts.getByRole('columnheader', { name: 'Verdict' }));
    expect(page.url(), 'the baseline stays the baseline').toMatch(/[?&]baseline=\d+/);
    expect(faults).toEqual([]);
    await context.close();
  });
});
