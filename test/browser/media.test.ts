import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { atEndOfFile } from '../integration/support/atEndOfFile.ts';
import { createExternalRun } from '../integration/support/externalRunCalls.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectAccessible } from './support/expectAccessible.ts';
import { hostileFiles } from './support/hostileFiles.ts';
import { logMedia, type MediaToLog } from './support/logMedia.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;
/** Where pictures of the page go; without it none are taken. */
const pictures = process.env.WARREN_SCREENSHOTS;

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="teal"/></svg>';

function table(rows: number, offset: number): MediaToLog {
  const data = Array.from({ length: rows }, (_, i) => [
    `item ${i}`,
    ((i * 7919) % 100_003) + offset,
    i % 7 === 0 ? 'yes' : 'no',
  ]);
  const columns = ['item', 'score', 'seen'];
  const content = JSON.stringify({ columns, data });
  return { name: 'predictions', kind: 'table', mediaType: 'application/json', content, metadata: { columns, rows } };
}

/** A small `.npy` file of doubles. */
function npy(values: readonly number[], shape: string): Uint8Array<ArrayBuffer> {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape}), }`;
  const numbers = new Uint8Array(Float64Array.from(values).buffer);
  return new Uint8Array([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0, ...Buffer.from(header), ...numbers]);
}

async function takePictures(page: Page, colorScheme: string): Promise<void> {
  mkdirSync(pictures!, { recursive: true });
  await page.screenshot({ path: join(pictures!, `media-${colorScheme}.png`), fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.screenshot({ path: join(pictures!, `media-small-${colorScheme}.png`), fullPage: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

describeInBrowser('media', () => {
  test('are shown by name and step, sorted, filtered, and side by side with those of another run', async () => {
    const [first, second] = [await createExternalRun(api!), await createExternalRun(api!)];
    const histogram = (step: number): MediaToLog => ({
      ...{ name: 'weights', step, kind: 'histogram' },
      metadata: { edges: [step, step + 1, step + 2], counts: [1, 3 + step] },
    });
    const media: MediaToLog[] = [
      ...[0, 1, 2].map((step) => ({
        ...{ name: 'samples', step, kind: 'image', mediaType: 'image/svg+xml', caption: `at ${step}` },
        content: SVG.replace('teal', ['teal', 'orange', 'navy'][step]!),
      })),
      ...[0, 1, 2].map(histogram),
      table(300, 0),
      { name: 'note', kind: 'text', mediaType: 'text/plain', content: 'all is well' },
      { name: 'remark', kind: 'text', metadata: { text: 'it is short' } },
      { name: 'page', kind: 'html', mediaType: 'text/html', content: '<h1>A page</h1>' },
      { name: 'array', kind: 'array', content: npy([1.5, 2, 3, 4], '2, 2') },
      {
        name: 'bars',
        kind: 'echarts',
        mediaType: 'application/json',
        content: '{"xAxis":{"data":["a","b"]},"yAxis":{},"series":[{"type":"bar","data":[1,2]}]}',
      },
      ...[
        {
          ...{ name: 'points', kind: 'vegaLite' },
          content:
            '{"data":{"values":[{"x":1,"y":2},{"x":3,"y":5}]},"transform":[{"calculate":"datum.y * 2","as":"z"}],"mark":"point","encoding":{"x":{"field":"x","type":"quantitative"},"y":{"field":"z","type":"quantitative"}}}',
        },
        {
          name: 'figure',
          kind: 'plotly',
          content: '{"data":[{"type":"bar","x":["a","b"],"y":[1,2]}],"layout":{"title":{"text":"Bars"}}}',
        },
        { name: 'unknown figure', kind: 'plotly', content: '{"data":[{"type":"scatter3d"}]}' },
      ].map((chart) => ({ ...chart, mediaType: 'application/json' })),
    ];
    await logMedia(api!, first, media);
    await logMedia(api!, second, [table(300, 10), histogram(1)]);
    const headers = { 'content-type': 'image/svg+xml' };
    await api!.fetch(`/artifacts/${first}/figures/curve.svg`, { method: 'PUT', body: SVG, headers });
    const { page, context, faults } = await openPage(api!.url);
    await page.goto(`/runs/${first}?tab=media`);
    await page.getByRole('img', { name: 'figures/curve.svg' }).waitFor();
    const samples = page.getByRole('region', { name: 'samples' });
    await samples.getByRole('img', { name: 'at 2' }).waitFor();
    await samples.getByRole('slider').fill('0');
    await samples.getByRole('img', { name: 'at 0' }).waitFor();
    const rows = page.getByRole('region', { name: 'predictions', exact: true });
    await rows.scrollIntoViewIfNeeded();
    await rows.getByRole('cell', { name: 'item 0', exact: true }).waitFor();
    await rows.getByRole('button', { name: 'score' }).click();
    await rows.getByRole('button', { name: 'score' }).click();
    const best = String(Math.max(...Array.from({ length: 300 }, (_, i) => (i * 7919) % 100_003)));
    await rows.locator('tbody tr').first().getByText(best).waitFor();
    await rows.getByRole('searchbox').fill('score < 1000');
    await rows.getByRole('status').filter({ hasText: 'of 300 rows' }).waitFor();
    for (const name of ['array', 'bars', 'figure', 'note', 'page', 'points', 'remark', 'unknown figure', 'weights']) {
      await page.getByRole('region', { name, exact: true }).scrollIntoViewIfNeeded();
    }
    await page.getByText('(2, 2) of <f8').waitFor();
    await page.getByText('all is well').waitFor();
    await page.getByText('it is short').waitFor();
    await page.frameLocator('iframe[title=page]').getByText('A page').waitFor();
    await page.getByRole('img', { name: 'bars' }).locator('canvas').waitFor();
    await page.frameLocator('iframe[title=points]').locator('canvas').waitFor();
    await page.frameLocator('iframe[title=figure]').getByText('Bars').waitFor();
    await page.getByText('traces of the type "scatter3d" are not drawn here').waitFor();
    await page.getByRole('img', { name: /^weights: 2 bins/ }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await waitUntil(`the page is ${colorScheme}`, () =>
        page.evaluate((wanted) => document.documentElement.dataset.theme === wanted, colorScheme),
      );
      await expectAccessible(page, `media, ${colorScheme}`, colorScheme === 'dark' ? ['color-contrast'] : undefined);
      if (pictures) await takePictures(page, colorScheme);
    }
    await page.goto(`/runs/${first}`);
    await page.getByRole('row', { name: 'remark it is short' }).waitFor();
    await page.goto(`/compare?runs=${first},${second}`);
    await page.locator('summary', { hasText: 'Media' }).click();
    const joined = page.getByRole('region', { name: 'predictions', exact: true });
    await joined.scrollIntoViewIfNeeded();
    await joined.getByLabel('Join by').selectOption('item');
    await joined.getByRole('button', { name: 'score: difference' }).waitFor();
    await joined.locator('.media-joined tbody tr').first().locator('td').nth(3).getByText('10').waitFor();
    if (pictures) await page.screenshot({ path: join(pictures, 'media-compare-dark.png'), fullPage: true });
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);

  test('hostile files run nothing, read nothing and reach nobody', async () => {
    const reports: string[] = [];
    const attacker = createServer((request, response) => {
      reports.push(`${request.method} ${request.url}`);
      response.setHeader('Access-Control-Allow-Origin', '*').end();
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    atEndOfFile(() => void attacker.close());
    const files = hostileFiles(`http://127.0.0.1:${(attacker.address() as AddressInfo).port}`);
    const run = await createExternalRun(api!);
    await logMedia(api!, run, files);
    const { page, context } = await openPage(api!.url);
    const answered: string[] = [];
    let dialogs = 0;
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isOwn = /^\/(?:media\/|frames\/(?:vega|plotly)\.(?:html|js)$)/.test(pathname);
      if (response.frame() !== page.mainFrame() && !isOwn) answered.push(pathname);
    });
    context.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await page.goto(`/runs/${run}?tab=media`);
    await page.evaluate(() =>
      window.addEventListener('message', ({ data }) => {
        if (data === 'taken') document.body.classList.add('told');
      }),
    );
    for (const { name } of files) await page.getByRole('region', { name, exact: true }).scrollIntoViewIfNeeded();
    const pages = files.filter(({ kind }) => kind === 'html').length;
    await waitUntil(
      'all frames',
      () => page.frames().filter((frame) => frame.url().includes('/media/')).length === pages,
    );
    for (const { name } of files.filter(({ kind }) => kind === 'vegaLite' || kind === 'plotly')) {
      const region = page.getByRole('region', { name, exact: true });
      await region.scrollIntoViewIfNeeded();
      const drawn = region.frameLocator('iframe').locator('canvas, .main-svg');
      const refused = region.getByText('The chart cannot be shown');
      await waitUntil(name, async () => (await refused.count()) + (await drawn.count()) > 0);
    }
    for (const frame of page.frames().slice(1)) {
      await frame.waitForLoadState().catch(() => {});
      for (const id of ['#go', '#go2', '#chart a', '#chart canvas']) {
        const link = frame.locator(id).first();
        if ((await link.count().catch(() => 0)) > 0) await link.click({ timeout: 1_000, force: true }).catch(() => {});
      }
    }
    await page.getByRole('img', { name: 'mixed/chart' }).locator('canvas').hover();
    expect(new URL(page.url()).pathname, 'the page is where it was').toBe(`/runs/${run}`);
    expect(await page.title()).not.toContain('taken');
    expect(await page.evaluate(() => document.body.classList.contains('told'))).toBe(false);

    // opened directly, each is as powerless
    const urls: string[] = (
      await api!.ok('query ($id: ID!) { run(id: $id) { media(first: 100) { url } } }', { id: run })
    ).run.media.map(({ url }: { url: string }) => url);
    const tab = await context.newPage();
    for (const url of urls) {
      await tab.goto(url).catch(() => {}); // what is no page is downloaded instead
      const origin = await tab.evaluate(() => self.origin).catch(() => 'null');
      expect(origin, url).toBe('null');
    }
    expect(urls).toHaveLength(files.length);
    const workers = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    expect({ reports, answered, dialogs, workers }).toEqual({ reports: [], answered: [], dialogs: 0, workers: 0 });
    await context.close();
  }, 120_000);
});

/** Set to measure: the first of a thousand images, and a hundred thousand rows. */
test.skipIf(!hasChromium || process.env.WARREN_MEASURE !== 'media')(
  'measured',
  async () => {
    const [first, second] = [await createExternalRun(api!), await createExternalRun(api!)];
    const images = Array.from({ length: 1000 }, (_, index) => ({
      ...{ name: 'samples', index, kind: 'image', mediaType: 'image/png', metadata: { width: 64, height: 64 } },
      content: noisePng(index),
    }));
    await logMedia(api!, first, images);
    const { page, context } = await openPage(api!.url);
    await page.goto('/');
    const emptyBegin = Date.now();
    await page.goto(`/runs/${second}?tab=media`);
    await page.getByText('Nothing to look at').waitFor();
    console.log(`for comparison, the same page with nothing in it: ${Date.now() - emptyBegin} ms`);
    const begin = Date.now();
    await page.goto(`/runs/${first}?tab=media`);
    await page.waitForFunction(
      () => [...document.images].slice(0, 30).filter((one) => one.complete && one.naturalWidth > 0).length === 30,
    );
    console.log(`1,000 images, first 30 drawn: ${Date.now() - begin} ms`);
    await logMedia(api!, first, [table(100_000, 0)]);
    await logMedia(api!, second, [table(100_000, 10)]);
    await page.goto(`/compare?runs=${first},${second}`);
    await page.locator('summary', { hasText: 'Media' }).click();
    const section = page.getByRole('region', { name: 'predictions', exact: true });
    await section.scrollIntoViewIfNeeded();
    const left = section.locator('.media-column').first();
    await left.locator('tbody td').first().waitFor();
    const timed = async (what: string, act: () => Promise<unknown>, done: () => Promise<unknown>) => {
      const from = Date.now();
      await act();
      await done();
      console.log(`${what}: ${Date.now() - from} ms`);
    };
    const cell = (text: string) => left.locator('tbody tr td', { hasText: text }).first().waitFor();
    await timed(
      'sort numbers',
      () => left.getByRole('button', { name: 'score' }).click(),
      () =>
        left
          .locator('th[aria-sort=ascending]')
          .waitFor()
          .then(() => cell('item 0')),
    );
    await timed(
      'sort texts',
      () => left.getByRole('button', { name: 'item' }).click(),
      () => cell('item 10'),
    );
    await timed(
      'filter',
      () => left.getByRole('searchbox').fill('score > 99000'),
      () => left.getByRole('status').filter({ hasText: 'of 100,000' }).waitFor(),
    );
    await timed(
      'filter by words',
      () => left.getByRole('searchbox').fill('item 99 yes'),
      () => left.getByRole('status').filter({ hasText: 'of 100,000' }).waitFor(),
    );
    await timed(
      'join',
      () => section.getByLabel('Join by').selectOption('item'),
      () => section.locator('.media-joined tbody td').first().waitFor(),
    );
    await context.close();
  },
  300_000,
);

function noisePng(seed: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 0, 0, 0, 0]);
  const rows = Buffer.alloc(64 * 65);
  for (let i = 0; i < rows.length; i++) rows[i] = i % 65 === 0 ? 0 : (i * (seed + 3) * 2654435761) >>> 24;
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]),
  );
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}
