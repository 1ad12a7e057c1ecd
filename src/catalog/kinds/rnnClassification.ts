import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { selectionParameters } from './rntkClassification.ts';
import { cited } from '../published/papers.ts';

export const RNN_NETWORKS = ['rnn-gaussian', 'rnn-identity', 'gru'] as const;

const tried = <Value extends z.ZodType<number, number>>(value: Value, initial: number[], words: string) =>
  z
    .array(value)
    .min(1)
    .max(20)
    .refine((values) => new Set(values).size === values.length, 'expected each value once')
    .default(initial as z.output<Value>[])
    .describe(`${words} Default ${initial.join(', ')}, the paper's.`);

export const rnnClassificationParameters = z.strictObject({
  network: z
    .enum(RNN_NETWORKS)
    .default('gru')
    .describe(
      'rnn-gaussian: ReLU layers, standard normal parameters scaled in the forward pass (σ_w = σ_v = √2, σ_u = 1, no biases); rnn-identity: ReLU layers that start from the identity; gru: gated units that start uniform on ±1/√n. Default gru.',
    ),
  layers: tried(z.int().min(1).max(8), [1, 2], 'Recurrent layers that are tried. More take longer.'),
  widths: tried(
    z.int().min(1).max(4096),
    [50, 100, 200, 500],
    'Hidden units of each layer that are tried. More can fit more; time grows with the square.',
  ),
  learningRates: tried(
    z.number().positive().max(10),
    [0.01, 0.001, 0.0001, 0.00001],
    'Learning rates of RMSProp that are tried. More learns faster and less steadily.',
  ),
  epochs: z
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .describe('Most passes over the training series. Default 200. More fits closer.'),
  patience: z
    .int()
    .min(0)
    .max(10_000)
    .default(5)
    .describe(
      'A network of the cross-validation stops after so many epochs without a better accuracy on its held-out fold; 0 trains all epochs. Default 5, the paper’s. More waits longer.',
    ),
  batchSize: z
    .int()
    .min(1)
    .max(100_000)
    .default(32)
    .describe('Series of a step. Default 32; the paper does not say. More makes fewer, steadier steps.'),
  decay: z
    .number()
    .min(0)
    .lt(1)
    .default(0.99)
    .describe('RMSProp’s decay of the running mean of squared gradients. Default 0.99, PyTorch’s. More is smoother.'),
  scaling: z
    .enum(['none', 'unit-norm'])
    .default('none')
    .describe(
      'none: series as the archive has them; unit-norm: each scaled to Euclidean norm 1, as the kernels’ are. Default none; the paper says it of the kernels alone.',
    ),
  folds: z
    .int()
    .min(2)
    .max(50)
    .default(5)
    .describe(
      'Folds of the cross-validation on the training series, 2 to 50. Default 5. More train on more, and take longer.',
    ),
  tested: z
    .enum(['folds', 'retrained', 'all-epochs'])
    .default('folds')
    .describe(
      'folds: test/accuracy is the mean over the networks of the folds, each with the parameters of its best epoch; retrained: one network, trained on all training series for the median of those epochs, where it stops anywhere on a noisy curve; all-epochs: the same, trained for all `epochs`. Default folds; the paper does not say.',
    ),
  ties: selectionParameters.ties,
  requires: z
    .enum(['any', 'gpu'])
    .default('any')
    .describe(
      'What it computes on: any worker, or only one with a graphics processor, for which the run then waits. Default any. It changes speed, not results.',
    ),
});

export type RnnClassificationParameters = z.output<typeof rnnClassificationParameters>;

const DATASETS = ['GunPoint', 'Trace', 'Beef', 'SyntheticControl'];
const paper: Preset[] = DATASETS.flatMap((name) =>
  RNN_NETWORKS.map((network) => ({
    name: `rntk/classification-${network}-${name.toLowerCase()}`,
    description: `${name}, ${network}, the paper's grid: a cell of Table 2. Hours on a processor.`,
    dataset: `ucr/${name}`,
    parameters: { network },
  })),
);
const small: Preset[] = RNN_NETWORKS.map((network) => ({
  name: `rntk/classification-${network}-small`,
  description: `SmoothSubspace, ${network}, one layer of 50 units, two learning rates, and more patience than the paper’s: a minute.`,
  dataset: 'ucr/SmoothSubspace',
  parameters: { network, layers: [1], widths: [50], learningRates: [0.01, 0.001], batchSize: 8, patience: 30 },
}));

export const rnnClassificationKind: BuiltInKind<'rnn-classification', typeof rnnClassificationParameters> = {
  kind: 'rnn-classification',
  version: 1,
  title: 'Series classification with finite recurrent networks',
  description:
    'The trained networks beside which RNTK is put: recurrent layers read a series, the last state is read out to the classes, RMSProp trains on cross-entropy. Layers, width and learning rate are those with most held-out series predicted right in a stratified cross-validation on the training part, each fold at its best epoch; the networks of that combination then predict the test part (`tested`).',
  source: cited('rntk', 'Section 4, Appendix A.1 (Finite-width RNN settings), Tables 1 and 2'),
  parameters: rnnClassificationParameters,
  data: 'series',
  presets: [...paper, ...small],
  primaryMetric: 'test/accuracy',
};
