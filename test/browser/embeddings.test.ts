import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;
/** Where pictures of the page go; without it none are taken. */
const pictures = process.env.WARREN_SCREENSHOTS;

async function takePictures(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
  }
  await page.setViewportSize({ width: 390, height: 1800 });
  await page.screenshot({ path: join(pictures, `${name}-small.png`) });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1360, height: 860 });
}

/** A `.npy` file with a header of one's own. */
function npy(header: string, numbers: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0, ...Buffer.from(header), ...numbers]);
}

function floats(values: readonly number[], shape: string): Uint8Array<ArrayBuffer> {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape}), }`;
  return npy(header, new Uint8Array(Float32Array.from(values).buffer));
}

/** Whether the picture shows more than its ground. */
async function isPainted(page: Page, cloud: number): Promise<boolean> {
  const shot = await page.locator('canvas.cloud-canvas').nth(cloud).screenshot();
  // a plain picture packs into next to nothing
  return shot.length > 4000;
}

describeInBrowser('the projector of embeddings', () => {
  const { api, enqueue, succeed } = dashboard!;

  test('shows those of a run, what is near what, and how far two runs agree', async () => {
    const parameters = { epochs: 3, dimension: 8 };
    const runs = await enqueue({ kind: 'mf-bpr', dataset: { name: DATASET }, parameters, seeds: [1, 2] });
    await succeed(runs);
    const [first, second] = runs.map(({ number }) => String(number));
    const { page, context, faults } = await openPage(api.url);
    await page.goto(`/runs/${first}?tab=artifacts`);
    await page.getByRole('link', { name: 'Map item-embeddings.npy' }).click();
    await page.getByText(/Principal components: \d/).waitFor();
    expect(await isPainted(page, 0)).toBe(true);
    await page.getByRole('group', { name: 'Colors: popularity' }).getByRole('button').nth(4).waitFor();
    await page.getByRole('searchbox', { name: 'Find items' }).fill('17');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 to \d+ of \d+$/ })
      .waitFor();
    await page.getByRole('region', { name: 'Items and their places' }).getByRole('button').first().click();
    await page.getByRole('table', { name: 'Nearest by cosine' }).getByRole('row').nth(10).waitFor();
    expect(page.url()).toMatch(/row=\d+/);
    await page.getByRole('combobox', { name: 'beside run' }).fill(second!);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Procrustes disparity').waitFor();
    await page.getByText(/^(\d+) items matched by their ids, of \1 and \1\.$/).waitFor();
    await page
      .locator('caption')
      .filter({ hasText: /^Nearest by cosine in .*in both/ })
      .waitFor();
    for (const cloud of [0, 1]) expect(await isPainted(page, cloud)).toBe(true);
    await page.getByRole('button', { name: '3-D' }).click();
    const canvas = page.getByRole('application').first();
    await canvas.focus();
    for (const key of ['ArrowLeft', '+', 'Shift+ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.press('0');
    // two fingers that part zoom in; none of both has pressed a point
    const before = page.url();
    const { x, y, width, height } = (await canvas.boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const fingers = (apart: number) =>
      [-apart, apart].map((by, id) => ({ x: x + width / 2 + by, y: y + height / 2, id }));
    const [near, far] = [fingers(20), fingers(60)];
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const plain = await canvas.screenshot();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: near });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: far });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await waitUntil('the picture is nearer', async () => !(await canvas.screenshot()).equals(plain));
    await page.keyboard.press('0');
    await waitUntil('all is shown again', async () => (await canvas.screenshot()).equals(plain));
    expect(page.url()).toBe(before);
    await page.getByRole('button', { name: 'UMAP' }).click();
    await page.getByText(/^UMAP of the 15 nearest/).waitFor();
    expect(await isPainted(page, 1)).toBe(true);
    await takePictures(page, 'embeddings');
    await expectAccessible(page, 'embeddings');
    await page.goto(`/compare?runs=${first},${second}`);
    await page.getByRole('link', { name: 'Embeddings' }).click();
    await page.getByText('Linear CKA').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('names and colors points by a table of the run or of the reader, and says what is wrong with files', async () => {
    const id = await createExternalRun(api);
    const put = async (name: string, body: string | Uint8Array<ArrayBuffer>) =>
      expect((await api.fetch(`/artifacts/${id}/${name}`, { method: 'PUT', body })).ok).toBe(true);
    await put('item-embeddings.npy', floats([1, 0, 0, 1, 1, 1, 2, 0], '4, 2'));
    await put(
      'items.csv',
      'id,title,genre,popularity\na,Alien,Horror,9\nb,Brazil,Comedy,4\nc,Cube,Horror,2\nd,Dune,,\n',
    );
    await put('one-row.npy', floats([1, 2], '2,'));
    await put('holes.npy', floats([1, 2, Number.NaN, 4, 5, 6], '3, 2'));
    const header = "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1), }";
    await put('whole.npy', npy(header, new Uint8Array(8)));
    const { page, context, faults } = await openPage(api.url);
    await page.goto(`/embeddings?run=${id}`);
    const colors = page.getByRole('group', { name: 'Colors: genre' });
    await colors.getByRole('button', { name: 'Horror 2' }).click();
    await colors.getByRole('button', { name: 'unknown 1' }).waitFor();
    // where the table says that Brazil is
    const cells = await page.getByRole('row', { name: 'Brazil' }).getByRole('cell').allTextContents();
    const [x, y] = cells.slice(-2).map(Number) as [number, number];
    const box = (await page.getByRole('application').boundingBox())!;
    const half = (0.92 * Math.min(box.width, box.height)) / 2;
    const spot = [box.x + box.width / 2 + x * half, box.y + box.height / 2 - y * half] as const;
    await page.mouse.move(...spot);
    await page.locator('.cloud-tip').filter({ hasText: 'Brazil' }).filter({ hasText: 'genre Comedy' }).waitFor();
    await page.mouse.click(...spot);
    await page.getByRole('heading', { name: 'Brazil' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Alien', exact: true }).click();
    // Dune lies in the same direction
    const nearest = page.getByRole('table', { name: 'Nearest by cosine' }).getByRole('row').nth(1);
    await nearest.filter({ hasText: 'Dune' }).filter({ hasText: '1.0000' }).waitFor();
    const own = '{"name": "a", "year": 1}\n{"name": "b", "year": 2}\n{"name": "c", "year": 3}\n';
    const choose = (name: string, text: string) =>
      page
        .getByLabel('Open a file of items')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await choose('mine.jsonl', own);
    await page.getByText('mine.jsonl has 3 rows; expected 4').waitFor();
    await choose('mine.jsonl', `${own}{"name": "d", "year": 4}\n`);
    await page.getByRole('columnheader', { name: 'year' }).waitFor();
    for (const [file, said] of [
      ['one-row.npy', 'its shape is (2,)'],
      ['holes.npy', 'row 1 has numbers that are NaN'],
      ['whole.npy', 'its numbers are <i8'],
    ]) {
      await page.goto(`/embeddings?run=${id}&artifact=${file}`);
      await page.getByRole('alert').filter({ hasText: said! }).waitFor();
    }
    // another run has some of these items in another order: the same shape, three times as large
    const other = await createExternalRun(api);
    const putThere = async (name: string, body: string | Uint8Array<ArrayBuffer>) =>
      expect((await api.fetch(`/artifacts/${other}/${name}`, { method: 'PUT', body })).ok).toBe(true);
    await putThere('item-embeddings.npy', floats([9, 9, 3, 3, 0, 3, 3, 0], '4, 2'));
    await putThere('items.csv', 'id,title\ne,Evita\nc,Cube\nb,Brazil\na,Alien\n');
    const { run } = await api.ok('query ($id: ID!) { run(id: $id) { number } }', { id: other });
    await page.goto(`/embeddings?run=${id}&with=${run.number}`);
    await page.getByText('3 items matched by their ids, of 4 and 4.').waitFor();
    await page.getByText('Procrustes disparity').waitFor();
    const fact = (name: string) => page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
    expect(Number(await fact('Procrustes disparity').textContent())).toBeLessThan(1e-9);
    expect(Number(await fact('Linear CKA').textContent())).toBeCloseTo(1, 9);
    await page.getByRole('button', { name: 'Brazil', exact: true }).click();
    const there = page.getByRole('table', { name: /^Nearest by cosine in .*\b#?\d+/ }).nth(1);
    await there.getByRole('button', { name: 'Cube' }).waitFor();
    // what the first run does not have is named, but cannot be chosen
    expect(await there.getByText('Evita').count()).toBe(1);
    expect(await there.getByRole('button', { name: 'Evita' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Dune', exact: true }).first().click();
    await page.getByText('this run does not have the item').waitFor();
    await page.getByRole('combobox', { name: 'Items' }).selectOption('');
    await page.getByText('Rows of the same number are taken for the same item.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
