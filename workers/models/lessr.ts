/**
 * LESSR: T. Chen and R. C.-W. Wong, "Handling information loss of graph neural networks for session-based recommendation", KDD 2020,
 * Section 4. Each prefix of a sequence is a graph of its items. Layers take turns: a gated recurrent unit reads what leads to each
 * item in the order of time (EOPA, Eqs. 4 and 5), and each item attends to itself and all that came before it (SGAT, Eqs. 6 to 9).
 * Layers are joined to all before them; attention led by the last item sums up a session. With the batch normalisation of the
 * authors' code before every layer: in training over the batch, in ranking over a fixed sample of the training prefixes, computed
 * anew (Y. Wu and J. Johnson, "Rethinking 'Batch' in BatchNorm", 2021, Section 3), so that nothing but the parameters is kept.
 */
import { columnNorm, columnNormBy, type ColumnMoments } from '../tensor/operations/columnNorm.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { gru } from '../tensor/operations/gru.ts';
import { linear } from '../tensor/operations/linear.ts';
import { spanAttention } from '../tensor/operations/spanAttention.ts';
import { lastRows } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix, initialUniform } from './initialValues.ts';
import { affine, matrixOf, type Parameters, vectorOf } from './namedParameters.ts';
import { checkSessionMemory, type OrderedSessions, orderedSessions } from './orderedSessions.ts';
import { dropoutAt, type SequenceInput, type SequenceNetwork, type StepDraw } from './sequenceNetwork.ts';

export interface LessrShape {
  itemCount: number;
  dimension: number;
  /** Layers, EOPA and SGAT in turn. */
  layers: number;
  /** Longer sequences are cut to their last items. */
  maximumLength: number;
}

export interface LessrOptions {
  /** Of what enters each layer. */
  dropout: number;
  /** Whether columns are normalised before every layer. */
  batchNorm: boolean;
  /** Longer item embeddings are scaled down to it. */
  maximumNorm: number;
}

const EPSILON = 1e-5;
const SLOPE = 0.25;

const isOrdered = (layer: number): boolean => layer % 2 === 0;

/** The parameters before training: embeddings from `items`, the rest as PyTorch starts linear layers, recurrent units and PReLU. */
export function initLessr(
  { itemCount, dimension: d, layers }: LessrShape,
  items: InitialDistribution,
  { batchNorm }: Pick<LessrOptions, 'batchNorm'>,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, [rows, columns]: [number, number], inputs = rows): void => {
    const bound = 1 / Math.sqrt(inputs);
    parameters.set(name, initialUniform<tf.Rank.R2>([rows, columns], bound, generatorOf(name)));
  };
  const vector = (name: string, length: number, inputs: number): void => {
    parameters.set(name, initialUniform<tf.Rank.R1>([length], 1 / Math.sqrt(inputs), generatorOf(name)));
  };
  const norm = (name: string, width: number): void => {
    if (!batchNorm) return;
    parameters.set(`${name}/gain`, initialConstant(width, 1));
    parameters.set(`${name}/bias`, initialConstant(width, 0));
  };
  parameters.set('items', initialMatrix([itemCount, d], items, generatorOf('items')));
  for (let layer = 0; layer < layers; layer++) {
    const at = `layer${layer}`;
    const width = d * (layer + 1);
    norm(`${at}/norm`, width);
    if (isOrdered(layer)) {
      matrix(`${at}/input`, [width, 3 * width]);
      matrix(`${at}/hidden`, [width, 3 * width]);
      vector(`${at}/inputBias`, 3 * width, width);
      vector(`${at}/hiddenBias`, 3 * width, width);
      matrix(`${at}/self`, [width, d]);
      matrix(`${at}/neighbours`, [width, d]);
    } else {
      matrix(`${at}/heard/weight`, [width, d]);
      vector(`${at}/heard/bias`, d, width);
      matrix(`${at}/hears`, [width, d]);
      matrix(`${at}/values`, [width, d]);
      matrix(`${at}/attention`, [d, 1]);
    }
    parameters.set(`${at}/slope`, initialConstant(d, SLOPE));
  }
  const width = d * (layers + 1);
  norm('readOut/norm', width);
  matrix('readOut/each', [width, d]);
  matrix('readOut/last/weight', [width, d]);
  vector('readOut/last/bias', d, width);
  matrix('readOut/attention', [d, 1]);
  matrix('readOut/out', [width, d]);
  parameters.set('readOut/slope', initialConstant(d, SLOPE));
  norm('join/norm', width + d);
  matrix('join', [width + d, d]);
  return parameters;
}

/** Normalises the columns of x by the name of the layer that they enter. */
type Normalise = (name: string, x: tf.Tensor2D) => tf.Tensor2D;

/** LESSR as a network over these parameters; `sample` are prefixes to normalise by while ranking. */
export function lessr(
  parameters: Parameters,
  shape: LessrShape,
  { options, sample }: { options: LessrOptions; sample: readonly SequenceInput[] },
): SequenceNetwork {
  const items = matrixOf(parameters, 'items');
  return {
    parameters,
    items,
    maximumLength: shape.maximumLength,
    table: () => capped(items, options.maximumNorm),
    states: (input, draw) => lessrStates(parameters, input, { shape, options, draw }),
    prepared: () => {
      if (!options.batchNorm) {
        const states = (input: SequenceInput) => lessrStates(parameters, input, { shape, options, draw: null });
        return { states, dispose: () => undefined };
      }
      const moments = populationMoments(parameters, sample, { shape, options });
      const normalise: Normalise = (name, x) => scaled(parameters, name, columnNormBy(x, moments.get(name)!, EPSILON));
      return {
        states: (input) => lessrStates(parameters, input, { shape, options, draw: null, normalise }),
        dispose: () => tf.dispose([...moments.values()].flatMap(({ mean, variance }) => [mean, variance])),
      };
    },
  };
}

interface Pass {
  shape: LessrShape;
  options: LessrOptions;
  draw: StepDraw | null;
  /** Over the batch unless given. */
  normalise?: Normalise;
}

/** [positions, d] The states after the tokens asked for, each of the graphs of its prefix. Throws OUT_OF_MEMORY. */
export function lessrStates(
  parameters: Parameters,
  input: SequenceInput,
  { shape, options, ...pass }: Pass,
): tf.Tensor2D {
  const { dimension: d, layers } = shape;
  checkSessionMemory(input, { numbersPerNode: 6 * d * (layers + 1) ** 2, numbersPerPair: 2 * (layers >> 1) + 1 });
  const graph = orderedSessions(input);
  const overBatch: Normalise = (name, x) => scaled(parameters, name, columnNorm(x, EPSILON));
  const normalise = options.batchNorm ? (pass.normalise ?? overBatch) : (_: string, x: tf.Tensor2D) => x;
  const drop = (site: number, x: tf.Tensor2D): tf.Tensor2D => dropout(x, dropoutAt(site, options.dropout, pass.draw));
  let rows = capped(embeddingLookup(matrixOf(parameters, 'items'), graph.items), options.maximumNorm); // (nodes, d)
  for (let layer = 0; layer < layers; layer++) {
    const at = `layer${layer}`;
    const x = normalise(`${at}/norm`, rows); // (nodes, d (layer + 1))
    const dropped = drop(layer, x);
    const heard = isOrdered(layer)
      ? inOrder(parameters, at, { x, dropped, steps: graph.steps })
      : overShortcuts(parameters, at, dropped, graph);
    rows = tf.concat([bent(parameters, `${at}/slope`, heard), rows], 1) as tf.Tensor2D;
  }
  const x = drop(layers, normalise('readOut/norm', rows));
  const summed = spanAttention({
    spans: graph.whole,
    query: affine(parameters, 'readOut/last', embeddingLookup(x, graph.lastNodes)),
    key: linear(x, matrixOf(parameters, 'readOut/each'), null),
    vector: matrixOf(parameters, 'readOut/attention'),
    values: x,
  }); // (sessions, d (layers + 1))
  const all = bent(parameters, 'readOut/slope', linear(summed, matrixOf(parameters, 'readOut/out'), null));
  const joined = tf.concat([embeddingLookup(rows, graph.lastNodes), all], 1) as tf.Tensor2D;
  return linear(drop(layers + 1, normalise('join/norm', joined)), matrixOf(parameters, 'join'), null);
}

/** [nodes, d] EOPA: each node and what leads to it, read in the order of time. x and what is dropped of it [nodes, D]. */
function inOrder(
  parameters: Parameters,
  at: string,
  { x, dropped, steps }: { x: tf.Tensor2D; dropped: tf.Tensor2D; steps: OrderedSessions['steps'] },
): tf.Tensor2D {
  const own = linear(x, matrixOf(parameters, `${at}/self`), null);
  if (steps === null) return own;
  const read = gru(embeddingLookup(dropped, steps.from), steps.layout, {
    inputWeight: matrixOf(parameters, `${at}/input`),
    hiddenWeight: matrixOf(parameters, `${at}/hidden`),
    inputBias: vectorOf(parameters, `${at}/inputBias`),
    hiddenBias: vectorOf(parameters, `${at}/hiddenBias`),
  }); // (edges, D)
  const last = linear(embeddingLookup(read, lastRows(steps.layout)), matrixOf(parameters, `${at}/neighbours`), null);
  const none = tf.zeros<tf.Rank.R2>([1, last.shape[1]]);
  return tf.add(own, embeddingLookup(tf.concat([last, none], 0) as tf.Tensor2D, steps.sequenceOf));
}

/** [nodes, d] SGAT: each node attends to itself and all that came before it. x [nodes, D]. */
function overShortcuts(parameters: Parameters, at: string, x: tf.Tensor2D, graph: OrderedSessions): tf.Tensor2D {
  return spanAttention({
    spans: graph.shortcuts,
    query: linear(x, matrixOf(parameters, `${at}/hears`), null),
    key: affine(parameters, `${at}/heard`, x),
    vector: matrixOf(parameters, `${at}/attention`),
    values: linear(x, matrixOf(parameters, `${at}/values`), null),
  });
}

/** PReLU with a slope for each column. */
function bent(parameters: Parameters, name: string, x: tf.Tensor2D): tf.Tensor2D {
  return tf.sub(tf.relu(x), tf.mul(tf.relu(tf.neg(x)), vectorOf(parameters, name)));
}

const scaled = (parameters: Parameters, name: string, x: tf.Tensor2D): tf.Tensor2D =>
  tf.add(tf.mul(x, vectorOf(parameters, `${name}/gain`)), vectorOf(parameters, `${name}/bias`));

/** x [rows, d] with rows longer than `maximumNorm` scaled down to it. */
function capped(x: tf.Tensor2D, maximumNorm: number): tf.Tensor2D {
  const squares = tf.maximum(tf.sum(tf.square(x), 1, true), maximumNorm ** 2); // (rows, 1)
  return tf.mul(x, tf.mul(tf.rsqrt(squares), maximumNorm));
}

/** Means and variances of what enters each layer, averaged over the batches of the sample; the caller disposes them. */
function populationMoments(
  parameters: Parameters,
  sample: readonly SequenceInput[],
  { shape, options }: Pick<Pass, 'shape' | 'options'>,
): Map<string, ColumnMoments> {
  const sums = new Map<string, ColumnMoments>();
  for (const input of sample) {
    tf.tidy(() => {
      const normalise: Normalise = (name, x) => {
        const { mean, variance } = tf.moments(x, 0);
        const before = sums.get(name);
        const share = (value: tf.Tensor, sum?: tf.Tensor1D): tf.Tensor1D => {
          const part = tf.mul<tf.Tensor1D>(value, 1 / sample.length);
          return tf.keep(sum === undefined ? part : tf.add(sum, part));
        };
        sums.set(name, { mean: share(mean, before?.mean), variance: share(variance, before?.variance) });
        if (before) tf.dispose([before.mean, before.variance]);
        return scaled(parameters, name, columnNormBy(x, { mean, variance } as ColumnMoments, EPSILON));
      };
      lessrStates(parameters, input, { shape, options, draw: null, normalise });
    });
  }
  return sums;
}
