/**
 * The finite recurrent recommender of OverRec (R. Qiu et al., ICDM 2022, Eqs. 5-7): item embeddings U, Elman layers W, a read-out V
 * over all items, tied to U or not. Under the NTK parametrisation (Eq. 7) parameters are standard normal and the scales σ / √n
 * stand in the forward pass; under the usual one they are drawn at their scale.
 */
import { elman } from '../tensor/operations/elman.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialMatrix, initialNormal, initialUniform } from './initialValues.ts';
import { rowsOf, type SequenceInput, type SequenceNetwork } from './sequenceNetwork.ts';

export interface ElmanShape {
  itemCount: number;
  /** n, hidden units and length of the embeddings. */
  width: number;
  layers: number;
  /** Whether items are scored by their input embeddings (V = Uᵀ). */
  tiesEmbeddings: boolean;
  maximumLength: number;
}

export interface ElmanOptions {
  activation: 'relu' | 'tanh' | 'erf';
  parametrisation: 'ntk' | 'standard';
  /** Of Eq. 7; the NTK parametrisation alone has them. */
  sigmas: { recurrent: number; input: number; readOut: number; bias: number };
}

type Parameters = ReadonlyMap<string, tf.Variable>;

/**
 * The parameters before training; the usual parametrisation starts as PyTorch does: recurrent layers uniform on ±1/√n. Item
 * embeddings start from `items`, but standard normal under the NTK parametrisation, where they are drawn; a read-out of its own
 * starts as drawn ones do.
 */
export function initElman(
  shape: ElmanShape,
  { parametrisation, items }: Pick<ElmanOptions, 'parametrisation'> & { items: InitialDistribution },
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const { itemCount, width, layers, tiesEmbeddings } = shape;
  const isNtk = parametrisation === 'ntk';
  const standardNormal: InitialDistribution = { method: 'normal', deviation: 1 };
  const readOut: InitialDistribution = isNtk ? standardNormal : { method: 'xavier-normal' };
  const embeddings = isNtk && items.method !== 'given' ? standardNormal : items;
  const bound = 1 / Math.sqrt(width);
  const parameters = new Map<string, tf.Variable>();
  const recurrent = (name: string, size: [number] | [number, number]): void => {
    const generator = generatorOf(name);
    parameters.set(name, isNtk ? initialNormal(size, generator) : initialUniform(size, bound, generator));
  };
  parameters.set('items', initialMatrix([itemCount, width], embeddings, generatorOf('items')));
  for (let layer = 0; layer < layers; layer++) {
    if (layer > 0) recurrent(`layer${layer}/input`, [width, width]);
    recurrent(`layer${layer}/hidden`, [width, width]);
    recurrent(`layer${layer}/bias`, [width]);
  }
  if (!tiesEmbeddings) parameters.set('read-out', initialMatrix([itemCount, width], readOut, generatorOf('read-out')));
  return parameters;
}

/** The recommender over these parameters. */
export function elmanRecommender(parameters: Parameters, shape: ElmanShape, options: ElmanOptions): SequenceNetwork {
  return {
    parameters,
    items: parameters.get(shape.tiesEmbeddings ? 'items' : 'read-out') as tf.Variable<tf.Rank.R2>,
    maximumLength: shape.maximumLength,
    states: (input) => elmanStates(parameters, input, { shape, options }),
  };
}

/** [positions, width] The states after the tokens asked for, scaled so that products with the read-out are the scores. */
function elmanStates(
  parameters: Parameters,
  { items, layout, rows }: SequenceInput,
  { shape, options }: { shape: ElmanShape; options: ElmanOptions },
): tf.Tensor2D {
  const { recurrent, input, readOut, bias } = scalesOf(shape.width, options);
  const matrix = (name: string) => parameters.get(name) as tf.Variable<tf.Rank.R2>;
  const vector = (name: string) => parameters.get(name) as tf.Variable<tf.Rank.R1>;
  let x = scaled(embeddingLookup(matrix('items'), items), input.first); // (tokens, n)
  for (let layer = 0; layer < shape.layers; layer++) {
    x = elman(x, layout, {
      inputWeight: layer > 0 ? scaled(matrix(`layer${layer}/input`), input.others) : null,
      hiddenWeight: scaled(matrix(`layer${layer}/hidden`), recurrent),
      bias: scaled(vector(`layer${layer}/bias`), bias),
      activation: options.activation,
    }); // (tokens, n)
  }
  return scaled(rowsOf(x, rows), readOut);
}

/** The factors of Eq. 7; one-hot inputs have m = 1. All 1 under the usual parametrisation. */
function scalesOf(width: number, { parametrisation, sigmas }: ElmanOptions) {
  if (parametrisation === 'standard') return { recurrent: 1, input: { first: 1, others: 1 }, readOut: 1, bias: 1 };
  const root = Math.sqrt(width);
  return {
    recurrent: sigmas.recurrent / root,
    input: { first: sigmas.input, others: sigmas.input / root },
    readOut: sigmas.readOut / root,
    bias: sigmas.bias,
  };
}

function scaled<Rank extends tf.Rank>(x: tf.Tensor<Rank>, factor: number): tf.Tensor<Rank> {
  return factor === 1 ? x : tf.mul(x, factor);
}
