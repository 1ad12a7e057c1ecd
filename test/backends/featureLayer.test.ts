import { describe, expect, test } from 'vitest';
import { featureLayer } from '#workers/features/featureLayer.ts';
import type { FeatureMap } from '#workers/math/dense/featureDirections.ts';
import { normaliseRows } from '#workers/math/dense/normaliseRows.ts';
import { featurize } from '#workers/math/random/randomFourierFeatures.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { TEST_BACKENDS } from './backends.ts';

const MAP: FeatureMap = { seed: 11, directions: 24, dimension: 32, sigma: 1 };
const ROWS = 7;

const generator = randomGenerator(1, 'rows');
const h = normaliseRows(
  Float64Array.from({ length: ROWS * 32 }, () => generator.normal()),
  32,
);

describe.each(TEST_BACKENDS)('$label', ({ open }) => {
  test('the layer has the features that the stored map stands for, and leaves no tensor behind', async () => {
    const backend = await open();
    try {
      const before = tf.memory().numTensors;
      const layer = featureLayer(MAP);
      const input = tf.tensor2d(Float32Array.from(h), [ROWS, 32]);
      const output = layer.apply(input);
      const found = await output.data();
      const expected = featurize(h, MAP);
      expect(output.shape).toEqual([ROWS, 48]);
      for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(1e-6);
      const narrow = tf.tensor2d([[1, 2]]);
      expect(() => layer.apply(narrow)).toThrow(/rows of 2/);
      for (const one of [input, narrow, output, layer]) one.dispose();
      expect(tf.memory().numTensors).toBe(before);
    } finally {
      await backend.close();
    }
  });
});
