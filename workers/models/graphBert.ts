/**
 * Graph-Bert: J. Zhang et al., "Graph-Bert: only attention is needed for learning graph representations", 2020, Section 3. A node is
 * a short sequence, itself and the nodes that it is most intimate with; attributes, role, rank and distance of each are added up
 * (Eqs. 2 to 5), a transformer runs over the sequence, and its mean stands for the node (Eq. 9). Pretrained to recover the graph
 * (Section 4.1): cosines of nodes against D^-1/2 (A + 1) D^-1/2, as in the authors' code. The squared error over all pairs is
 * ‖UᵀU‖² - 2 Σ U ⊙ AU + ‖A‖² of the unit rows U, so that no matrix of all pairs is made.
 */
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { causalAttention } from '../tensor/operations/causalAttention.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { residualDropout } from '../tensor/operations/residualDropout.ts';
import { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
import { unitRows } from '../tensor/operations/unitRows.ts';
import { type SequenceLayout, sequenceLayout } from '../tensor/sequenceLayout.ts';
import type { SparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import { affine, normalised, type Parameters } from './namedParameters.ts';
import { dropoutAt, type StepDraw } from './sequenceNetwork.ts';

export interface GraphBertShape {
  dimension: number;
  layers: number;
  /** A divisor of the dimension. */
  heads: number;
}

/** Of the authors' code. */
const DROPOUT = { hidden: 0.5, attention: 0.3 };
const DEVIATION = 0.02;
const EPSILON = 1e-12;

/** Sequences of nodes, one for each, packed. */
export interface NodeSequences {
  /** (tokens) */
  readonly nodes: Int32Array;
  readonly layout: SequenceLayout;
  /** (tokens) Role, place in the sequence, and distance from the sequence's node. */
  readonly marks: readonly [roles: Int32Array, places: Int32Array, distances: Int32Array];
}

/** Each node with those listed for it behind it. */
export function nodeSequences(
  listed: readonly (readonly number[])[],
  { roles, distances }: { roles: Int32Array; distances: readonly (readonly number[])[] },
): NodeSequences {
  const layout = sequenceLayout(listed.map((others) => others.length + 1));
  const nodes = Int32Array.from(listed.flatMap((others, node) => [node, ...others]));
  const places = Int32Array.from(listed.flatMap((others) => [0, ...others.map((_, at) => at + 1)]));
  const hops = Int32Array.from(distances.flatMap((steps) => [0, ...steps]));
  return { nodes, layout, marks: [nodes.map((node) => roles[node]!), places, hops] };
}

/** (nodes, tokens) The mean of each sequence. */
export function sequenceMeans({ layout }: NodeSequences): SparseMatrix {
  const { offsets, sequences, tokens } = layout;
  const values = new Float64Array(tokens);
  for (let s = 0; s < sequences; s++) values.fill(1 / (offsets[s + 1]! - offsets[s]!), offsets[s], offsets[s + 1]);
  const columns = Uint32Array.from({ length: tokens }, (_, token) => token);
  return { rowCount: sequences, columnCount: tokens, offsets: Uint32Array.from(offsets), columns, values };
}

/** (tokens, d) The sum of the sines and cosines (Vaswani et al., 2017, Section 3.5) of all marks of each token. */
export function markEmbeddings({ nodes, marks }: NodeSequences, d: number): Float32Array {
  const sums = new Float32Array(nodes.length * d);
  for (const numbers of marks) {
    for (const [token, number] of numbers.entries()) {
      for (let c = 0; c < d; c++) {
        const angle = number / 10_000 ** ((c - (c % 2)) / d);
        sums[token * d + c]! += c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
      }
    }
  }
  return sums;
}

/** The parameters before training, as BERT has them: normal with a deviation of 0.02; gains 1, biases 0. */
export function initGraphBert(
  { dimension: d, layers }: GraphBertShape,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const layer = (name: string): void => {
    const from = { method: 'normal', deviation: DEVIATION } as const;
    parameters.set(`${name}/weight`, initialMatrix([d, d], from, generatorOf(name)));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  const normalisation = (name: string): void => {
    parameters.set(`${name}/gain`, initialConstant(d, 1));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  layer('attributes');
  normalisation('inputNorm');
  for (let block = 0; block < layers; block++) {
    const at = `block${block}`;
    for (const name of ['query', 'key', 'value', 'output', 'forward1', 'forward2']) layer(`${at}/${name}`);
    normalisation(`${at}/attentionNorm`);
    normalisation(`${at}/forwardNorm`);
  }
  return parameters;
}

/** What Graph-Bert sees: all of it stays as it is. Whoever makes it disposes the tensors. */
export interface GraphBertInput {
  readonly sequences: NodeSequences;
  /** Of `sequenceMeans`. */
  readonly means: SparseTensor;
  /** [nodes, d] */
  readonly attributes: tf.Tensor2D;
  /** [tokens, d] Of `markEmbeddings`. */
  readonly marks: tf.Tensor2D;
}

/** [nodes, d] What stands for each node; without a draw nothing is dropped. */
export function graphBertRows(
  parameters: Parameters,
  { sequences: { nodes, layout }, means, attributes, marks }: GraphBertInput,
  { shape, draw }: { shape: GraphBertShape; draw: StepDraw | null },
): tf.Tensor2D {
  const own = embeddingLookup(affine(parameters, 'attributes', attributes), nodes); // (tokens, d)
  const first = normalised(parameters, 'inputNorm', tf.add(own, marks), EPSILON);
  let x: tf.Tensor2D = dropout(first, dropoutAt(0, DROPOUT.hidden, draw));
  for (let block = 0; block < shape.layers; block++) {
    const at = `block${block}`;
    const drop = (place: number, rate = DROPOUT.hidden) => dropoutAt(1 + 3 * block + place, rate, draw);
    const attended = causalAttention({
      query: affine(parameters, `${at}/query`, x),
      key: affine(parameters, `${at}/key`, x),
      value: affine(parameters, `${at}/value`, x),
      layout,
      heads: shape.heads,
      causal: false,
      dropout: drop(0, DROPOUT.attention),
    });
    const joined = residualDropout(x, affine(parameters, `${at}/output`, attended), drop(1));
    const y = normalised(parameters, `${at}/attentionNorm`, joined, EPSILON);
    const forward = affine(parameters, `${at}/forward2`, affine(parameters, `${at}/forward1`, y, 'gelu'));
    x = normalised(parameters, `${at}/forwardNorm`, residualDropout(y, forward, drop(2)), EPSILON);
  }
  return sparseDenseProduct(means, x);
}

/** Mean squared error, over all pairs of nodes, of the cosines of rows [nodes, d] against a symmetric graph: a scalar. */
export function recoveryLoss(rows: tf.Tensor2D, graph: SparseTensor): tf.Scalar {
  const nodes = rows.shape[0];
  const unit = unitRows(rows);
  const all = tf.sum(tf.square(tf.matMul(unit, unit, true, false)));
  const along = tf.sum(tf.mul(unit, sparseDenseProduct(graph, unit)));
  const given = tf.sum(tf.square(graph.plain.values));
  return tf.mul(tf.add(tf.sub(all, tf.mul(along, 2)), given), 1 / nodes ** 2);
}
