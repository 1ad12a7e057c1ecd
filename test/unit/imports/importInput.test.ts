import { expect, it } from 'vitest';
import { importInput, type RunFacts } from '#src/imports/source.ts';

it.each<[string, RunFacts, number, Record<string, unknown>]>([
  ['among the parameters', { parameters: { lr: 1, seed: 3 } }, 3, { lr: 1 }],
  ['that its source tells twice', { parameters: { lr: 1, seed: 3 }, seed: 3 }, 3, { lr: 1 }],
  ['that is another than the source’s own', { parameters: { seed: 3 }, seed: 4 }, 4, { seed: 3 }],
  ['that its source alone tells', { parameters: { lr: 1 }, seed: 4 }, 4, { lr: 1 }],
  ['that is no whole number', { parameters: { seed: 0.5 } }, 0, { seed: 0.5 }],
  ['that is too large', { parameters: { seed: 2 ** 31 } }, 0, { seed: 2 ** 31 }],
  ['that is a text', { parameters: { seed: '3' } }, 0, { seed: '3' }],
  ['that nobody tells', {}, 0, {}],
])('takes a seed %s', (_, facts, seed, parameters) => {
  const input = importInput({ id: 'id', project: 'mine', label: 'run', facts });
  expect(input).toMatchObject({ seed });
  expect(input.parameters).toEqual(parameters);
});
