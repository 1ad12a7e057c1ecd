/**
 * BERT4Rec: F. Sun et al., "BERT4Rec: sequential recommendation with bidirectional encoder representations from Transformer",
 * CIKM 2019, Section 3, in the form of SEvo's authors: x ← LN(e + p) of items and positions, blocks y = LN(x + A(x)),
 * x ← LN(y + F(y)) in which every token sees its whole sequence and F has d → 4d → d with GELU, then logits over all items by
 * a matrix of their own with a bias. Trained to tell masked items; to rank, a masked token stands after the history.
 */
import { causalAttention } from '../tensor/operations/causalAttention.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { fullSoftmaxCrossEntropy } from '../tensor/operations/fullSoftmaxCrossEntropy.ts';
import { residualDropout } from '../tensor/operations/residualDropout.ts';
import { placesFromRight, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import { MASKED, maskedEmbeddings } from './maskedItems.ts';
import { affine, matrixOf, normalised, type Parameters, vectorOf } from './namedParameters.ts';
import {
  dropoutAt,
  packHistories,
  type RankingNetwork,
  rowsOf,
  type SequenceInput,
  type StepDraw,
} from './sequenceNetwork.ts';

export interface Bert4RecShape {
  itemCount: number;
  dimension: number;
  /** Of the sequence with its masked token; longer ones are cut to their last items. */
  maximumLength: number;
  blocks: number;
  /** A divisor of the dimension. */
  heads: number;
}

export interface Bert4RecOptions {
  /** Of the embeddings, the attention weights, the inner activations and what both halves of a block add. */
  dropout: number;
}

export interface Bert4RecStart {
  /** What the item embeddings are drawn from. */
  items: InitialDistribution;
  /** Largest magnitude of a number that a matrix is drawn with, but for the projections of attention; infinite for none. */
  bound: number;
}

/** Sequences in which some items are masked, and the items that were there. */
export interface MaskedBatch extends SequenceInput {
  /** (positions) The masked tokens. */
  readonly rows: Int32Array;
  /** (positions) */
  readonly targets: Int32Array;
}

export interface Bert4Rec extends RankingNetwork {
  /** Mean cross-entropy over all items at the masked tokens: a scalar. */
  loss(batch: MaskedBatch, draw: StepDraw | null): tf.Scalar;
}

const EPSILON = 1e-5;

/**
 * The parameters before training: every matrix from Xavier's normal distribution, cut at `start.bound`, but for the item
 * embeddings, which have a distribution of their own, and attention's projections, which are Xavier-uniform over the three
 * together, as PyTorch has them; gains 1, biases 0.
 */
export function initBert4Rec(
  { itemCount, dimension: d, maximumLength, blocks }: Bert4RecShape,
  start: Bert4RecStart,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, shape: [number, number], from: InitialDistribution = { method: 'xavier-normal' }) => {
    const variable = initialMatrix(shape, from, generatorOf(name));
    if (from.method !== 'given') cut(variable, start.bound);
    parameters.set(name, variable);
  };
  const layer = (name: string, inputs: number, outputs: number): void => {
    matrix(`${name}/weight`, [inputs, outputs]);
    parameters.set(`${name}/bias`, initialConstant(outputs, 0));
  };
  const normalisation = (name: string): void => {
    parameters.set(`${name}/gain`, initialConstant(d, 1));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  matrix('items', [itemCount, d], start.items);
  matrix('mask', [1, d], { method: 'normal', deviation: Math.sqrt(2 / (itemCount + d)) });
  matrix('positions', [maximumLength, d]);
  normalisation('embeddingNorm');
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    for (const name of [`${at}/query`, `${at}/key`, `${at}/value`]) {
      const joint: InitialDistribution = { method: 'uniform', deviation: Math.sqrt(2 / (4 * d)) };
      parameters.set(`${name}/weight`, initialMatrix([d, d], joint, generatorOf(`${name}/weight`)));
      parameters.set(`${name}/bias`, initialConstant(d, 0));
    }
    layer(`${at}/output`, d, d);
    normalisation(`${at}/attentionNorm`);
    layer(`${at}/forward1`, d, 4 * d);
    layer(`${at}/forward2`, 4 * d, d);
    normalisation(`${at}/forwardNorm`);
  }
  matrix('head/weight', [itemCount, d]);
  parameters.set('head/bias', initialConstant(itemCount, 0));
  return parameters;
}

/** BERT4Rec as a network over these parameters. */
export function bert4Rec(parameters: Parameters, shape: Bert4RecShape, options: Bert4RecOptions): Bert4Rec {
  const states = (input: SequenceInput, draw: StepDraw | null): tf.Tensor2D =>
    bert4RecStates(parameters, input, { shape, options, draw });
  const head = matrixOf(parameters, 'head/weight');
  const bias = vectorOf(parameters, 'head/bias');
  return {
    parameters,
    items: matrixOf(parameters, 'items'),
    embeddings: ['items', 'head/weight'],
    maximumLength: shape.maximumLength,
    loss: (batch, draw) => {
      return fullSoftmaxCrossEntropy({ hidden: states(batch, draw), table: head, bias, targets: batch.targets });
    },
    itemRows: () => tf.concat([head, tf.expandDims(bias, 1)], 1), // (items, d + 1)
    queries: (histories) => {
      const hidden = states(packMasked(histories, shape.maximumLength), null);
      return tf.concat([hidden, tf.ones([histories.length, 1])], 1); // (histories, d + 1)
    },
  };
}

/** Histories, cut to their last `maximumLength` - 1 items, and a masked token after each, to be represented by its state. */
function packMasked(histories: readonly Uint32Array[], maximumLength: number): SequenceInput {
  const open = histories.map((history) => {
    const longer = new Uint32Array(history.length + 1);
    longer.set(history);
    return longer;
  });
  const input = packHistories(open, maximumLength);
  for (const row of input.rows!) input.items[row] = MASKED;
  return input;
}

/** [positions, d] The states of the tokens asked for. */
export function bert4RecStates(
  parameters: Parameters,
  { items, layout, rows }: SequenceInput,
  { shape, options, draw }: { shape: Bert4RecShape; options: Bert4RecOptions; draw: StepDraw | null },
): tf.Tensor2D {
  const places = embeddingLookup(matrixOf(parameters, 'positions'), placesFromRight(layout, shape.maximumLength));
  const embedded = tf.add<tf.Tensor2D>(maskedEmbeddings(parameters, items), places); // (tokens, d)
  const first = normalised(parameters, 'embeddingNorm', embedded, EPSILON);
  let x = dropout(first, dropoutAt(0, options.dropout, draw));
  for (let block = 0; block < shape.blocks; block++) {
    const isLast = block === shape.blocks - 1;
    x = blockStates(parameters, x, { layout, rows: isLast ? rows : null, block, shape, options, draw });
  }
  return x;
}

interface Block {
  layout: SequenceLayout;
  /** What the last block computes the states of; null for all. */
  rows: Int32Array | null;
  block: number;
  shape: Bert4RecShape;
  options: Bert4RecOptions;
  draw: StepDraw | null;
}

/** One block: x [tokens, d] -> [tokens asked for, d]. */
function blockStates(
  parameters: Parameters,
  x: tf.Tensor2D,
  { layout, rows, block, shape, options, draw }: Block,
): tf.Tensor2D {
  const at = `block${block}`;
  const drop = (place: number) => dropoutAt(1 + 4 * block + place, options.dropout, draw);
  const attended = causalAttention({
    query: affine(parameters, `${at}/query`, x),
    key: affine(parameters, `${at}/key`, x),
    value: affine(parameters, `${at}/value`, x),
    layout,
    heads: shape.heads,
    causal: false,
    dropout: drop(0),
  });
  const output = affine(parameters, `${at}/output`, rowsOf(attended, rows));
  const joined = residualDropout(rowsOf(x, rows), output, drop(1));
  const y = normalised(parameters, `${at}/attentionNorm`, joined, EPSILON);
  const inner = dropout(affine(parameters, `${at}/forward1`, y, 'gelu'), drop(2)); // (positions, 4d)
  const forward = residualDropout(y, affine(parameters, `${at}/forward2`, inner), drop(3));
  return normalised(parameters, `${at}/forwardNorm`, forward, EPSILON);
}

/** Cuts the entries of a matrix at ± `bound`. */
function cut(matrix: tf.Variable, bound: number): void {
  if (!Number.isFinite(bound)) return;
  const values = tf.clipByValue(matrix, -bound, bound);
  matrix.assign(values);
  values.dispose();
}
