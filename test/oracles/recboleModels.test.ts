import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { bsaRec } from '#workers/models/bsaRec.ts';
import { dgcfModel } from '#workers/models/dgcf.ts';
import { factorLoss } from '#workers/models/factorNetwork.ts';
import { gru4Rec } from '#workers/models/gru4Rec.ts';
import { lightGcnModel } from '#workers/models/lightGcn.ts';
import type { MfModel } from '#workers/models/mfBpr.ts';
import { ngcfModel } from '#workers/models/ngcf.ts';
import { packHistories, type SequenceNetwork } from '#workers/models/sequenceNetwork.ts';
import { srGnn } from '#workers/models/srGnn.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { twinsOf } from '#workers/tensor/operations/edgeFactors.ts';
import { sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf } from '../unit/data/dataFiles.ts';
import { oracleFile } from './oracleFile.ts';

const weights = z.record(z.string(), z.array(z.number()));
const graphModel = z.object({ weights, rows: z.array(z.number()) });
const sequenceModel = z.object({
  weights,
  histories: z.array(z.array(z.number())),
  states: z.array(z.array(z.number())),
});
const oracle = oracleFile(
  'recboleModels.json',
  z.object({
    users: z.number(),
    items: z.number(),
    sequences: z.array(z.array(z.number())),
    lightgcn: graphModel,
    ngcf: graphModel,
    dgcf: graphModel,
    srgnn: sequenceModel,
    gru4rec: sequenceModel,
    sasrec: sequenceModel,
    bpr: z.object({ weights, negatives: z.array(z.number()), loss: z.number() }),
  }),
);

const D = 8;
const SHAPE = { userCount: oracle.users, itemCount: oracle.items, dimension: D };
const training = leaveOneOut(datasetOf(oracle.sequences, oracle.items));
const edges = interactionGraph({ dataset: training.dataset, ends: training.trainEnd });

let open: OpenBackend;
beforeAll(async () => {
  open = await openBackend({ forced: 'wasm', threads: 2 });
});
afterAll(() => open.close());

type Weights = z.output<typeof weights>;
const variable = (values: number[], shape: number[]): tf.Variable => tf.variable(tf.tensor(values, shape));
/** PyTorch keeps matrices [out, in]; ours are [in, out]. */
const transposed = (values: number[], [rows, columns]: [number, number]): tf.Variable =>
  tf.variable(tf.transpose(tf.tensor2d(values, [rows, columns])));
const nodesOf = (given: Weights): [string, tf.Variable<tf.Rank.R2>] => [
  'nodes',
  variable(
    [...given['user_embedding.weight']!, ...given['item_embedding.weight']!],
    [oracle.users + oracle.items, D],
  ) as tf.Variable<tf.Rank.R2>,
];

const near = (found: ArrayLike<number>, expected: readonly number[]): void => {
  expect(found.length).toBe(expected.length);
  for (const [at, value] of expected.entries()) expect(Math.abs(found[at]! - value)).toBeLessThan(1e-5);
};

/** RecBole adds 1e-7 to degrees, which shifts weights by 5e-8. */
test.each(['lightgcn', 'ngcf', 'dgcf'] as const)('rows of %s are those of RecBole', async (kind) => {
  const graph = sparseTensor(symmetricNormalisation(edges), { isSymmetric: true });
  const { weights: given, rows } = oracle[kind];
  const factors = { parameters: new Map([nodesOf(given)]), shape: SHAPE };
  const models: Record<typeof kind, () => Promise<MfModel>> = {
    lightgcn: () => lightGcnModel({ factors, graph, layers: 2 }),
    ngcf: () => {
      const parameters = new Map<string, tf.Variable>(factors.parameters);
      const layers = [6, 4];
      for (const [layer, width] of layers.entries()) {
        for (const [part, theirs] of [
          ['sum', 'linear'],
          ['product', 'interActTransform'],
        ] as const) {
          const from = `GNNlayers.${layer}.${theirs}`;
          const matrix = transposed(given[`${from}.weight`]!, [width, layer === 0 ? D : layers[layer - 1]!]);
          parameters.set(`layer${layer}/${part}/weight`, matrix);
          parameters.set(`layer${layer}/${part}/bias`, variable(given[`${from}.bias`]!, [width]));
        }
      }
      return ngcfModel({ parameters, graph, shape: { ...SHAPE, layers }, options: { dropout: 0, handsOn: 'unit' } });
    },
    dgcf: () => {
      const options = {
        factors: 4,
        layers: 2,
        iterations: 2,
        regularization: 0,
        independence: 0,
        independenceNodes: 2,
      };
      return dgcfModel({ factors, edges: { rows: graph.plain, twins: twinsOf(edges) }, options });
    },
  };
  const { users, items } = await models[kind]();
  near([...users, ...items], rows);
  graph.dispose();
});

/** The states of a network after the oracle's histories are those that RecBole has. */
async function expectStates(
  network: SequenceNetwork,
  { histories, states }: z.output<typeof sequenceModel>,
): Promise<void> {
  const input = packHistories(
    histories.map((items) => Uint32Array.from(items)),
    network.maximumLength,
  );
  const found = tf.tidy(() => network.states(input, null));
  near(await found.data<'float32'>(), states.flat());
}

test('states of sr-gnn are those of RecBole', async () => {
  const { weights: given } = oracle.srgnn;
  const linear = (name: string, theirs: string, inputs = D): [string, tf.Variable][] => [
    [`${name}/weight`, transposed(given[`${theirs}.weight`]!, [D, inputs])],
    [`${name}/bias`, variable(given[`${theirs}.bias`]!, [D])],
  ];
  const gates = tf.transpose(tf.tensor2d(given['gnn.w_ih']!, [3 * D, 2 * D]));
  const [before, after] = tf.split(gates, 2, 0);
  const parameters = new Map<string, tf.Variable>([
    ['items', variable(given['item_embedding.weight']!, [oracle.items, D])],
    ...linear('before', 'gnn.linear_edge_in'),
    ...linear('after', 'gnn.linear_edge_out'),
    ['before/shift', variable(given['gnn.b_iah']!, [D])],
    ['after/shift', variable(given['gnn.b_ioh']!, [D])],
    ['before/gates', tf.variable(before!)],
    ['after/gates', tf.variable(after!)],
    ['input/bias', variable(given['gnn.b_ih']!, [3 * D])],
    ['hidden/weight', transposed(given['gnn.w_hh']!, [3 * D, D])],
    ['hidden/bias', variable(given['gnn.b_hh']!, [3 * D])],
    ...linear('last', 'linear_one'),
    ...linear('each', 'linear_two'),
    ['attention', transposed(given['linear_three.weight']!, [1, D])],
    ...linear('join', 'linear_transform', 2 * D),
  ]);
  await expectStates(
    srGnn(parameters, { itemCount: oracle.items, dimension: D, steps: 2, maximumLength: 8 }),
    oracle.srgnn,
  );
});

test('states of gru4rec are those of RecBole', async () => {
  const { weights: given } = oracle.gru4rec;
  const parameters = new Map<string, tf.Variable>([
    ['items', variable(given['item_embedding.weight']!, [oracle.items, D])],
    ['gru0/input', transposed(given['gru_layers.weight_ih_l0']!, [3 * D, D])],
    ['gru0/hidden', transposed(given['gru_layers.weight_hh_l0']!, [3 * D, D])],
    ['dense/weight', transposed(given['dense.weight']!, [D, D])],
    ['dense/bias', variable(given['dense.bias']!, [D])],
  ]);
  const shape = { itemCount: oracle.items, dimension: D, hiddenSize: D, layers: 1, maximumLength: 8 };
  await expectStates(gru4Rec(parameters, shape, { dropout: 0 }), oracle.gru4rec);
});

/** RecBole's SASRec is BERT's block with a causal mask; `sasrec` has the block of its paper. */
test('states of bsarec without its filter are those of SASRec in RecBole', async () => {
  const { weights: given } = oracle.sasrec;
  const parameters = new Map<string, tf.Variable>([
    ['items', variable(given['item_embedding.weight']!, [oracle.items, D])],
    ['positions', variable(given['position_embedding.weight']!, [5, D])],
  ]);
  const norm = (name: string, theirs: string): void => {
    parameters.set(`${name}/gain`, variable(given[`${theirs}.weight`]!, [D]));
    parameters.set(`${name}/bias`, variable(given[`${theirs}.bias`]!, [D]));
  };
  const layer = (name: string, theirs: string, [out, inputs]: [number, number]): void => {
    parameters.set(`${name}/weight`, transposed(given[`${theirs}.weight`]!, [out, inputs]));
    parameters.set(`${name}/bias`, variable(given[`${theirs}.bias`]!, [out]));
  };
  norm('embeddingNorm', 'LayerNorm');
  for (const block of [0, 1]) {
    const at = `block${block}`;
    const from = `trm_encoder.layer.${block}`;
    const attention = `${from}.multi_head_attention`;
    parameters.set(`${at}/root`, tf.variable(tf.ones([D])));
    norm(`${at}/filterNorm`, `${attention}.LayerNorm`);
    for (const name of ['query', 'key', 'value']) layer(`${at}/${name}`, `${attention}.${name}`, [D, D]);
    layer(`${at}/output`, `${attention}.dense`, [D, D]);
    norm(`${at}/attentionNorm`, `${attention}.LayerNorm`);
    layer(`${at}/forward1`, `${from}.feed_forward.dense_1`, [4 * D, D]);
    layer(`${at}/forward2`, `${from}.feed_forward.dense_2`, [D, 4 * D]);
    norm(`${at}/forwardNorm`, `${from}.feed_forward.LayerNorm`);
  }
  const shape = { itemCount: oracle.items, dimension: D, maximumLength: 5, blocks: 2, heads: 2 };
  await expectStates(bsaRec(parameters, shape, { dropout: 0, filterShare: 0, cutoff: 1 }), oracle.sasrec);
});

test('the loss of mf-bpr in batches is that of RecBole', async () => {
  const { weights: given, negatives, loss } = oracle.bpr;
  const parameters = new Map([nodesOf(given)]);
  const batch = {
    users: Int32Array.from(oracle.sequences, (_, user) => user),
    items: Int32Array.from(oracle.sequences, ([first]) => first!),
    others: Int32Array.from(negatives),
  };
  const found = tf.tidy(() => factorLoss({ parameters, shape: SHAPE }, batch));
  near(await found.data<'float32'>(), [loss]);
});
