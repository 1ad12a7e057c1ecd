import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { networkLearner } from '#workers/training/networkLearner.ts';
import { quietObserver, train as trainToEnd } from '#workers/training/trainLoop.ts';

let close = async (): Promise<void> => undefined;
beforeAll(async () => {
  const opened = await openBackend({ forced: 'wasm', threads: 1 });
  close = () => opened.close();
});
afterAll(() => close());

interface Slopes {
  /** What the loss adds for a parameter, and its slope. */
  loss: number;
  slope: number;
}

/** Three steps an epoch down a slope of 1, but where `at` says otherwise for a step; what was kept, and how it ended. */
async function train(names: readonly string[], at: Readonly<Record<number, Slopes>>) {
  const parameters = new Map(names.map((name, place) => [name, tf.variable(tf.tensor1d([place + 3, 4]))]));
  const checkpoints: number[] = [];
  let validations = 0;
  const term = (variable: tf.Variable, { loss, slope }: Slopes): tf.Scalar => {
    const wanted = tf.customGrad((x) => ({
      value: tf.scalar(loss),
      gradFunc: () => tf.fill((x as tf.Tensor).shape, slope),
    }));
    return wanted(variable) as tf.Scalar;
  };
  const observer = quietObserver({ checkpoint: (step) => checkpoints.push(step) });
  const learner = networkLearner({
    network: {
      parameters,
      loss: (_, { step }) =>
        [...parameters.values()]
          .map((variable) => term(variable, at[step + 1] ?? { loss: 1, slope: 1 }))
          .reduce((a, b) => tf.add(a, b)),
    },
    optimizer: { name: 'sgd', learningRate: 0.5, weightDecay: 0, momentum: 0 },
    batches: { batchesPerEpoch: 3, epoch: () => [1, 2, 3], sizeOf: () => ({ positions: 1, tokens: 1 }) },
    ...{ seed: 1, epochs: 4, patience: 0, keepsBest: true, observer },
    throwIfCancelled: () => undefined,
  });
  const ended = trainToEnd(learner, {
    ...{ epochs: 4, evaluateEvery: 1, checkpointEvery: 1, observer },
    validate: async () => ({ metrics: {}, score: validations++ }),
    test: async () => undefined,
  });
  const message = await ended.then(
    () => 'trained',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { message, checkpoints, validations };
}

test('a loss that is not finite ends training with step, batch and norms; the checkpoint is from the last good epoch', async () => {
  const { message, checkpoints } = await train(['items'], { 8: { loss: Number.NaN, slope: 2 } });
  // [3, 4] after seven steps of 0.5 down a slope of 1
  const norm = Math.hypot(3 - 3.5, 4 - 3.5).toPrecision(4);
  expect(message).toBe(
    'training diverged at step 8, epoch 3, batch 2 of 3: the loss is NaN. Choose a smaller learningRate than 0.5. ' +
      `Norms before the step: items ${norm} (gradient ${Math.hypot(2, 2).toPrecision(4)})`,
  );
  expect(checkpoints).toEqual([1, 2]);
});

test('values that are not finite after losses that are end training before they are validated or kept', async () => {
  const { message, checkpoints, validations } = await train(['items'], {
    9: { loss: 1, slope: Number.POSITIVE_INFINITY },
  });
  expect(message).toMatch(/diverged in epoch 3, by step 9: its losses are finite, but there are values in items/);
  expect(message).toMatch(/Norms: items Infinity$/);
  expect(checkpoints).toEqual([1, 2]);
  expect(validations).toBe(2);
});

test('of many parameters the largest are named, and what all have together', async () => {
  const names = Array.from({ length: 9 }, (_, place) => `p${place}`);
  const { message } = await train(names, { 1: { loss: Number.POSITIVE_INFINITY, slope: 0 } });
  const all = Math.hypot(...names.flatMap((_, place) => [place + 3, 4])).toPrecision(4);
  expect(message).toContain(`Norms before the step: all ${all} (gradient 0.000), p8 11.70 (gradient 0.000), p7`);
  expect(message).toMatch(/p3 \S+ \(gradient 0.000\), and 3 smaller ones$/);
});
