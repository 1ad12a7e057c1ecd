/**
 * GRU4Rec: B. Hidasi et al., "Session-based recommendations with recurrent neural networks", ICLR 2016, as SEvo's authors
 * train it: embeddings of items, gated recurrent layers without biases, a linear layer back to the space of the items, whose
 * embeddings score the states.
 */
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { gru } from '../tensor/operations/gru.ts';
import { linear } from '../tensor/operations/linear.ts';
import type { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialMatrix, initialUniform } from './initialValues.ts';
import { dropoutAt, rowsOf, type SequenceInput, type SequenceNetwork, type StepDraw } from './sequenceNetwork.ts';

export interface Gru4RecShape {
  itemCount: number;
  /** Of the embeddings. */
  dimension: number;
  /** Width of the recurrent layers. */
  hiddenSize: number;
  layers: number;
  /** Longer sequences are cut to their last items. */
  maximumLength: number;
}

export interface Gru4RecOptions {
  /** Of the embeddings. */
  dropout: number;
}

type Parameters = ReadonlyMap<string, tf.Variable>;

/**
 * The parameters before training: embeddings from `distribution`, recurrent weights from Xavier's uniform one over the three
 * gates together, the last layer as PyTorch starts linear ones.
 */
export function initGru4Rec(
  { itemCount, dimension, hiddenSize, layers }: Gru4RecShape,
  distribution: InitialDistribution,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, shape: [number, number], from: InitialDistribution): void => {
    parameters.set(name, initialMatrix(shape, from, generatorOf(name)));
  };
  matrix('items', [itemCount, dimension], distribution);
  for (let layer = 0; layer < layers; layer++) {
    const width = layer === 0 ? dimension : hiddenSize;
    matrix(`gru${layer}/input`, [width, 3 * hiddenSize], { method: 'xavier-uniform' });
    matrix(`gru${layer}/hidden`, [hiddenSize, 3 * hiddenSize], { method: 'xavier-uniform' });
  }
  const bound = 1 / Math.sqrt(hiddenSize);
  const weight = initialUniform<tf.Rank.R2>([hiddenSize, dimension], bound, generatorOf('dense/weight'));
  parameters.set('dense/weight', weight);
  parameters.set('dense/bias', initialUniform<tf.Rank.R1>([dimension], bound, generatorOf('dense/bias')));
  return parameters;
}

/** [positions, dimension] The states after the tokens asked for. */
export function gru4RecStates(
  parameters: Parameters,
  { items, layout, rows }: SequenceInput,
  { shape, options, draw }: { shape: Gru4RecShape; options: Gru4RecOptions; draw: StepDraw | null },
): tf.Tensor2D {
  let x = dropout(embeddingLookup(matrixOf(parameters, 'items'), items), dropoutAt(0, options.dropout, draw)); // (tokens, d)
  for (let layer = 0; layer < shape.layers; layer++) {
    const inputWeight = matrixOf(parameters, `gru${layer}/input`);
    x = gru(x, layout, { inputWeight, hiddenWeight: matrixOf(parameters, `gru${layer}/hidden`) }); // (tokens, hidden)
  }
  const bias = parameters.get('dense/bias') as tf.Variable<tf.Rank.R1>;
  return linear(rowsOf(x, rows), matrixOf(parameters, 'dense/weight'), bias);
}

/** GRU4Rec as a network over these parameters. */
export function gru4Rec(parameters: Parameters, shape: Gru4RecShape, options: Gru4RecOptions): SequenceNetwork {
  return {
    parameters,
    items: matrixOf(parameters, 'items'),
    maximumLength: shape.maximumLength,
    states: (input, draw) => gru4RecStates(parameters, input, { shape, options, draw }),
  };
}

function matrixOf(parameters: Parameters, name: string): tf.Variable<tf.Rank.R2> {
  return parameters.get(name) as tf.Variable<tf.Rank.R2>;
}
