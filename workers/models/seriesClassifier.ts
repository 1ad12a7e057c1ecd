/**
 * The finite networks of RNTK, Tables 1 and 2 (Alemohammad et al., ICLR 2021, A.1, "Finite-width RNN settings"): a series, one
 * number a time step, goes through recurrent layers, and the last state through a linear read-out to the classes.
 */
import { elman } from '../tensor/operations/elman.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { fullSoftmaxCrossEntropy } from '../tensor/operations/fullSoftmaxCrossEntropy.ts';
import { gru } from '../tensor/operations/gru.ts';
import { lastRows, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import { type GeneratorOf, initialConstant, initialMatrix, initialNormal, initialUniform } from './initialValues.ts';

/**
 * `rnn-gaussian`: ReLU, the NTK initialisation with σ_w = σ_v = √2, σ_u = 1, σ_b = 0, scales standing in the forward pass.
 * `rnn-identity`: ReLU, W = I, biases 0, all else normal with deviation 0.001 (Le, Jaitly, Hinton 2015).
 * `gru`: all uniform on ±1/√n, as PyTorch starts it.
 */
export type SeriesNetwork = 'rnn-gaussian' | 'rnn-identity' | 'gru';

export interface SeriesClassifierShape {
  network: SeriesNetwork;
  /** n, hidden units of each layer. */
  width: number;
  layers: number;
  classes: number;
}

/** Series, packed. */
export interface SeriesInput {
  /** (tokens) */
  readonly values: Float32Array;
  readonly layout: SequenceLayout;
}

export interface SeriesBatch extends SeriesInput {
  /** (series) */
  readonly labels: Int32Array;
}

type Parameters = ReadonlyMap<string, tf.Variable>;

const GAUSSIAN_SIGMAS = { recurrent: Math.SQRT2, input: 1, readOut: Math.SQRT2 };
const IDENTITY_DEVIATION = 0.001;

/** The parameters before training. */
export function initSeriesClassifier(shape: SeriesClassifierShape, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const { network, width, layers, classes } = shape;
  const parameters = new Map<string, tf.Variable>();
  const draw = (name: string, size: [number] | [number, number]): void => {
    parameters.set(name, drawn(shape, size, generatorOf(name)));
  };
  const blocks = network === 'gru' ? 3 : 1;
  for (let layer = 0; layer < layers; layer++) {
    draw(`layer${layer}/input`, [layer === 0 ? 1 : width, blocks * width]);
    if (network === 'rnn-identity') parameters.set(`layer${layer}/hidden`, identity(width));
    else draw(`layer${layer}/hidden`, [width, blocks * width]);
    if (network === 'rnn-identity') parameters.set(`layer${layer}/bias`, initialConstant(width, 0));
    if (network !== 'gru') continue;
    draw(`layer${layer}/input-bias`, [blocks * width]);
    draw(`layer${layer}/hidden-bias`, [blocks * width]);
  }
  draw('read-out', [classes, width]);
  if (network === 'gru') draw('read-out-bias', [classes]);
  if (network === 'rnn-identity') parameters.set('read-out-bias', initialConstant(classes, 0));
  return parameters;
}

function drawn(
  { network, width }: SeriesClassifierShape,
  size: [number] | [number, number],
  generator: ReturnType<GeneratorOf>,
): tf.Variable {
  if (network === 'rnn-gaussian') return initialNormal(size, generator);
  if (network === 'gru') return initialUniform(size, 1 / Math.sqrt(width), generator);
  return initialMatrix(size as [number, number], { method: 'normal', deviation: IDENTITY_DEVIATION }, generator);
}

function identity(width: number): tf.Variable {
  const matrix = tf.eye(width);
  const variable = tf.variable(matrix, true);
  matrix.dispose();
  return variable;
}

/** [series, n] The state after the last value of each series, scaled for the read-out. */
function lastStates(parameters: Parameters, { values, layout }: SeriesInput, shape: SeriesClassifierShape) {
  const { network, layers, width } = shape;
  const matrix = (name: string) => parameters.get(name) as tf.Variable<tf.Rank.R2>;
  const vector = (name: string) => parameters.get(name) as tf.Variable<tf.Rank.R1>;
  const root = Math.sqrt(width);
  let x: tf.Tensor2D = tf.tensor2d(values, [layout.tokens, 1]);
  for (let layer = 0; layer < layers; layer++) {
    const [inputWeight, hiddenWeight] = [matrix(`layer${layer}/input`), matrix(`layer${layer}/hidden`)];
    if (network === 'gru') {
      const biases = {
        inputBias: vector(`layer${layer}/input-bias`),
        hiddenBias: vector(`layer${layer}/hidden-bias`),
      };
      x = gru(x, layout, { inputWeight, hiddenWeight, ...biases }); // (tokens, n)
    } else if (network === 'rnn-identity') {
      x = elman(x, layout, { inputWeight, hiddenWeight, bias: vector(`layer${layer}/bias`), activation: 'relu' });
    } else {
      x = elman(x, layout, {
        inputWeight: tf.mul(inputWeight, layer === 0 ? GAUSSIAN_SIGMAS.input : GAUSSIAN_SIGMAS.input / root),
        hiddenWeight: tf.mul(hiddenWeight, GAUSSIAN_SIGMAS.recurrent / root),
        activation: 'relu',
      });
    }
  }
  const last = embeddingLookup(x, lastRows(layout)); // (series, n)
  return network === 'rnn-gaussian' ? tf.mul<tf.Tensor2D>(last, GAUSSIAN_SIGMAS.readOut / root) : last;
}

/** Mean cross-entropy over the series of the batch; a scalar, differentiable in the parameters. */
export function seriesLoss(parameters: Parameters, batch: SeriesBatch, shape: SeriesClassifierShape): tf.Scalar {
  const hidden = lastStates(parameters, batch, shape);
  const table = parameters.get('read-out') as tf.Variable<tf.Rank.R2>;
  const bias = parameters.get('read-out-bias') as tf.Variable<tf.Rank.R1> | undefined;
  return fullSoftmaxCrossEntropy({ hidden, table, targets: batch.labels, bias });
}

/** (series) The class with the highest score, the first of equal ones; one without a finite score gets class 0. */
export async function predictSeries(
  parameters: Parameters,
  input: SeriesInput,
  shape: SeriesClassifierShape,
): Promise<Uint32Array> {
  const { classes } = shape;
  const scores = tf.tidy(() => {
    const products: tf.Tensor = tf.matMul(
      lastStates(parameters, input, shape),
      parameters.get('read-out') as tf.Variable<tf.Rank.R2>,
      false,
      true,
    ); // (series, classes)
    const bias = parameters.get('read-out-bias');
    return bias === undefined ? products : tf.add(products, bias);
  });
  const values = await scores.data<'float32'>();
  scores.dispose();
  return Uint32Array.from({ length: input.layout.sequences }, (_, i) => {
    let best = 0;
    for (let c = 1; c < classes; c++) if (values[i * classes + c]! > values[i * classes + best]!) best = c;
    return best;
  });
}
