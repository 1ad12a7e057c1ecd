import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { adamUpdate } from '#workers/tensor/operations/adamUpdate.ts';
import { addScaled } from '#workers/tensor/operations/addScaled.ts';
import { tf } from '#workers/tensor/tf.ts';
import { pooledSize } from '#workers/tensor/webgpuBuffers.ts';
import { enableSoftwareGpu } from './enableSoftwareGpu.ts';

const noGpu = enableSoftwareGpu();
if (noGpu !== null) console.warn(`skipped: ${noGpu}`);

test('a buffer has an eighth more room than asked for at most, above 2 KiB', () => {
  expect([1, 256, 257, 2048, 2049, 4096, 1_000_000].map(pooledSize)).toEqual([
    256, 256, 512, 2048, 2304, 4096, 1_048_576,
  ]);
  for (let size = 2049; size < 200_000; size += 977) {
    expect(pooledSize(size) / size).toBeLessThanOrEqual(1.125);
    expect(pooledSize(size)).toBeGreaterThanOrEqual(size);
  }
});

describe.skipIf(noGpu !== null)('on WebGPU', { timeout: 300_000 }, () => {
  let opened: OpenBackend;
  beforeAll(async () => {
    opened = await openBackend({ forced: 'webgpu', threads: 1 });
  }, 300_000);
  afterAll(() => opened.close());

  test('batches of ever new sizes go on using the same memory, and are read at their own size', async () => {
    const sumOf = async (size: number): Promise<number> => {
      const doubled = tf.tidy(() => tf.mul(tf.ones([size]), 2));
      const numbers = await doubled.data<'float32'>();
      doubled.dispose();
      expect(numbers).toHaveLength(size);
      return numbers.reduce((sum, number) => sum + number, 0);
    };
    expect(await sumOf(60_000)).toBe(120_000);
    const before = opened.memory().peakBytes;
    for (let size = 50_001; size < 60_000; size += 501) expect(await sumOf(size)).toBe(2 * size);
    expect(opened.memory().peakBytes).toBeLessThan(2 * before);
  });

  test('complex numbers are read whole', async () => {
    const numbers = tf.complex([1, 2, 3], [4, 5, 6]);
    expect([...(await numbers.data())]).toEqual([1, 4, 2, 5, 3, 6]);
    numbers.dispose();
  });

  test('what was read of a parameter, as for a checkpoint, is not what is read after further steps', async () => {
    const parameter = tf.variable(tf.tensor1d([1, 2]));
    const slots = { first: tf.variable(tf.zeros([2])), second: tf.variable(tf.zeros([2])) };
    const gradient = tf.tensor1d([1, -1]);
    const options = { learningRate: 0.1, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, decoupled: false };
    const read: string[] = [];
    for (let step = 1; step <= 3; step++) {
      adamUpdate(parameter, gradient, { ...options, step, slots });
      const [numbers, first] = await Promise.all([parameter.data(), slots.first.data()]);
      read.push([...numbers, first[0]!].map((value) => value.toFixed(3)).join(' '));
    }
    addScaled(parameter, gradient, { kept: 1, scale: 1 });
    expect([...(await parameter.data())].map((value) => value.toFixed(3))).toEqual(['1.700', '1.300']);
    expect(read).toEqual(['0.900 2.100 0.100', '0.800 2.200 0.190', '0.700 2.300 0.271']);
    tf.dispose([parameter, slots.first, slots.second, gradient]);
  });

  test('a step of Adam changes a parameter where it lies, and no copy that was made of it', async () => {
    const parameter = tf.variable(tf.tensor1d([1, 2, 3]));
    const slots = { first: tf.variable(tf.zeros([3])), second: tf.variable(tf.zeros([3])) };
    const gradient = tf.tensor1d([0.5, -1, 0]);
    const options = { learningRate: 0.1, beta1: 0.9, beta2: 0.999, epsilon: 0, weightDecay: 0, decoupled: false };
    const step = (number: number): void =>
      adamUpdate(parameter, gradient, { ...options, epsilon: 1e-8, step: number, slots });
    step(1); // of Adam's first step only the sign of the gradient is left
    const after = [...(await parameter.data())];
    expect(after.map((value) => value.toFixed(4))).toEqual(['0.9000', '2.1000', '3.0000']);
    const copy = parameter.clone();
    step(2);
    const [kept, moved] = [[...(await copy.data())], [...(await parameter.data())]];
    expect(kept).toEqual(after);
    expect(moved.map((value) => value.toFixed(4))).toEqual(['0.8000', '2.2000', '3.0000']);
    tf.dispose([parameter, slots.first, slots.second, gradient, copy]);
  });
});
