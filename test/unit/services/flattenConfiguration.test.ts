import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../src/services/csvLine.ts';
import { flattenConfiguration } from '../../../src/services/flattenConfiguration.ts';

describe('flattenConfiguration', () => {
  it('names the leaves of dataset and parameters by path', () => {
    const dataset = { name: 'd', core: 5 };
    const parameters = { a: { b: 1, 'c.d "e"': null }, list: [{ x: 1 }], empty: {} };
    expect([...flattenConfiguration({ dataset, parameters })]).toEqual([
      ['dataset.name', 'd'],
      ['dataset.core', 5],
      ['parameters.a.b', 1],
      ['parameters.a."c.d \\"e\\""', null],
      ['parameters.list', [{ x: 1 }]],
      ['parameters.empty', {}],
    ]);
    expect([...flattenConfiguration({ dataset: null, parameters: {} })]).toEqual([]);
  });
});

describe('csvLine', () => {
  it('quotes what holds commas, quotes and line ends', () => {
    expect(csvLine(['a', 1, 'b,c', 'd"e', 'f\ng', Number.NaN])).toBe('a,1,"b,c","d""e","f\ng",NaN\n');
  });
});
