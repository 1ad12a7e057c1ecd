/**
 * DGCF: X. Wang et al., "Disentangled graph collaborative filtering", SIGIR 2020, Section 3. Embeddings are blocks, a factor each;
 * edges have a weight for each factor, a softmax of what they agreed on before (Eqs. 3 to 9), and each factor is passed on over its
 * own weights. Beside BPR, neighbouring factors are kept apart by their distance correlation (Eqs. 13 and 14, as in the authors' code).
 */
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { type EdgeGraph, edgeDots, edgeSums } from '../tensor/operations/edgeFactors.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { unitRows } from '../tensor/operations/unitRows.ts';
import { squaredNorms } from '../tensor/operations/squaredNorms.ts';
import { tf } from '../tensor/tf.ts';
import { counterBits, counterKey } from '../math/random/counterRandom.ts';
import { type FactorNetwork, jointModel, nodeTriples, type TripleBatch } from './factorNetwork.ts';
import type { MfModel } from './mfBpr.ts';
import { matrixOf } from './namedParameters.ts';
import type { StepDraw } from './sequenceNetwork.ts';

export interface DgcfOptions {
  /** Blocks, a divisor of the dimension. */
  readonly factors: number;
  readonly layers: number;
  /** Times that weights and what is heard settle in each layer. */
  readonly iterations: number;
  readonly regularization: number;
  /** What the distance correlation counts beside BPR. */
  readonly independence: number;
  /** Users, and items, that it is of in a step. */
  readonly independenceNodes: number;
}

/** A joint network of factors (`nodes`), users first, over a graph. */
export interface Dgcf {
  readonly factors: FactorNetwork;
  readonly edges: EdgeGraph;
  readonly options: DgcfOptions;
}

/** [users + items, d] The mean of the embeddings and of all layers. */
export function dgcfRows({ factors: network, edges, options }: Dgcf): tf.Tensor2D {
  const { factors, layers, iterations } = options;
  return tf.tidy(() => {
    let last: tf.Tensor2D = matrixOf(network.parameters, 'nodes');
    const parts = [last];
    let agreed: tf.Tensor2D = tf.ones([edges.rows.columns.size, factors]);
    for (let layer = 0; layer < layers; layer++) {
      const voices = tf.tanh(unitBlocks(last, factors));
      let heard = last;
      for (let iteration = 0; iteration < iterations; iteration++) {
        heard = edgeSums(edges, edgeWeights(edges, agreed), last);
        // nobody asks for what the very last would come to
        if (layer === layers - 1 && iteration === iterations - 1) break;
        agreed = tf.add(agreed, edgeDots(edges, { a: unitBlocks(heard, factors), b: voices, factors }));
      }
      last = heard;
      parts.push(last);
    }
    return tf.mul(tf.addN(parts), 1 / parts.length);
  });
}

/** [edges, factors] Shares of the factors in each edge, normalised by the sums at both ends. agreed [edges, factors]. */
function edgeWeights(edges: EdgeGraph, agreed: tf.Tensor2D): tf.Tensor2D {
  const factors = agreed.shape[1];
  const shares: tf.Tensor2D = tf.softmax(agreed);
  const degrees = edgeSums(edges, shares, tf.ones([edges.rows.shape[0], factors])); // (nodes, factors)
  const scale: tf.Tensor2D = tf.rsqrt(tf.maximum(degrees, 1e-8));
  return tf.mul(shares, edgeDots(edges, { a: scale, b: scale, factors }));
}

/** x [nodes, d] with each factor's block of each row divided by its norm. */
function unitBlocks(x: tf.Tensor2D, factors: number): tf.Tensor2D {
  const [nodes, d] = x.shape;
  return tf.reshape(unitRows(tf.reshape(x, [nodes * factors, d / factors])), [nodes, d]);
}

/**
 * BPR over the batch, the distance correlation of neighbouring factors over nodes drawn for the step, and λ/2 times the mean of the
 * squared norms of the three nodes' own embeddings: a scalar, differentiable in the nodes.
 */
export function dgcfLoss(network: Dgcf, batch: TripleBatch, draw: StepDraw): tf.Scalar {
  const { options, factors } = network;
  const { userCount, itemCount } = factors.shape;
  const table = dgcfRows(network);
  const { users, positives, negatives } = nodeTriples(batch, userCount);
  const hidden = embeddingLookup(table, users); // (triples, d)
  const terms: tf.Tensor[] = [bayesianPersonalisedRanking({ hidden, table, positives, negatives })];
  if (options.independence > 0 && options.factors > 1) {
    const drawn = (site: number, count: number): number[] =>
      drawnNodes({ ...draw, site }, { wanted: options.independenceNodes, count });
    const nodes = Int32Array.from([...drawn(0, userCount), ...drawn(1, itemCount).map((item) => item + userCount)]);
    const dependence = factorDependence(embeddingLookup(table, nodes), options.factors);
    terms.push(tf.mul(dependence, options.independence));
  }
  if (options.regularization > 0) {
    const met = Int32Array.of(...users, ...positives, ...negatives);
    const own = squaredNorms(matrixOf(factors.parameters, 'nodes'), met);
    terms.push(tf.mul(own, options.regularization / (2 * users.length)));
  }
  return tf.addN(terms) as tf.Scalar;
}

/** Distinct nodes of `count`, at most as many as wanted, by the draw: a run of a fixed shuffle would favor neighbors. */
export function drawnNodes(
  draw: StepDraw & { site: number },
  { wanted, count }: { wanted: number; count: number },
): number[] {
  const key = counterKey(draw);
  const met = new Set<number>();
  for (let at = 0; met.size < Math.min(wanted, count) && at < 20 * count; at++) met.add(counterBits(key, at) % count);
  return [...met];
}

/** Sum of the distance correlations of each block and the next, over the number of pairs and blocks. rows [nodes, d]. */
function factorDependence(rows: tf.Tensor2D, factors: number): tf.Tensor {
  const nodes = rows.shape[0];
  const distances = tf.split(rows, factors, 1).map((block) => centredDistances(block as tf.Tensor2D));
  const covariance = (a: tf.Tensor, b: tf.Tensor): tf.Tensor =>
    tf.sqrt(tf.add(tf.relu(tf.mul(tf.sum(tf.mul(a, b)), 1 / nodes ** 2)), 1e-8));
  const own = distances.map((block) => covariance(block, block));
  const correlations = distances.slice(1).map((block, at) => {
    const scale = tf.add(tf.sqrt(tf.mul(own[at]!, own[at + 1]!)), 1e-10);
    return tf.div(covariance(distances[at]!, block), scale);
  });
  return tf.mul(tf.addN(correlations), 2 / ((factors + 1) * factors));
}

/** [nodes, nodes] Euclidean distances of the rows of x [nodes, w], less the means of rows and of columns. */
function centredDistances(x: tf.Tensor2D): tf.Tensor2D {
  const squares = tf.sum(tf.square(x), 1, true); // (nodes, 1)
  const products = tf.matMul(x, x, false, true);
  const squared = tf.sub(tf.add(squares, tf.transpose(squares)), tf.mul(products, 2));
  const distances = tf.sqrt(tf.add(tf.relu(squared), 1e-8));
  const means = tf.add(tf.mean(distances, 0, true), tf.mean(distances, 1, true));
  return tf.add(tf.sub(distances, means), tf.mean(distances)) as tf.Tensor2D;
}

/** The rows that score, copied out. */
export function dgcfModel(network: Dgcf): Promise<MfModel> {
  return jointModel(dgcfRows(network), network.factors.shape.userCount);
}
