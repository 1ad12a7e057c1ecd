import { expect, test } from 'vitest';
import type { Figure } from '#workers/figures/figure.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';

async function filesOf(figure: Figure): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  await reportFigure({ artifact: (name, bytes) => void files.set(name, bytes) }, 'figure', { figure });
  return files;
}

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

const CURVES: Figure = {
  form: 'curves',
  title: 'Accuracy & width',
  x: { title: 'width', scale: 'log' },
  y: { title: 'MRR@10' },
  series: [
    {
      form: 'line',
      name: 'tied',
      x: [2, 8, 32],
      y: [0.1, 0.3, 0.2],
      band: { low: [0.05, 0.2, 0.1], high: [0.2, 0.4, 0.3] },
    },
    { form: 'line', name: 'untied', x: [2, 8, 32], y: [0.2, Number.NaN, 0.25], isDashed: true },
    { form: 'points', name: 'single', x: [4], y: [0.33] },
  ],
};

test('curves are left as SVG, PNG, JSON and CSV', async () => {
  const files = await filesOf(CURVES);
  expect([...files.keys()]).toEqual(['figure.svg', 'figure.png', 'figure.json', 'figure.csv']);
  const svg = text(files.get('figure.svg'));
  for (const word of ['Accuracy &amp; width', 'MRR@10', 'untied', 'single']) expect(svg).toContain(word);
  const png = Buffer.from(files.get('figure.png')!);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1640, 1040]);
  expect(text(files.get('figure.csv')).split('\n').slice(0, 2)).toEqual([
    'series,width,MRR@10,low,high',
    'tied,2,0.1,0.05,0.2',
  ]);
  expect(JSON.parse(text(files.get('figure.json')))).toMatchObject({ series: [{}, { y: [0.2, 'NaN', 0.25] }, {}] });
});

test('a long title is set smaller, so that it is not cut off', async () => {
  const sizeOf = async (title: string) => {
    const svg = text((await filesOf({ ...CURVES, title })).get('figure.svg'));
    return Number(new RegExp(`font-size:(\\d+)px[^>]*>${title}<`).exec(svg)?.[1]);
  };
  expect(await sizeOf('short')).toBe(15);
  expect(await sizeOf('a'.repeat(125))).toBe(12);
});

test('a legend of several rows stays below the title of the axis, and small powers of ten are short', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `a curve with a name of some length ${i}`);
  const series = names.map((name) => ({ form: 'line' as const, name, x: [1, 10], y: [2e-5, 0.5] }));
  const files = await filesOf({ ...CURVES, y: { title: 'risk', scale: 'log' }, series });
  const svg = text(files.get('figure.svg'));
  const heightOf = (word: string) =>
    Number(new RegExp(`translate\\([\\d.]+ ([\\d.]+)\\)[^>]*>${word}<`).exec(svg)?.[1]);
  for (const name of names) expect(heightOf(name)).toBeGreaterThan(heightOf('width') + 10);
  expect(svg).toContain('>0.0001<');
});

test('text is drawn in the PNG: without words it is another, smaller picture', async () => {
  const bare: Figure = { ...CURVES, title: '', x: { ...CURVES.x, title: '' }, y: { ...CURVES.y, title: '' } };
  const [full, empty] = [await filesOf(CURVES), await filesOf(bare)];
  expect(full.get('figure.png')!.length).toBeGreaterThan(empty.get('figure.png')!.length + 1000);
});

test('bars and heat maps are drawn, with their categories in the data', async () => {
  const categories = ['RNTK', 'NTK'];
  const bars = await filesOf({
    form: 'curves',
    title: 'bars',
    x: { title: 'kernel', scale: 'category', categories },
    y: { title: 'accuracy' },
    series: [{ form: 'bars', name: 'found', values: [0.9, 0.8] }],
  });
  expect(text(bars.get('figure.csv'))).toBe('series,kernel,accuracy\nfound,RNTK,0.9\nfound,NTK,0.8\n');
  const map = await filesOf({
    form: 'heat-map',
    title: 'map',
    x: { title: 'σ_W', categories: ['0.5', '1'] },
    y: { title: 'σ_U', categories: ['0', '2'] },
    valueTitle: 'NDCG@10',
    values: [
      [1, 2],
      [3, 4],
    ],
  });
  expect(text(map.get('figure.csv'))).toContain('1,2,4\n');
  expect(text(map.get('figure.svg'))).toContain('NDCG@10');
});
