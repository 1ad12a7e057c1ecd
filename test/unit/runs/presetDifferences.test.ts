import { expect, test } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { presetDifferences } from '#src/runs/presetDifferences.ts';

function differencesOf(request: Parameters<typeof resolveConfiguration>[0]) {
  const { kind, parameters, dataset } = resolveConfiguration(request);
  const stored = { kind, parameters, dataset: { ...dataset }, datasetName: dataset?.name ?? null };
  return presetDifferences(stored, request.preset ?? null);
}

test('a run says where it leaves its preset, or without one the defaults of its kind', () => {
  const preset = 'demo/mf-bpr-generated';
  expect(differencesOf({ kind: 'mf-bpr', preset })).toEqual([]);
  expect(
    differencesOf({ kind: 'mf-bpr', preset, parameters: { epochs: 99 }, dataset: 'generated/markov-small' }),
  ).toEqual([
    { path: 'epochs', value: 99, usual: expect.any(Number) },
    { path: 'dataset.name', value: 'generated/markov-small', usual: 'generated/markov-medium' },
  ]);
  const dataset = { name: 'generated/markov-small', core: 3 };
  expect(differencesOf({ kind: 'popularity', dataset })).toEqual([{ path: 'dataset.core', value: 3, usual: 0 }]);
});

test('what cannot be told is not told: programs of one’s own, presets that are gone', () => {
  const stored = { parameters: { width: 3 }, dataset: null, datasetName: null };
  expect(presetDifferences({ ...stored, kind: 'external' }, null)).toBeNull();
  expect(presetDifferences({ ...stored, kind: 'mf-bpr' }, 'gone/preset')).toBeNull();
});
