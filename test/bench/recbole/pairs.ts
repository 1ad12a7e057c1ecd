import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { realDataset } from '#test/oracles/realDataset.ts';

/** A kind and RecBole's model of the same name, with the same settings for both. */
export interface Pair {
  kind: string;
  model: string;
  /**
   * What an epoch visits once. interactions: pairs of user and item; prefixes: prefixes of training sequences with what came next;
   * users: whole training sequences.
   */
  samples: 'interactions' | 'prefixes' | 'users';
  /** Trained, of both; null for what is fitted at once. */
  epochs: number | null;
  /** Samples of a step. */
  batch: number;
  /** Ours has users for samples where a step predicts after each item of theirs: as many as have `batch` prefixes. */
  packsUsers?: boolean;
  ours: Record<string, unknown>;
  /** Settings that RecBole has as a share of all users, its padding one included. */
  oursPerUser?: Record<string, number>;
  theirs: Record<string, unknown>;
  /** In what they differ by design. */
  differs: string;
}

const DIMENSION = 64;
const LENGTH = 50;
const adam = (learningRate: number) => ({ method: 'adam', learningRate, weightDecay: 0, beta2: 0.999 });
const factors = (learningRate: number) => ({
  ours: { dimension: DIMENSION, optimizer: adam(learningRate) },
  theirs: { embedding_size: DIMENSION, learning_rate: learningRate },
});
const sequences = (learningRate: number) => ({
  ours: { dimension: DIMENSION, maximumLength: LENGTH, optimizer: adam(learningRate) },
  theirs: {
    ...{ MAX_ITEM_LIST_LENGTH: LENGTH, learning_rate: learningRate, train_neg_sample_args: null },
    ...{ embedding_size: DIMENSION, hidden_size: DIMENSION },
  },
});
const USERS_DRAWN = 'here a step draws users and one item of each, there interactions';

/** RecBole's 1.2 and our kinds, quickest first. SimGCL is in RecBole-GNN alone, which PyPI lacks; STAN and LESSR are in neither. */
export const PAIRS: readonly Pair[] = [
  {
    ...{ kind: 'item-knn', model: 'ItemKNN', samples: 'interactions', epochs: null, batch: 2048 },
    ours: { neighbours: 100, shrinkage: 10 },
    theirs: { k: 100, shrink: 10 },
    differs: 'here the neighbors of each item of the history vote, there those of the candidate',
  },
  {
    ...{ kind: 'ease', model: 'EASE', samples: 'interactions', epochs: null, batch: 2048 },
    ours: { l2: 200 },
    theirs: { reg_weight: 200 },
    differs: 'items with a score of 0 or less are not recommended here',
  },
  {
    ...{ kind: 'slim', model: 'SLIMElastic', samples: 'interactions', epochs: null, batch: 2048 },
    ours: {},
    oursPerUser: { l1: 0.2 * 0.02, l2: 0.2 * 0.98 },
    theirs: { alpha: 0.2, l1_ratio: 0.02 },
    differs: 'the same objective',
  },
  {
    ...{ kind: 'mf-bpr', model: 'BPR', samples: 'interactions', epochs: 40, batch: 2048 },
    ours: { ...factors(0.002).ours, triples: 'interactions', init: { method: 'xavier-normal' } },
    theirs: factors(0.002).theirs,
    differs: 'the same samples, loss and start',
  },
  {
    ...{ kind: 'lightgcn', model: 'LightGCN', samples: 'interactions', epochs: 20, batch: 2048 },
    ours: { ...factors(0.005).ours, layers: 2, regularization: 0.00001, init: { method: 'xavier-uniform' } },
    theirs: { ...factors(0.005).theirs, n_layers: 2, reg_weight: 0.00001, require_pow: true },
    differs: USERS_DRAWN,
  },
  {
    ...{ kind: 'ngcf', model: 'NGCF', samples: 'interactions', epochs: 10, batch: 2048 },
    ours: {
      ...factors(0.002).ours,
      ...{ layers: [64, 64, 64], dropout: 0.1, handsOn: 'unit', regularization: 0.00001 },
      init: { method: 'xavier-normal' },
    },
    theirs: {
      ...factors(0.002).theirs,
      ...{ hidden_size_list: [64, 64, 64], message_dropout: 0.1, node_dropout: 0, reg_weight: 0.00001 },
    },
    differs: USERS_DRAWN,
  },
  {
    ...{ kind: 'dgcf', model: 'DGCF', samples: 'interactions', epochs: 5, batch: 2048 },
    ours: {
      ...factors(0.005).ours,
      ...{ factors: 4, layers: 1, iterations: 2, independence: 0.01, regularization: 0.001 },
      init: { method: 'xavier-normal' },
    },
    theirs: {
      ...factors(0.005).theirs,
      ...{ n_factors: 4, n_layers: 1, n_iterations: 2, cor_weight: 0.01, reg_weight: 0.001 },
    },
    differs: USERS_DRAWN,
  },
  {
    ...{ kind: 'bert4rec', model: 'BERT4Rec', samples: 'users', epochs: 100, batch: 64 },
    ours: { ...sequences(0.001).ours, blocks: 2, heads: 2, dropout: 0.2, maskRate: 0.2 },
    theirs: {
      ...sequences(0.001).theirs,
      ...{ n_layers: 2, n_heads: 2, inner_size: 4 * DIMENSION, hidden_act: 'gelu' },
      ...{ hidden_dropout_prob: 0.2, attn_dropout_prob: 0.2, mask_ratio: 0.2, ft_ratio: 0 },
    },
    differs: 'scores are products with a matrix of its own here, with the embeddings there',
  },
  {
    ...{ kind: 'gru4rec', model: 'GRU4Rec', samples: 'prefixes', epochs: 15, batch: 512, packsUsers: true },
    ours: {
      ...sequences(0.001).ours,
      ...{ hiddenSize: DIMENSION, layers: 1, dropout: 0.2, loss: 'softmax', samples: 'positions' },
      init: { method: 'xavier-normal' },
    },
    theirs: { ...sequences(0.001).theirs, num_layers: 1, dropout_prob: 0.2, loss_type: 'CE' },
    differs: 'the same network and loss; a step here has all prefixes of some users',
  },
  {
    ...{ kind: 'sasrec', model: 'SASRec', samples: 'prefixes', epochs: 15, batch: 512, packsUsers: true },
    ours: {
      ...sequences(0.001).ours,
      ...{ blocks: 2, heads: 2, dropout: 0.2, loss: 'softmax', pads: 'masked' },
      init: { method: 'normal', deviation: 0.02 },
    },
    theirs: {
      ...sequences(0.001).theirs,
      ...{ n_layers: 2, n_heads: 2, inner_size: DIMENSION, hidden_act: 'relu', loss_type: 'CE' },
      ...{ hidden_dropout_prob: 0.2, attn_dropout_prob: 0.2 },
    },
    differs:
      'theirs normalizes after each part and the embeddings, too, ours before, as the paper has it; a step here has all prefixes of some users',
  },
  {
    ...{ kind: 'sr-gnn', model: 'SRGNN', samples: 'prefixes', epochs: 4, batch: 512 },
    ours: {
      ...sequences(0.001).ours,
      ...{ steps: 1, loss: 'softmax', samples: 'prefixes' },
      init: { method: 'uniform', deviation: 1 / Math.sqrt(3 * DIMENSION) },
    },
    theirs: { ...sequences(0.001).theirs, step: 1, loss_type: 'CE' },
    differs: 'the same network, samples and loss',
  },
];

/**
 * What a pair learns from: sequences are cut to their last 50, so that both learn after the same items, and items that are then
 * left nowhere are no candidates. Throws where the dataset is in no folder of WARREN_DATA.
 */
export async function datasetOf({ samples }: Pair, name: string): Promise<SequenceDataset> {
  const found = await realDataset(samples === 'interactions' ? { name } : { name, maximumLength: LENGTH });
  if (found === null) throw new Error(`the benchmark needs ${name} in a folder of WARREN_DATA`);
  const left = [...new Set(found.items)].sort((a, b) => a - b);
  const numbers = new Map(left.map((item, number) => [item, number]));
  const items = found.items.map((item) => numbers.get(item)!);
  return { ...found, items, itemCount: left.length, itemIds: left.map((item) => found.itemIds[item]!) };
}
