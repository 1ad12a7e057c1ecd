/**
 * MAERec: Y. Ye et al., "Graph masked autoencoder for sequential recommendation", SIGIR 2023, Section 3, in the form of its authors'
 * code. Item embeddings pass through a graph of items that came near each other, without weights of its own; a transformer over
 * each sequence predicts the next item. Paths of the graph are masked around items chosen by how related they are to what is near
 * (Eqs. 2 to 5), and a decoder tells masked edges from others (Eqs. 6 to 8). Three choices of our own: relatedness is the mean cosine
 * with what walks of one to k steps reach, each by how often; the decoder's loss is the mean of -ln of Eq. 8's shares, with a
 * weight, as SEvo's authors found it to need one (Section 5.1 there); and the reward of a mask looks at losses up to the step before,
 * not at that of the step itself.
 */
import { causalAttention } from '../tensor/operations/causalAttention.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { residualDropout } from '../tensor/operations/residualDropout.ts';
import { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
import { unitRows } from '../tensor/operations/unitRows.ts';
import { placesFromRight, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import type { SparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import { affine, matrixOf, normalised, type Parameters } from './namedParameters.ts';
import {
  dropoutAt,
  lossOfStates,
  rowsOf,
  type SequenceBatch,
  type SequenceInput,
  type SequenceLoss,
  type SequenceNetwork,
  type StepDraw,
} from './sequenceNetwork.ts';

export interface MaeRecShape {
  itemCount: number;
  dimension: number;
  /** Longer sequences are cut to their last items. */
  maximumLength: number;
  /** Of the transformer. */
  blocks: number;
  /** A divisor of the dimension. */
  heads: number;
  /** Products with the graph, at least 1. */
  graphLayers: number;
}

export interface MaeRecOptions {
  /** Of the embeddings, the attention weights and what both halves of a block give. */
  dropout: number;
  loss: SequenceLoss;
  /** What the decoder's loss counts. */
  reconstruction: number;
  /** Steps of the walks that relatedness looks at. */
  walkSteps: number;
}

/** Pairs of items to be told apart. */
export interface EdgePairs {
  /** (pairs × each) The masked edge of each pair first, then pairs that are no edges. */
  readonly first: Int32Array;
  /** (pairs × each) */
  readonly second: Int32Array;
  /** Pairs beside each masked edge, and itself. */
  readonly each: number;
}

/** What one step of training sees of the graph. */
export interface MaskedGraph {
  /** (items)², without the masked edges, symmetric and normalised, with loops. */
  readonly visible: SparseTensor;
  readonly pairs: EdgePairs;
  /** What the mean relatedness counts; null leaves it out. */
  readonly reward: { readonly factor: number; readonly walks: SparseTensor } | null;
}

const EPSILON = 1e-5;

/** The parameters before training: embeddings from `items`, matrices from Xavier's uniform distribution; gains 1, biases 0. */
export function initMaeRec(
  { itemCount, dimension: d, maximumLength, blocks, graphLayers }: MaeRecShape,
  items: InitialDistribution,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, shape: [number, number], from: InitialDistribution = { method: 'xavier-uniform' }) =>
    parameters.set(name, initialMatrix(shape, from, generatorOf(name)));
  const layer = (name: string, inputs: number, outputs: number): void => {
    matrix(`${name}/weight`, [inputs, outputs]);
    parameters.set(`${name}/bias`, initialConstant(outputs, 0));
  };
  const normalisation = (name: string): void => {
    parameters.set(`${name}/gain`, initialConstant(d, 1));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  matrix('items', [itemCount, d], items);
  matrix('positions', [maximumLength, d]);
  normalisation('embeddingNorm');
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    for (const name of ['query', 'key', 'value', 'output']) layer(`${at}/${name}`, d, d);
    normalisation(`${at}/attentionNorm`);
    layer(`${at}/forward1`, d, 4 * d);
    layer(`${at}/forward2`, 4 * d, d);
    normalisation(`${at}/forwardNorm`);
  }
  layer('decoder1', d * graphLayers ** 2, d * graphLayers);
  layer('decoder2', d * graphLayers, d);
  layer('decoder3', d, 1);
  return parameters;
}

/** MAERec as a network over these parameters, that ranks over the whole graph: (items)², symmetric and normalised, with loops. */
export function maeRec(
  parameters: Parameters,
  shape: MaeRecShape,
  { options, graph }: { options: MaeRecOptions; graph: SparseTensor },
): SequenceNetwork {
  const table = (): tf.Tensor2D => tf.addN(encoded(parameters, shape, graph)) as tf.Tensor2D;
  const states = (rows: tf.Tensor2D, input: SequenceInput, draw: StepDraw | null): tf.Tensor2D =>
    maeRecStates(parameters, rows, { input, shape, options, draw });
  return {
    parameters,
    items: matrixOf(parameters, 'items'),
    maximumLength: shape.maximumLength,
    table,
    states: (input, draw) => states(table(), input, draw),
    prepared: () => {
      const rows = tf.tidy(table);
      return { states: (input) => states(rows, input, null), dispose: () => rows.dispose() };
    },
  };
}

/** [items, d] each: the embeddings, and what each product with the graph makes of them. */
function encoded(parameters: Parameters, { graphLayers }: MaeRecShape, graph: SparseTensor): tf.Tensor2D[] {
  const layers: tf.Tensor2D[] = [matrixOf(parameters, 'items')];
  for (let layer = 0; layer < graphLayers; layer++) layers.push(sparseDenseProduct(graph, layers.at(-1)!));
  return layers;
}

/** Parts of the loss of a step, scalars: what the run is trained by, and that of the next item alone. */
export interface MaeRecLoss {
  readonly total: tf.Scalar;
  readonly nextItem: tf.Scalar;
}

/** The losses of a batch over a masked graph, differentiable in the parameters. */
export function maeRecLoss(
  parameters: Parameters,
  batch: SequenceBatch,
  {
    shape,
    options,
    masked,
    draw,
  }: { shape: MaeRecShape; options: MaeRecOptions; masked: MaskedGraph; draw: StepDraw | null },
): MaeRecLoss {
  const layers = encoded(parameters, shape, masked.visible);
  const table = tf.addN(layers) as tf.Tensor2D;
  const hidden = maeRecStates(parameters, table, { input: batch, shape, options, draw });
  const nextItem = lossOfStates(hidden, table, { batch, loss: options.loss });
  const terms: tf.Tensor[] = [nextItem];
  if (options.reconstruction > 0 && masked.pairs.first.length > 0) {
    const decoded = reconstructionLoss(parameters, layers.slice(0, shape.graphLayers), masked.pairs);
    terms.push(tf.mul(decoded, options.reconstruction));
  }
  if (masked.reward !== null) {
    const { factor, walks } = masked.reward;
    const related = relatedness(matrixOf(parameters, 'items'), walks, options.walkSteps);
    terms.push(tf.mul(tf.mean(related), -factor));
  }
  return { total: tf.addN(terms) as tf.Scalar, nextItem };
}

/** Mean of -ln of a masked edge's share among its pairs, by e^(what the decoder says of each). */
function reconstructionLoss(
  parameters: Parameters,
  layers: readonly tf.Tensor2D[],
  { first, second, each }: EdgePairs,
): tf.Tensor {
  const left = layers.map((layer) => embeddingLookup(layer, first));
  const right = layers.map((layer) => embeddingLookup(layer, second));
  const products = left.flatMap((a) => right.map((b) => tf.mul(a, b)));
  const x = tf.concat(products, 1) as tf.Tensor2D; // (pairs × each, d layers²)
  const inner = affine(parameters, 'decoder2', affine(parameters, 'decoder1', x, 'relu'), 'relu');
  const scores = tf.reshape(tf.sigmoid(affine(parameters, 'decoder3', inner)), [-1, each]); // in [0, 1]
  const own = tf.slice(scores, [0, 0], [-1, 1]);
  return tf.mean(tf.sub(tf.log(tf.sum(tf.exp(scores), 1, true)), own));
}

/** [items, 1] The mean cosine of each item with what walks of one to `steps` steps from it reach; 0 for items without neighbours. */
export function relatedness(items: tf.Tensor2D, walks: SparseTensor, steps: number): tf.Tensor2D {
  const unit = unitRows(items);
  const reached: tf.Tensor2D[] = [];
  for (let step = 0; step < steps; step++) reached.push(sparseDenseProduct(walks, reached.at(-1) ?? unit));
  const mean = tf.mul(tf.addN(reached), 1 / steps);
  return tf.sum(tf.mul(unit, mean), 1, true);
}

interface Pass {
  input: SequenceInput;
  shape: MaeRecShape;
  options: Pick<MaeRecOptions, 'dropout'>;
  draw: StepDraw | null;
}

/** [positions, d] The sum of what all blocks make of the tokens asked for. table [items, d]. */
function maeRecStates(parameters: Parameters, table: tf.Tensor2D, { input, shape, options, draw }: Pass): tf.Tensor2D {
  const { items, layout, rows } = input;
  const places = embeddingLookup(matrixOf(parameters, 'positions'), placesFromRight(layout, shape.maximumLength));
  const embedded = normalised(parameters, 'embeddingNorm', tf.add(embeddingLookup(table, items), places), EPSILON);
  let x: tf.Tensor2D = dropout(embedded, dropoutAt(0, options.dropout, draw));
  const parts = [x];
  for (let block = 0; block < shape.blocks; block++) {
    x = blockStates(parameters, x, { layout, block, heads: shape.heads, dropout: options.dropout, draw });
    parts.push(x);
  }
  return rowsOf(tf.addN(parts) as tf.Tensor2D, rows);
}

interface Block {
  layout: SequenceLayout;
  block: number;
  heads: number;
  dropout: number;
  draw: StepDraw | null;
}

/** One block: x [tokens, d] -> [tokens, d]; what follows attention has no residual, as in the authors' code. */
function blockStates(parameters: Parameters, x: tf.Tensor2D, { layout, block, heads, ...pass }: Block): tf.Tensor2D {
  const at = `block${block}`;
  const drop = (place: number) => dropoutAt(1 + 3 * block + place, pass.dropout, pass.draw);
  const attended = causalAttention({
    query: affine(parameters, `${at}/query`, x),
    key: affine(parameters, `${at}/key`, x),
    value: affine(parameters, `${at}/value`, x),
    layout,
    heads,
    causal: true,
    dropout: drop(0),
  });
  const joined = residualDropout(x, affine(parameters, `${at}/output`, attended), drop(1));
  const y = normalised(parameters, `${at}/attentionNorm`, joined, EPSILON);
  const inner = affine(parameters, `${at}/forward1`, y, 'gelu'); // (tokens, 4d)
  const forward = dropout(affine(parameters, `${at}/forward2`, inner), drop(2));
  return normalised(parameters, `${at}/forwardNorm`, forward, EPSILON);
}
