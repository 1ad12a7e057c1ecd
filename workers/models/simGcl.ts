/**
 * SimGCL: J. Yu et al., "Are graph augmentations necessary? Simple graph contrastive learning for recommendation", SIGIR 2022; and
 * XSimGCL: J. Yu et al., "XSimGCL: towards extremely simple graph contrastive learning for recommendation", TKDE 2023. LightGCN
 * without E⁽⁰⁾ in the mean; after each product with the graph, rows are moved a little within their orthants. Beside BPR, InfoNCE
 * tells the two views of each node of the batch from those of the others: two draws of noise (SimGCL), or the mean of the layers and
 * one of them, of the very pass that BPR learns from (XSimGCL).
 */
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { fullSoftmaxCrossEntropy } from '../tensor/operations/fullSoftmaxCrossEntropy.ts';
import { signNoise } from '../tensor/operations/signNoise.ts';
import { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
import { squaredNorms } from '../tensor/operations/squaredNorms.ts';
import { unitRows } from '../tensor/operations/unitRows.ts';
import type { SparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';
import { type FactorNetwork, jointModel, nodeTriples, type TripleBatch } from './factorNetwork.ts';
import type { MfModel } from './mfBpr.ts';
import { matrixOf } from './namedParameters.ts';
import type { StepDraw } from './sequenceNetwork.ts';

export interface SimGclOptions {
  /** K, products with the graph, at least 1. */
  readonly layers: number;
  /** `two-draws`: SimGCL; otherwise XSimGCL, with this layer, from 1, as the second view. */
  readonly views: 'two-draws' | { readonly layer: number };
  /** ε, how far noise moves each row. */
  readonly noise: number;
  /** τ */
  readonly temperature: number;
  /** What InfoNCE counts beside BPR. */
  readonly contrast: number;
  readonly regularization: number;
}

/** A joint network of factors (`nodes`), users first, over a graph. */
export interface SimGcl {
  readonly factors: FactorNetwork;
  /** (users + items)², symmetric and normalised. */
  readonly graph: SparseTensor;
  readonly options: SimGclOptions;
}

interface Pass {
  /** [users + items, d] The mean of the layers. */
  rows: tf.Tensor2D;
  /** Each layer, the first after one product. */
  layers: tf.Tensor2D[];
}

/** One pass through the layers; `draw` moves rows, `site` tells draws of one step apart. */
function pass({ factors, graph, options }: SimGcl, draw: StepDraw | null, site = 0): Pass {
  let last: tf.Tensor2D = matrixOf(factors.parameters, 'nodes');
  const layers: tf.Tensor2D[] = [];
  for (let layer = 0; layer < options.layers; layer++) {
    last = sparseDenseProduct(graph, last);
    if (draw !== null) last = signNoise(last, { ...draw, site: site + layer, size: options.noise });
    layers.push(last);
  }
  return { rows: tf.mul(tf.addN(layers), 1 / layers.length), layers };
}

/**
 * BPR over the batch, the contrast of its users and of its items, and λ/2 times the mean of the squared norms of the three nodes'
 * own embeddings: a scalar, differentiable in the nodes.
 */
export function simGclLoss(network: SimGcl, batch: TripleBatch, draw: StepDraw): tf.Scalar {
  const { options, factors } = network;
  const { users, positives, negatives } = nodeTriples(batch, factors.shape.userCount);
  const { views } = options;
  const learnt = pass(network, views === 'two-draws' ? null : draw);
  const hidden = embeddingLookup(learnt.rows, users); // (triples, d)
  const ranked = bayesianPersonalisedRanking({ hidden, table: learnt.rows, positives, negatives });
  const terms: tf.Tensor[] = [ranked];
  if (options.contrast > 0) {
    const [first, second] =
      views === 'two-draws'
        ? [pass(network, draw).rows, pass(network, draw, options.layers).rows]
        : [learnt.rows, learnt.layers[views.layer - 1]!];
    for (const nodes of [users, positives]) {
      const met = Int32Array.from(new Set(nodes));
      terms.push(
        tf.mul(
          infoNce(embeddingLookup(first, met), embeddingLookup(second, met), options.temperature),
          options.contrast,
        ),
      );
    }
  }
  if (options.regularization > 0) {
    const met = Int32Array.of(...users, ...positives, ...negatives);
    const own = squaredNorms(matrixOf(factors.parameters, 'nodes'), met);
    terms.push(tf.mul(own, options.regularization / (2 * users.length)));
  }
  return tf.addN(terms) as tf.Scalar;
}

/** Mean of -ln of the share of a node's own other view among all other views, by e^(cosine / τ). Views [nodes, d]. */
function infoNce(first: tf.Tensor2D, second: tf.Tensor2D, temperature: number): tf.Scalar {
  const targets = Int32Array.from({ length: first.shape[0] }, (_, node) => node);
  const hidden: tf.Tensor2D = tf.mul(unitRows(first), 1 / temperature);
  return fullSoftmaxCrossEntropy({ hidden, table: unitRows(second), targets });
}

/** The rows that score, without noise, copied out. */
export function simGclModel(network: SimGcl): Promise<MfModel> {
  return jointModel(
    tf.tidy(() => pass(network, null).rows),
    network.factors.shape.userCount,
  );
}
