import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { fileWith, newFolder, selectionOf, sequencesOf } from '../dataFiles.ts';

const SEQUENCES = '1 30 10 20\n2 10 20 30\n3 20 10\n4 40 10 20\n';

function sources(text = SEQUENCES, name = 'shop.txt') {
  const path = fileWith(text, name);
  const warnings: string[] = [];
  const options = { folders: [dirname(path)], cacheFolder: newFolder(), warn: (text: string) => warnings.push(text) };
  return { path, options, warnings, cached: () => readdirSync(join(options.cacheFolder, 'datasets')) };
}

test('sequence files number items by id', async () => {
  const dataset = await loadSequenceDataset(selectionOf('shop'), sources().options);
  expect(dataset.itemIds).toEqual(['10', '20', '30', '40']);
  expect([...dataset.items]).toEqual([2, 0, 1, 0, 1, 2, 1, 0, 3, 0, 1]);
  expect([...dataset.offsets]).toEqual([0, 3, 6, 8, 11]);
});

test('the core filter comes first, then the first users are kept and items keep their numbers', async () => {
  const { options } = sources();
  const core = await loadSequenceDataset(selectionOf('shop', { core: 2 }), options);
  expect(core.itemIds).toEqual(['10', '20', '30']);
  expect(sequencesOf(core).at(-1)).toEqual(['10', '20']);
  const first = await loadSequenceDataset(selectionOf('shop', { core: 2, maximumUsers: 1 }), options);
  expect(first).toMatchObject({ userCount: 1, itemCount: 3, userIds: ['1'], itemIds: ['10', '20', '30'] });
  expect([...first.items]).toEqual([2, 0, 1]);
});

test('an empty core says what there was', async () => {
  await expect(loadSequenceDataset(selectionOf('shop', { core: 9 }), sources().options)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    path: 'dataset.core',
    message: expect.stringMatching(/9-core is empty \(4 users, 4 items, 11 interactions before\)/),
  });
});

test('the fingerprint is of what was read: not of format, compression, name or preprocessing', async () => {
  const csv = `user,item,time\n${SEQUENCES.trim()
    .split('\n')
    .flatMap((line) => {
      const [user, ...items] = line.split(' ');
      return items.map((item, time) => `${user},${item},${time}`);
    })
    .join('\n')}\n`;
  const prints = new Set<string>();
  for (const { options, core } of [
    { options: sources().options, core: 0 },
    { options: sources().options, core: 2 },
    { options: sources(SEQUENCES, 'shop.txt.gz').options, core: 0 },
    { options: sources(csv, 'shop.csv').options, core: 0 },
  ]) {
    prints.add((await loadSequenceDataset(selectionOf('shop', { core }), options)).fingerprint);
  }
  expect(prints.size).toBe(1);
  const changed = await loadSequenceDataset(
    selectionOf('shop'),
    sources(SEQUENCES.replace('3 20 10', '3 10 20')).options,
  );
  expect(prints).not.toContain(changed.fingerprint);
});

test('a second load comes from the cache and is the same', async () => {
  const { options, cached } = sources();
  const selection = selectionOf('shop', { core: 2 });
  const first = await loadSequenceDataset(selection, options);
  expect(cached()).toHaveLength(1);
  const second = await loadSequenceDataset(selection, options);
  expect(second).toEqual(first);
  expect(cached()).toHaveLength(1);
});

test('another core is another entry of the cache, fewer users are not', async () => {
  const { options, cached } = sources();
  for (const over of [{}, { core: 2 }, { maximumUsers: 2 }, { core: 2, maximumUsers: 1 }]) {
    await loadSequenceDataset(selectionOf('shop', over), options);
  }
  expect(cached()).toHaveLength(2);
});

test('a changed file is read again, even one of the same size', async () => {
  const { path, options } = sources();
  await loadSequenceDataset(selectionOf('shop'), options);
  writeFileSync(path, SEQUENCES.replace('1 30 10 20', '1 20 10 30'));
  utimesSync(path, new Date(), new Date(Date.now() + 5000));
  expect(sequencesOf(await loadSequenceDataset(selectionOf('shop'), options))[0]).toEqual(['20', '10', '30']);
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)],
  [
    'with one bit turned',
    (bytes: Buffer) => bytes.map((byte, index) => (index === bytes.length - 60 ? byte ^ 1 : byte)),
  ],
  ['empty', () => Buffer.alloc(0)],
  [
    'with a header length that is nonsense',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(4, 255)]),
  ],
])('a cache file %s is noticed and made again', async (_, damage) => {
  const { options, cached, warnings } = sources();
  const first = await loadSequenceDataset(selectionOf('shop'), options);
  const path = join(options.cacheFolder, 'datasets', cached()[0]!);
  const whole = readFileSync(path);
  writeFileSync(path, damage(whole));
  expect(await loadSequenceDataset(selectionOf('shop'), options)).toEqual(first);
  expect(warnings).toEqual([expect.stringContaining('is damaged')]);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test('loads at the same time leave one whole cache file and no others', async () => {
  const { options, cached } = sources();
  const loads = Array.from({ length: 8 }, () => loadSequenceDataset(selectionOf('shop'), options));
  const datasets = await Promise.all(loads);
  for (const dataset of datasets) expect(dataset).toEqual(datasets[0]);
  expect(cached()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.bin$/)]);
});

test('a cache folder that cannot be written does not keep data from being loaded', async () => {
  const { options, warnings } = sources();
  const file = fileWith('in the way');
  const dataset = await loadSequenceDataset(selectionOf('shop'), { ...options, cacheFolder: file });
  expect(dataset.userCount).toBe(4);
  expect(warnings).toEqual([expect.stringContaining('could not be kept')]);
});

test('data without a time order is refused by name', async () => {
  const { options } = sources('User_ID\tGame_ID\tPurchase\n1\t1\t1.0\n', 'steam-purchases.dat');
  await expect(loadSequenceDataset(selectionOf('steam-purchases'), options)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(/has no time order/),
  });
});

test('a malformed generated name is refused', async () => {
  const options = { folders: [], cacheFolder: null };
  await expect(loadSequenceDataset(selectionOf('generated/markov-0x5'), options)).rejects.toMatchObject({
    code: 'BAD_INPUT',
  });
});

test('a known dataset whose last line has no line end is cut off, and refused; others may end so', async () => {
  const cut = SEQUENCES.slice(0, -1);
  await expect(
    loadSequenceDataset(selectionOf('amazon-beauty'), sources(cut, 'amazon-beauty.txt').options),
  ).rejects.toMatchObject({ code: 'DATA_ERROR', message: expect.stringMatching(/amazon-beauty\.txt:4 is cut off/) });
  await expect(loadSequenceDataset(selectionOf('shop'), sources(cut).options)).resolves.toMatchObject({ userCount: 4 });
});
