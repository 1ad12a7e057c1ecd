import { describe, expect, it } from 'vitest';
import { flattenConfiguration } from '#src/runs/flattenConfiguration.ts';

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
