import { expect, test } from 'vitest';
import { DATASETS, knownDataset } from '#src/catalog/datasets.ts';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { GENERATED_EXAMPLES, parseGeneratedName } from '#src/catalog/generatedDatasets.ts';

test('every known dataset says where it comes from and under which terms', () => {
  for (const dataset of DATASETS) {
    expect(datasetSelectionSchema.parse({ name: dataset.name }).name).toBe(dataset.name);
    expect(new URL(dataset.home).protocol).toBe('https:');
    for (const text of [dataset.title, dataset.description, dataset.licence, dataset.citation]) {
      expect(text.length).toBeGreaterThan(5);
    }
    expect(dataset.files.length).toBeGreaterThan(0);
  }
  const names = DATASETS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

test('downloads come from the public home over https, with names that stay in the folder, and a file that a reader knows', () => {
  for (const { name, downloads, files } of DATASETS) {
    for (const { url, sha256, saveAs, unpack, maximumBytes } of downloads) {
      expect(new URL(url).protocol, name).toBe('https:');
      if (sha256 !== null) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(maximumBytes).toBeGreaterThan(0);
      const kept = unpack === null ? [saveAs] : Object.values(unpack);
      for (const file of kept) expect(file).not.toMatch(/(^|\/)\.\.?(\/|$)|^\/|\\/);
      expect(
        files.some((file) => kept.includes(file.name) || kept.includes(`${file.name}.gz`)),
        name,
      ).toBe(true);
    }
  }
});

test('what papers print is counted under a preprocessing that a selection takes', () => {
  for (const { name, published, uses = [] } of DATASETS) {
    for (const { preprocessing = {} } of [...published, ...uses]) {
      expect(datasetSelectionSchema.parse({ name, ...preprocessing })).toMatchObject(preprocessing);
    }
  }
});

test('any name of the UCR archive is known, and its spelling kept', () => {
  expect(knownDataset('ucr/gunpoint')?.name).toBe('ucr/GunPoint');
  expect(knownDataset('ucr/FordA')).toMatchObject({ name: 'ucr/FordA', holds: 'series' });
  expect(knownDataset('ucr/../x')).toBeUndefined();
});

test('names are known in any case', () => {
  expect(knownDataset('ML-1M')?.title).toBe('MovieLens 1M');
  expect(knownDataset('ml-2m')).toBeUndefined();
});

test.each([
  ['amazon-toys-and-games', 'amazon-toys'],
  ['Amazon-Clothing-Shoes-and-Jewelry', 'amazon-clothing'],
  ['amazon-tools', 'amazon-tools-and-home-improvement'],
])('%s is another name of %s', (alias, name) => {
  expect(knownDataset(alias)?.name).toBe(name);
});

test('generated names are read whole', () => {
  expect(parseGeneratedName('generated/markov-30x20')).toEqual({ what: 'markov', users: 30, items: 20, seed: 1 });
  expect(parseGeneratedName('generated/markov-small-seed7')).toMatchObject({ what: 'markov', seed: 7 });
  for (const name of GENERATED_EXAMPLES) expect(name.split(/[/-]/)[1]).toBe(parseGeneratedName(name).what);
});

test.each([
  'generated/markov',
  'generated/markov-0x5',
  'generated/markov-5x1',
  'generated/x-5x5',
  'generated/markov-huge',
  'generated/markov-9999999x5',
  'generated/markov-5x5-seed',
])('%s is refused with what would be right', (name) => {
  expect(() => parseGeneratedName(name)).toThrow(/expected/);
});
