import { expect, test } from 'vitest';
import { parseSweepFile } from '#src/sweeps/search/parseSweepFile.ts';

test('a file of W&B is read as W&B reads it: 0.0 to 1 are fractions, 0 to 1 whole numbers', () => {
  const text = [
    ...['method: bayes', 'parameters:', '  dropout: { min: 0.0, max: 1 }', '  layers: { min: 1, max: 4 }'],
    ...['  rate: { distribution: log_uniform_values, min: 1e-4, max: 1.0 }'],
  ].join('\n');
  expect(parseSweepFile(text, 'sweep.yaml')).toEqual({
    method: 'bayes',
    parameters: {
      dropout: { min: 0, max: 1, distribution: 'uniform' },
      layers: { min: 1, max: 4 },
      rate: { distribution: 'log_uniform_values', min: 1e-4, max: 1 },
    },
  });
  expect(parseSweepFile('{"method": "grid"}', 'sweep.json')).toEqual({ method: 'grid' });
});

test.each<[text: string, message: RegExp]>([
  ['method: [', /^sweep.yaml: .* at line 1/],
  ['a: 1\na: 2', /unique/],
  ['- 1', /expected a sweep file with method and parameters/],
  ['- '.repeat(100_000), /^sweep.yaml: it is nested too deep/],
  [`parameters: ${'['.repeat(100_000)}`, /nested too deep/],
])('the file %j is refused with the place', (text, message) => {
  expect(() => parseSweepFile(text, 'sweep.yaml')).toThrow(message);
});
