import { expect, test } from 'vitest';
import { DATASETS, knownDataset } from '../../../src/catalog/datasets.ts';
import { datasetSelectionSchema } from '../../../src/catalog/datasetSelection.ts';
import { GENERATED_EXAMPLES, parseGeneratedName } from '../../../src/catalog/generatedDatasets.ts';

test('every known dataset says where it comes from and under which terms', () => {
  for (const dataset of DATASETS) {
    expect(datasetSelectionSchema.parse({ name: dataset.name }).name).toBe(dataset.name);
    expect(new URL(dataset.home).protocol).toBe('https:');
    for (const text of [dataset.title, dataset.description, dataset.licence, dataset.citation]) {
      expect(text.length).toBeGreaterThan(5);
    }
    expect(dataset.files.length).toBeGreaterThan(0);
  }
  const names = DATASETS.map((dataset) => dataset.name);
  expect(new Set(names).size).toBe(names.length);
});

test('names are known in any case', () => {
  expect(knownDataset('ML-1M')?.title).toBe('MovieLens 1M');
  expect(knownDataset('ml-2m')).toBeUndefined();
});

test('generated names are read whole', () => {
  expect(parseGeneratedName('generated/markov-30x20')).toEqual({ what: 'markov', users: 30, items: 20, seed: 1 });
  expect(parseGeneratedName('generated/markov-small-seed7')).toMatchObject({ what: 'markov', seed: 7 });
  for (const name of GENERATED_EXAMPLES) expect(parseGeneratedName(name).what).toBe('markov');
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
