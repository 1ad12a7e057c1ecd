/**
 * SR-GNN: S. Wu et al., "Session-based recommendation with graph neural networks", AAAI 2019, Section 3. Each prefix of a sequence
 * is a graph of its items; gated units mix each node with those before and after it (Eqs. 1 to 5), soft attention led by the last
 * item sums them up (Eq. 6), and one matrix joins the sum with the last item (Eq. 7). Edges count once, as in the authors' code.
 *
 * In the first step nodes of the same item are alike, so all products with matrices are of the distinct items of the batch, and only
 * their means over edges are of nodes.
 */
import { batchSparseProduct } from '../tensor/operations/batchSparseProduct.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { linear } from '../tensor/operations/linear.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialMatrix, initialUniform } from './initialValues.ts';
import { affine, matrixOf, type Parameters, vectorOf } from './namedParameters.ts';
import type { SequenceInput, SequenceNetwork } from './sequenceNetwork.ts';
import { checkSessionMemory } from './orderedSessions.ts';
import { heardMeans, type SessionGraphs, sessionGraphs } from './sessionGraphs.ts';

export interface SrGnnShape {
  itemCount: number;
  dimension: number;
  /** Times that nodes hear one another, T. */
  steps: number;
  /** Longer sequences are cut to their last items. */
  maximumLength: number;
}

/** The parameters before training: embeddings from `items`, all else uniform up to 1 / √d, as the authors have it. */
export function initSrGnn(
  { itemCount, dimension: d }: SrGnnShape,
  items: InitialDistribution,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const bound = 1 / Math.sqrt(d);
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, rows: number, columns: number): void => {
    parameters.set(name, initialUniform<tf.Rank.R2>([rows, columns], bound, generatorOf(name)));
  };
  const vector = (name: string, length: number): void => {
    parameters.set(name, initialUniform<tf.Rank.R1>([length], bound, generatorOf(name)));
  };
  parameters.set('items', initialMatrix([itemCount, d], items, generatorOf('items')));
  for (const side of SIDES) {
    matrix(`${side}/weight`, d, d);
    vector(`${side}/bias`, d);
    vector(`${side}/shift`, d);
    matrix(`${side}/gates`, d, 3 * d);
  }
  vector('input/bias', 3 * d);
  matrix('hidden/weight', d, 3 * d);
  vector('hidden/bias', 3 * d);
  for (const part of ['last', 'each']) {
    matrix(`${part}/weight`, d, d);
    vector(`${part}/bias`, d);
  }
  matrix('attention', d, 1);
  matrix('join/weight', 2 * d, d);
  vector('join/bias', d);
  return parameters;
}

const SIDES = ['before', 'after'] as const;

/** SR-GNN as a network over these parameters. */
export function srGnn(parameters: Parameters, shape: SrGnnShape): SequenceNetwork {
  return {
    parameters,
    items: matrixOf(parameters, 'items'),
    maximumLength: shape.maximumLength,
    states: (input) => srGnnStates(parameters, input, shape),
  };
}

/** [positions, d] The states after the tokens asked for, each of the graph of its prefix. Throws OUT_OF_MEMORY. */
export function srGnnStates(
  parameters: Parameters,
  input: SequenceInput,
  { dimension, steps }: SrGnnShape,
): tf.Tensor2D {
  // of each node some 20 rows for each step and 8 in the end are kept for the gradient; nothing is of pairs
  checkSessionMemory(input, { numbersPerNode: dimension * (20 * steps + 8), numbersPerPair: 0 });
  const graphs = sessionGraphs(input);
  let rows = embeddingLookup(matrixOf(parameters, 'items'), graphs.items); // (distinct items, d)
  let rowOf: Int32Array = graphs.places;
  for (let step = 0; step < steps; step++) {
    rows = heard(parameters, rows, { graphs, rowOf }); // (nodes, d)
    rowOf = rowOf.map((_, node) => node);
  }
  const nodes = steps === 0 ? embeddingLookup(rows, rowOf) : rows;
  return summedUp(parameters, nodes, graphs);
}

/** [nodes, d] One step of the gated units. rows [rows, d], of which node i has row `rowOf[i]`. */
function heard(
  parameters: Parameters,
  rows: tf.Tensor2D,
  { graphs, rowOf }: { graphs: SessionGraphs; rowOf: Int32Array },
): tf.Tensor2D {
  const d = rows.shape[1];
  const [before, after] = SIDES.map((side) => linear(affine(parameters, side, rows), gatesOf(parameters, side), null));
  const shifts = SIDES.map((side) => linear(rowVector(parameters, `${side}/shift`), gatesOf(parameters, side), null));
  const means = heardMeans(graphs, (node) => rowOf[node]!, rows.shape[0]);
  const messages = tf.concat([before!, after!], 0) as tf.Tensor2D; // (2 rows, 3d)
  const input = tf.add(
    batchSparseProduct(means, messages),
    tf.addN([...shifts, rowVector(parameters, 'input/bias')]),
  ) as tf.Tensor2D; // (nodes, 3d)
  const own = tf.concat([affine(parameters, 'hidden', rows), rows], 1) as tf.Tensor2D; // (rows, 4d)
  const [hidden, earlier] = tf.split(embeddingLookup(own, rowOf), [3 * d, d], 1) as [tf.Tensor2D, tf.Tensor2D];
  const [inputReset, inputUpdate, inputNew] = tf.split(input, 3, 1);
  const [hiddenReset, hiddenUpdate, hiddenNew] = tf.split(hidden, 3, 1);
  const reset = tf.sigmoid(tf.add(inputReset!, hiddenReset!));
  const update = tf.sigmoid(tf.add(inputUpdate!, hiddenUpdate!));
  const next = tf.tanh(tf.add(inputNew!, tf.mul(reset, hiddenNew!)));
  return tf.add(earlier, tf.mul(update, tf.sub(next, earlier))) as tf.Tensor2D;
}

/** [sessions, d] Attention over the nodes of each session, led by the last, and the last itself. nodes [nodes, d]. */
function summedUp(parameters: Parameters, nodes: tf.Tensor2D, graphs: SessionGraphs): tf.Tensor2D {
  const last = embeddingLookup(nodes, graphs.lastNodes); // (sessions, d)
  const led = embeddingLookup(affine(parameters, 'last', last), graphs.sessionOf); // (nodes, d)
  const gate = tf.sigmoid(tf.add(led, affine(parameters, 'each', nodes))) as tf.Tensor2D;
  const weights = linear(gate, matrixOf(parameters, 'attention'), null); // (nodes, 1)
  const sum = batchSparseProduct(graphs.counts, tf.mul(nodes, weights)); // (sessions, d)
  return affine(parameters, 'join', tf.concat([sum, last], 1) as tf.Tensor2D);
}

const gatesOf = (parameters: Parameters, side: string): tf.Variable<tf.Rank.R2> =>
  matrixOf(parameters, `${side}/gates`);

const rowVector = (parameters: Parameters, name: string): tf.Tensor2D =>
  tf.expandDims(vectorOf(parameters, name), 0) as tf.Tensor2D;
