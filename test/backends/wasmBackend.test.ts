import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { ARITHMETICS_HERE } from './backends.ts';
import { type OpenWasmBackend, openWasmBackend } from '#workers/tensor/wasm/openWasmBackend.ts';

let opened: OpenWasmBackend | null = null;

async function open(threads: number, limitBytes?: number): Promise<OpenWasmBackend> {
  opened = await openWasmBackend(threads, limitBytes);
  return opened;
}

afterEach(async () => {
  await opened?.close();
  opened = null;
});

function randomTensor(shape: number[], name: string): tf.Tensor {
  const generator = randomGenerator(9, name);
  return tf.tensor(
    Float32Array.from({ length: tf.util.sizeFromShape(shape) }, () => generator.normal()),
    shape,
  );
}

/** A step of a small network: products, a bias, activations, a gather, reductions and their gradients. */
function gradientsOfNetwork(): Float32Array[] {
  const table = randomTensor([301, 64], 'table');
  const weight = randomTensor([64, 129], 'weight');
  const bias = randomTensor([129], 'bias');
  const ids = tf.tensor1d(Int32Array.from({ length: 900 }, (_, n) => (n * n) % 301));
  return tf.tidy(() => {
    const loss = (t: tf.Tensor, w: tf.Tensor, b: tf.Tensor) => {
      const hidden = tf.relu(
        tf.add(tf.matMul(tf.gather(t, tf.cast(ids, 'int32')) as tf.Tensor2D, w as tf.Tensor2D), b),
      );
      return tf.neg(tf.mean(tf.sum(tf.logSoftmax(hidden), 1)));
    };
    const gradients = tf.grads(loss)([table, weight, bias]);
    const values = gradients.map((gradient) => Float32Array.from(gradient.dataSync()));
    tf.dispose([table, weight, bias, ids]);
    return values;
  });
}

describe('the wasm backend', () => {
  const compiled = ARITHMETICS_HERE.filter((arithmetic) => arithmetic !== 'openblas');

  async function gradientsWith(arithmetic: (typeof ARITHMETICS_HERE)[number], threads: readonly number[]) {
    setArithmetic(arithmetic);
    onTestFinished(() => setArithmetic('plain'));
    const results: Float32Array[][] = [];
    for (const count of threads) {
      await open(count);
      results.push(gradientsOfNetwork());
      await opened?.close();
    }
    opened = null;
    expect(results[0]?.[1]?.some((value) => value !== 0)).toBe(true);
    return results;
  }

  test.each(compiled)('gives the same bits with any number of threads, with %s products', async (arithmetic) => {
    const [one, two, three] = await gradientsWith(arithmetic, [1, 2, 3]);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  // its kernels of some processors add up in another order at the edge of a thread's rows
  test.skipIf(!ARITHMETICS_HERE.includes('openblas'))(
    'gives the same bits with as many threads, and nearly the same with others, with openblas products',
    { timeout: 60_000 },
    async () => {
      const [one, two, again] = await gradientsWith('openblas', [1, 2, 2]);
      expect(again).toEqual(two);
      const near = (values: Float32Array | undefined) =>
        Array.from(values ?? [], (value): unknown => expect.closeTo(value, 4));
      for (const [at, values] of (two ?? []).entries()) expect(Array.from(values)).toEqual(near(one?.[at]));
    },
  );

  test.skipIf(compiled.length === 1)('rounds a product and a sum once where that is asked for', async () => {
    // (1 + 2⁻¹²)² - (1 + 2⁻¹¹) is 2⁻²⁴, and 0 where the square, which no float is, is rounded first.
    const [x, c] = [1 + 2 ** -12, 1 + 2 ** -11];
    const found: number[] = [];
    for (const arithmetic of compiled) {
      setArithmetic(arithmetic);
      await open(1);
      setArithmetic('plain'); // what is open keeps its own
      found.push(tf.tidy(() => tf.matMul(tf.tensor2d([[-c, x]]), tf.tensor2d([[1], [x]])).dataSync()[0]!));
      await opened?.close();
    }
    opened = null;
    expect(found).toEqual([0, 2 ** -24]);
  });

  test('leaves neither tensors nor bytes behind after tidy and dispose', async () => {
    const { memory } = await open(2);
    gradientsOfNetwork();
    const [tensors, bytes] = [tf.memory().numTensors, memory().bytesInUse];
    for (let round = 0; round < 3; round++) gradientsOfNetwork();
    expect([tf.memory().numTensors, memory().bytesInUse]).toEqual([tensors, bytes]);
    expect(memory().peakBytes).toBeGreaterThan(bytes);
  });

  test('gives all bytes back when every tensor is disposed, also of types that tfjs itself computes', async () => {
    const { memory } = await open(1);
    tf.tidy(() => {
      const x = tf.tensor2d([3, 1, 2, 9, 8, 7], [2, 3]);
      tf.topk(x, 2).indices.dataSync();
      tf.oneHot(tf.argMax(x, 1), 3).dataSync();
      tf.complex(x, x).dataSync();
      tf.tensor1d(['a', 'b']).dataSync();
      tf.unstack(x)[1]?.dataSync();
    });
    expect(memory().bytesInUse).toBe(0);
  });

  test('reads out copies that later tensors do not overwrite', async () => {
    await open(2);
    const first = tf.tensor1d([1, 2, 3]);
    const sum = tf.add(first, first);
    const [given, computed] = [first.dataSync(), sum.dataSync()];
    const later = await sum.data();
    tf.dispose([first, sum]);
    for (let n = 0; n < 10; n++) tf.dispose([tf.fill([3], 7), tf.tensor1d([9, 9, 9])]);
    expect([[...given], [...computed], [...later]]).toEqual([
      [1, 2, 3],
      [2, 4, 6],
      [2, 4, 6],
    ]);
  });

  test('copies the array that a tensor is made of', async () => {
    await open(1);
    const values = Float32Array.of(1, 2, 3);
    const tensor = tf.tensor1d(values);
    values.fill(0);
    expect([...tensor.dataSync()]).toEqual([1, 2, 3]);
    tensor.dispose();
  });

  test('keeps parts of a tensor that is gone', async () => {
    await open(1);
    const whole = tf.tensor1d([1, 2, 3, 4]);
    const integers = tf.tensor1d([5, 6, 7, 8], 'int32');
    const parts = [tf.slice(whole, 1, 2), ...tf.split(integers, 2), tf.reshape(whole, [2, 2])];
    tf.dispose([whole, integers]);
    const others = [tf.fill([4], 0), tf.fill([4], 0, 'int32')];
    expect(parts.map((part) => [...part.dataSync()])).toEqual([
      [2, 3],
      [5, 6],
      [7, 8],
      [1, 2, 3, 4],
    ]);
    tf.dispose([...parts, ...others]);
  });

  test('says how much memory is needed, used and allowed, and works on', async () => {
    const { memory } = await open(1, 4 * 2 ** 20);
    const kept = tf.fill([2 ** 19], 1);
    expect(() => tf.fill([2 ** 20], 1)).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        message: 'out of tensor memory: 4.00 MiB more are needed, 2.00 MiB are in use, the limit is 4.00 MiB',
      }),
    );
    const total = tf.sum(kept);
    expect(total.dataSync()[0]).toBe(2 ** 19);
    tf.dispose([kept, total]);
    expect(memory().bytesInUse).toBe(0);
  });

  test('refuses an index that is not in the table, and says where it is', async () => {
    await open(1);
    tf.tidy(() => {
      const table = tf.ones([5, 2]);
      expect(() => tf.gather(table, tf.tensor1d([0, 5], 'int32'))).toThrow('gather: index 5 at place 1 is not below 5');
    });
  });

  test('can be opened again, and never twice at once', async () => {
    const first = await open(2);
    await expect(openWasmBackend(1)).rejects.toThrow('already open');
    await first.close();
    await first.close();
    expect(tf.findBackend('wasm')).toBeNull();
    await open(2);
    const x = tf.tidy(() => tf.add(tf.tensor1d([1]), 1));
    expect([...x.dataSync()]).toEqual([2]);
    x.dispose();
  });
});
