import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cl4SRecKind } from '#src/catalog/kinds/cl4SRec.ts';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { cl4SRecLoss, initCl4SRec, viewContrast } from '#workers/models/cl4SRec.ts';
import { MASKED } from '#workers/models/maskedItems.ts';
import { sasRec } from '#workers/models/sasRec.ts';
import { sequenceLoss } from '#workers/models/sequenceNetwork.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { CHANGES, viewedBatches } from '#workers/training/batches/viewedBatches.ts';
import { datasetOf } from '../data/dataFiles.ts';

const SHAPE = { itemCount: 13, dimension: 6, maximumLength: 9, blocks: 1, heads: 2 };
const SHARES = { crop: 0.6, mask: 0.3, reorder: 0.6 };
const training = leaveOneOut(
  datasetOf(
    [
      [1, 4, 5, 9, 2, 6, 3, 0, 7],
      [12, 0, 1, 2],
      [7, 8, 9, 10, 11, 3],
      [1, 2, 3],
    ],
    13,
  ),
);
const batches = viewedBatches(training, { batchSize: 8, maximumLength: 9, negatives: 1, shares: SHARES });
const drawn = (seed: number) => {
  const streams = { order: randomGenerator(seed, 'order'), negatives: randomGenerator(seed, 'negatives') };
  return [...batches.epoch(streams)][0]!;
};

/** Mean of -ln of each row's share for its partner among all others. */
function slowContrast(views: readonly number[][], temperature: number): number {
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * b[at]!, 0) / temperature;
  const half = views.length / 2;
  const terms = views.map((view, at) => {
    const others = views.filter((_, other) => other !== at).map((other) => Math.exp(product(view, other)));
    return Math.log(others.reduce((sum, value) => sum + value, 0)) - product(view, views[(at + half) % views.length]!);
  });
  return terms.reduce((sum, term) => sum + term, 0) / views.length;
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test('views are told from all others, with the slopes of differences', () => {
    const rows = Array.from({ length: 6 }, (_, row) => Array.from({ length: 4 }, (__, c) => Math.sin(9 * row + 5 * c)));
    const tensor = tf.tensor2d(rows);
    const { value, grad } = tf.valueAndGrad((views) => viewContrast(views as tf.Tensor2D, 0.7))(tensor);
    expect(value.dataSync()[0]).toBeCloseTo(slowContrast(rows, 0.7), 5);
    const slopes = grad.dataSync();
    for (const at of [0, 7, 14, 23]) {
      const moved = (by: number) =>
        slowContrast(
          rows.map((row, r) => row.map((x, c) => (4 * r + c === at ? x + by : x))),
          0.7,
        );
      expect(slopes[at]).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 4);
    }
    tf.dispose([tensor, value, grad]);
  });

  test('the loss is that of SASRec and λ times that of the views, and masks learn', () => {
    const parameters = initCl4SRec(SHAPE, { method: 'normal', deviation: 0.5 }, (name) => randomGenerator(1, name));
    const network = sasRec(parameters, SHAPE, { dropout: 0, pads: 'masked', residual: 'input' });
    const batch = drawn(2);
    expect([...batch.views.items]).toContain(MASKED);
    const options = { loss: 'bpr', contrast: 0.4, temperature: 1 } as const;
    const { value, grads } = tf.variableGrads(
      () => cl4SRecLoss(network, batch, { options, draw: null }),
      [...parameters.values()],
    );
    const expected = tf.tidy(() => {
      const views = viewContrast(network.states(batch.views, null), 1).dataSync<'float32'>()[0]!;
      return sequenceLoss(network, batch, { loss: 'bpr', draw: null }).dataSync<'float32'>()[0]! + 0.4 * views;
    });
    expect(value.dataSync()[0]).toBeCloseTo(expected, 5);
    const forMask = grads[parameters.get('mask')!.name]!.dataSync<'float32'>();
    expect(forMask.some((slope) => slope !== 0)).toBe(true);
    tf.dispose([value, grads, [...parameters.values()]]);
  });
});

test('every user has two views, never empty, the same for the same streams', () => {
  const batch = drawn(1);
  const { layout, items, rows } = batch.views;
  expect(layout.sequences).toBe(2 * batch.layout.sequences);
  expect([...rows!]).toEqual([...layout.offsets.subarray(1)].map((end) => end - 1));
  expect(items.every((item) => item === MASKED || (item >= 0 && item < 13))).toBe(true);
  expect(drawn(1)).toEqual(batch);
  expect(drawn(2).views.items).not.toEqual(items);
});

test('sequences are cut, masked and put in another order by their shares', () => {
  const sequence = Int32Array.from({ length: 10 }, (_, at) => at);
  const generator = randomGenerator(1, 'views');
  for (let time = 0; time < 20; time++) {
    const cut = CHANGES.crop(sequence, SHARES, generator);
    expect([...cut]).toEqual(Array.from({ length: 6 }, (_, at) => cut[0]! + at));
    const masked = CHANGES.mask(sequence, SHARES, generator);
    expect(masked.filter((item) => item === MASKED).length).toBe(3);
    const reordered = CHANGES.reorder(sequence, SHARES, generator);
    expect([...reordered].sort((a, b) => a - b)).toEqual([...sequence]);
    expect(reordered.filter((item, at) => item === at).length).toBeGreaterThanOrEqual(4);
  }
  const one = Int32Array.of(5);
  for (const change of Object.values(CHANGES)) expect([...change(one, SHARES, generator)]).toEqual([5]);
});

test('a batch whose pairs of views would not fit is refused', () => {
  const { error } = cl4SRecKind.parameters.safeParse({ batchSize: 5000 });
  expect(error!.issues[0]).toMatchObject({ path: ['batchSize'], message: expect.stringMatching(/at most 4096/) });
  expect(cl4SRecKind.parameters.safeParse({ batchSize: 5000, contrast: 0 }).success).toBe(true);
});
