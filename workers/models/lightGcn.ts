/**
 * LightGCN: X. He et al., "LightGCN: simplifying and powering graph convolution network for recommendation", SIGIR 2020,
 * Section 3. Users and items are the nodes of their bipartite graph; E⁽ᵏ⁺¹⁾ = D^-1/2 A D^-1/2 E⁽ᵏ⁾, and what scores by products is
 * the mean of E⁽⁰⁾ … E⁽ᴷ⁾ (α_k = 1 / (K + 1)), of which E⁽⁰⁾ alone is trained.
 */
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
import { squaredNorms } from '../tensor/operations/squaredNorms.ts';
import type { SparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';
import { type FactorNetwork, jointModel, nodeTriples, type TripleBatch } from './factorNetwork.ts';
import type { MfModel } from './mfBpr.ts';

/** A joint network of factors (`nodes`), users first, over a graph. */
export interface LightGcn {
  readonly factors: FactorNetwork;
  /** (users + items)², symmetric and normalised. */
  readonly graph: SparseTensor;
  /** K, products with the graph. */
  readonly layers: number;
}

/** [users + items, d] The mean of the layers. */
export function lightGcnRows({ factors, graph, layers }: LightGcn): tf.Tensor2D {
  return tf.tidy(() => {
    let last: tf.Tensor2D = nodesOf(factors);
    let sum = last;
    for (let layer = 0; layer < layers; layer++) {
      last = sparseDenseProduct(graph, last);
      sum = tf.add(sum, last);
    }
    return tf.mul(sum, 1 / (layers + 1));
  });
}

/**
 * Mean of -ln σ(score of the item - score of the other) over the batch, and λ/2 times the mean of the squared norms of the
 * three nodes' own embeddings (Eq. 15, over the batch as in the authors' code): a scalar, differentiable in the nodes.
 */
export function lightGcnLoss(network: LightGcn, batch: TripleBatch, regularization: number): tf.Scalar {
  const rows = lightGcnRows(network);
  const { users, positives, negatives } = nodeTriples(batch, network.factors.shape.userCount);
  const hidden = embeddingLookup(rows, users); // (triples, d)
  const ranked = bayesianPersonalisedRanking({ hidden, table: rows, positives, negatives });
  if (regularization === 0) return ranked;
  const met = Int32Array.of(...users, ...positives, ...negatives);
  const own = squaredNorms(nodesOf(network.factors), met);
  return tf.add(ranked, tf.mul(own, regularization / (2 * users.length))) as tf.Scalar;
}

/** The means of the layers, copied out. */
export function lightGcnModel(network: LightGcn): Promise<MfModel> {
  return jointModel(lightGcnRows(network), network.factors.shape.userCount);
}

function nodesOf({ parameters }: FactorNetwork): tf.Variable<tf.Rank.R2> {
  return parameters.get('nodes') as tf.Variable<tf.Rank.R2>;
}
