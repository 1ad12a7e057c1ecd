import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { dgcfModel } from '#workers/models/dgcf.ts';
import { lightGcnModel } from '#workers/models/lightGcn.ts';
import type { MfModel } from '#workers/models/mfBpr.ts';
import { ngcfModel } from '#workers/models/ngcf.ts';
import { packHistories } from '#workers/models/sequenceNetwork.ts';
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
const oracle = oracleFile(
  'recboleModels.json',
  z.object({
    users: z.number(),
    items: z.number(),
    sequences: z.array(z.array(z.number())),
    lightgcn: graphModel,
    ngcf: graphModel,
    dgcf: graphModel,
    srgnn: z.object({
      weights,
      histories: z.array(z.array(z.number())),
      states: z.array(z.array(z.number())),
    }),
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

test('states of sr-gnn are those of RecBole', async () => {
  const { weights: given, histories, states } = oracle.srgnn;
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
  const network = srGnn(parameters, { itemCount: oracle.items, dimension: D, steps: 2, maximumLength: 8 });
  const input = packHistories(
    histories.map((items) => Uint32Array.from(items)),
    8,
  );
  const found = tf.tidy(() => network.states(input, null));
  near(await found.data<'float32'>(), states.flat());
});
