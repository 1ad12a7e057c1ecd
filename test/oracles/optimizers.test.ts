import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tf } from '#workers/tensor/tf.ts';
import type { OptimizerSettings } from '#src/catalog/optimizers/optimizers.ts';
import {
  disposeOptimizer,
  initOptimizer,
  restoreOptimizer,
  saveOptimizer,
} from '#workers/training/optimizers/optimizerState.ts';
import { stepOptimizer } from '#workers/training/optimizers/stepOptimizer.ts';
import { TEST_BACKENDS } from '../backends/backends.ts';
import { oracleFile } from './oracleFile.ts';
import torchOptimizers from './torchOptimizers.json';
import { tracedOptimizers } from './tracedOptimizer.ts';

const matrix = z.array(z.array(z.number()));
const { traces } = oracleFile(
  'sevo.json',
  z.object({
    traces: z.object({
      adjacency: matrix,
      E0: matrix,
      gradients: z.array(matrix),
      runs: z.array(
        z.object({
          name: z.string(),
          hyper: z.object({
            lr: z.number(),
            momentum: z.number(),
            beta1: z.number(),
            beta2: z.number(),
            beta: z.number(),
            L: z.number(),
            eps: z.number(),
            weight_decay: z.number(),
          }),
          results: z.record(z.string(), z.array(matrix)),
        }),
      ),
    }),
  }),
);

type Run = (typeof traces.runs)[number];
type Hyper = Run['hyper'];

/** The optimizers whose traces are PyTorch's formulas with the smoothing of SEvo put in at the variation. */
const VARIANTS = tracedOptimizers(Object.keys(traces.runs[0]!.results))
  .filter(({ method, momentCorrection, epsilonInRoot }) => !epsilonInRoot && !(method === 'adamw' && momentCorrection))
  .map(({ variant, method }) => ({
    variant,
    settings: (hyper: Hyper): OptimizerSettings => (method === 'sgd' ? sgd(hyper) : adam(method, hyper)),
  }));

function sgd({ lr, momentum, weight_decay }: Hyper): OptimizerSettings {
  return { name: 'sgd', learningRate: lr, momentum, weightDecay: weight_decay };
}

function adam(name: 'adam' | 'adamw', { lr, beta1, beta2, eps, weight_decay }: Hyper): OptimizerSettings {
  return { name, learningRate: lr, beta1, beta2, epsilon: eps, weightDecay: weight_decay };
}

/** SEvo eq. 7 with the dense normalised adjacency. */
function rescaledSmoothing({ beta, L }: Hyper): (variation: tf.Tensor) => tf.Tensor {
  const degrees = traces.adjacency.map((row) => row.reduce((sum, value) => sum + value, 0));
  const normalised = traces.adjacency.map((row, i) =>
    row.map((value, j) => (value === 0 ? 0 : value / Math.sqrt(degrees[i]! * degrees[j]!))),
  );
  return (variation) => {
    const graph = tf.tensor2d(normalised);
    let term = variation as tf.Tensor2D;
    let sum = variation as tf.Tensor2D;
    for (let layer = 1; layer <= L; layer++) {
      term = tf.mul(tf.matMul(graph, term), beta);
      sum = tf.add(sum, term);
    }
    return tf.mul(sum, (1 - beta) / (1 - beta ** (L + 1)));
  };
}

function greatestDifference(tensor: tf.Tensor, expected: number[][]): number {
  const values = tensor.dataSync();
  return Math.max(...expected.flat().map((value, at) => Math.abs(value - values[at]!)));
}

const columns = z.array(z.array(z.number()));
const group = z.object({ lr: z.number(), weight_decay: z.number() });
/** Made by torch.optim in double precision from random starts and gradients; see README.md. */
const torch = z
  .object({
    start: columns,
    gradients: z.array(columns),
    cases: z.array(
      z.object({
        name: z.enum(['sgd', 'adam', 'adamw', 'rmsprop', 'adagrad']),
        settings: group.extend({
          momentum: z.number().default(0),
          beta1: z.number().default(0),
          beta2: z.number().default(0),
          alpha: z.number().default(0),
          eps: z.number().default(0),
          max_norm: z.number().optional(),
        }),
        own: group,
        trace: z.array(columns),
      }),
    ),
  })
  .parse(torchOptimizers);

type TorchCase = (typeof torch.cases)[number];

function torchSettings({
  name,
  settings: { lr, momentum, beta1, beta2, alpha, eps, weight_decay, max_norm },
}: TorchCase): OptimizerSettings {
  const common = { learningRate: lr, weightDecay: weight_decay, maximumGradientNorm: max_norm };
  return { name, ...common, momentum, beta1, beta2, decay: alpha, epsilon: eps };
}

describe.each(TEST_BACKENDS)('on $label', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let tensors = 0;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  beforeEach(() => {
    tensors = tf.memory().numTensors;
  });
  afterEach(() => {
    expect(tf.memory().numTensors).toBe(tensors);
  });

  describe.each(VARIANTS)('$variant', ({ variant, settings }) => {
    test.each(traces.runs)('follows the ten steps of run $name', ({ hyper, results }) => {
      const start = tf.tensor2d(traces.E0);
      const parameters = new Map([['items', tf.variable(start)]]);
      const smoothing = rescaledSmoothing(hyper);
      const optimizer = initOptimizer(parameters, settings(hyper), () => ({ smoothing }));
      const differences = traces.gradients.map((values, step) => {
        const gradient = tf.tensor2d(values);
        stepOptimizer(optimizer, new Map([['items', gradient]]));
        gradient.dispose();
        return greatestDifference(parameters.get('items')!, results[variant]![step]!);
      });
      // Variations go up to lr × 10 steps; single precision.
      expect(Math.max(...differences)).toBeLessThan(2e-6);
      disposeOptimizer(optimizer);
      tf.dispose([start, parameters.get('items')!]);
    });
  });

  test.each(torch.cases)("two groups follow PyTorch's $name of $settings", (given) => {
    const starts = torch.start.map((values) => tf.tensor1d(values));
    const parameters = new Map([
      ['plain', tf.variable(starts[0]!)],
      ['other', tf.variable(starts[1]!)],
    ]);
    const own = { learningRate: given.own.lr, weightDecay: given.own.weight_decay };
    const optimizer = initOptimizer(parameters, torchSettings(given), (name) => (name === 'other' ? own : {}));
    const differences = torch.gradients.flatMap(([plain, other], step) => {
      const gradients = { plain: tf.tensor1d(plain!), other: tf.tensor1d(other!) };
      stepOptimizer(optimizer, gradients);
      tf.dispose(gradients);
      return [...parameters.values()].map((parameter, which) =>
        greatestDifference(parameter, [given.trace[step]![which]!]),
      );
    });
    expect(Math.max(...differences)).toBeLessThan(1e-6);
    disposeOptimizer(optimizer);
    tf.dispose([...starts, ...parameters.values()]);
  });

  test('a state that was saved and restored goes on as if nothing had been', async () => {
    const start = tf.tensor2d(traces.E0);
    const items = tf.variable(start);
    const parameters = new Map([['items', items]]);
    const settings = adam('adamw', traces.runs[1]!.hyper);
    let optimizer = initOptimizer(parameters, settings);
    const step = (values: number[][]) => {
      const gradient = tf.tensor2d(values);
      stepOptimizer(optimizer, { items: gradient });
      gradient.dispose();
    };
    traces.gradients.slice(0, 5).forEach(step);
    const saved = await saveOptimizer(optimizer);
    const kept = tf.tensor<tf.Rank.R2>(items.dataSync().slice(), items.shape);
    traces.gradients.slice(5).forEach(step);
    const whole = items.dataSync().slice();
    disposeOptimizer(optimizer);
    items.assign(kept);
    optimizer = initOptimizer(parameters, settings);
    restoreOptimizer(optimizer, saved);
    traces.gradients.slice(5).forEach(step);
    expect(items.dataSync()).toEqual(whole);
    disposeOptimizer(optimizer);
    tf.dispose([start, kept, items]);
  });

  test('a tensor that shares the bytes of a parameter keeps its values', () => {
    const start = tf.tensor1d([1, 2, 3]);
    const parameter = tf.variable(start);
    const shared = parameter.clone();
    const optimizer = initOptimizer(new Map([['p', parameter]]), {
      name: 'sgd',
      learningRate: 1,
      momentum: 0,
      weightDecay: 0,
    });
    stepOptimizer(optimizer, { p: start });
    expect([...shared.dataSync()]).toEqual([1, 2, 3]);
    expect([...parameter.dataSync()]).toEqual([0, 0, 0]);
    disposeOptimizer(optimizer);
    tf.dispose([start, shared, parameter]);
  });
});
