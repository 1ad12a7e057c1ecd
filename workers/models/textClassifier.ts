/**
 * The classifier of TensorFlow's tutorial on recurrent networks for texts, which Featurizing Pretrained Representations takes over
 * (Figure A.6): word vectors, a long short-term memory that reads a text in both directions, a dense layer with ReLU over its two
 * last states, one score. Starts as Keras does.
 */
import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { linear } from '../tensor/operations/linear.ts';
import { lstm } from '../tensor/operations/lstm.ts';
import { lastRows, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';

export interface TextClassifierShape {
  /** Rows of the table of word vectors. */
  words: number;
  /** d, length of a word vector. */
  dimension: number;
  /** Units of the recurrent layer in each direction. */
  units: number;
  /** Units of the dense layer. */
  denseUnits: number;
  /** Whether the word vectors are trained with the rest; else they are given. */
  trainsWords: boolean;
}

/** Texts as numbers of words, packed; none is empty. */
export interface TextInput {
  /** (tokens) */
  readonly words: Int32Array;
  readonly layout: SequenceLayout;
}

export interface TextBatch extends TextInput {
  /** (texts) 0 or 1. */
  readonly labels: Float32Array;
}

export interface TextClassifier {
  /** All that is trained, by name. Whoever made them disposes them. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  /** [words, d] */
  readonly table: tf.Tensor2D;
}

const DIRECTIONS = ['forward', 'backward'] as const;
/** Half-width of the uniform start of trained word vectors. */
const WORD_SPREAD = 0.05;

/** The parameters before training; trained word vectors are the parameter `words`. */
export function initTextClassifier(shape: TextClassifierShape, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const { words, dimension, units, denseUnits, trainsWords } = shape;
  const parameters = new Map<string, tf.Variable>();
  const glorot = (name: string, size: [number, number]): void => {
    parameters.set(name, initialMatrix(size, { method: 'xavier-uniform' }, generatorOf(name)));
  };
  if (trainsWords) {
    const distribution = { method: 'uniform', deviation: WORD_SPREAD / Math.sqrt(3) } as const;
    parameters.set('words', initialMatrix([words, dimension], distribution, generatorOf('words')));
  }
  for (const direction of DIRECTIONS) {
    glorot(`${direction}/input`, [dimension, 4 * units]);
    const values = orthogonalRows(units, 4 * units, generatorOf(`${direction}/hidden`));
    const given = { method: 'given', values } as const;
    parameters.set(`${direction}/hidden`, initialMatrix([units, 4 * units], given, generatorOf('none')));
    parameters.set(`${direction}/bias`, forgetBias(units));
  }
  glorot('dense', [2 * units, denseUnits]);
  parameters.set('dense-bias', initialConstant(denseUnits, 0));
  glorot('score', [denseUnits, 1]);
  parameters.set('score-bias', initialConstant(1, 0));
  return parameters;
}

/** (rows, columns) Random orthonormal rows: Gram-Schmidt on normal ones. */
function orthogonalRows(rows: number, columns: number, generator: RandomGenerator): Float32Array {
  const basis: Float64Array[] = [];
  while (basis.length < rows) {
    const row = Float64Array.from({ length: columns }, () => generator.normal());
    for (const other of basis) {
      const along = row.reduce((sum, value, k) => sum + value * other[k]!, 0);
      for (let k = 0; k < columns; k++) row[k]! -= along * other[k]!;
    }
    const norm = Math.hypot(...row);
    basis.push(row.map((value) => value / norm));
  }
  return Float32Array.from(basis.flatMap((row) => [...row]));
}

/** (4 units) 1 for the forget gate, 0 for the others. */
function forgetBias(units: number): tf.Variable {
  const values = tf.tensor1d(
    Float32Array.from({ length: 4 * units }, (_, at) => (at >= units && at < 2 * units ? 1 : 0)),
  );
  const bias = tf.variable(values, true);
  values.dispose();
  return bias;
}

/** [texts, dense units] What the last hidden layer makes of each text. */
export function hiddenOfTexts({ parameters, table }: TextClassifier, { words, layout }: TextInput): tf.Tensor2D {
  const matrix = (name: string) => parameters.get(name) as tf.Variable<tf.Rank.R2>;
  const vector = (name: string) => parameters.get(name) as tf.Variable<tf.Rank.R1>;
  const last = lastRows(layout);
  const ends = DIRECTIONS.map((direction) => {
    const read = direction === 'forward' ? words : reversed(words, layout);
    // what every word adds to the gates, once for all of its tokens
    const added = linear(table, matrix(`${direction}/input`), vector(`${direction}/bias`)); // (words, 4 units)
    const x = embeddingLookup(added, read); // (tokens, 4 units)
    const states = lstm(x, layout, { inputWeight: null, hiddenWeight: matrix(`${direction}/hidden`) });
    return embeddingLookup(states, last); // (texts, units)
  });
  return linear(tf.concat(ends, 1) as tf.Tensor2D, matrix('dense'), vector('dense-bias'), 'relu');
}

/** Each text's words in the opposite order. */
function reversed(words: Int32Array, { sequences, offsets }: SequenceLayout): Int32Array {
  const result = words.slice();
  for (let s = 0; s < sequences; s++) result.subarray(offsets[s]!, offsets[s + 1]!).reverse();
  return result;
}

/** [texts] Above 0 for label 1. */
export function scoresOfTexts(classifier: TextClassifier, input: TextInput): tf.Tensor1D {
  const weight = classifier.parameters.get('score') as tf.Variable<tf.Rank.R2>;
  const bias = classifier.parameters.get('score-bias') as tf.Variable<tf.Rank.R1>;
  const scores = linear(hiddenOfTexts(classifier, input), weight, bias); // (texts, 1)
  return tf.reshape(scores, [input.layout.sequences]);
}

/** Mean binary cross-entropy over the texts of the batch; a scalar, differentiable in the parameters. */
export function textLoss(classifier: TextClassifier, batch: TextBatch): tf.Scalar {
  const scores = scoresOfTexts(classifier, batch);
  const labels = tf.tensor1d(batch.labels);
  const misfit = tf.sub(tf.relu(scores), tf.mul(scores, labels));
  return tf.mean(tf.add(misfit, tf.log1p(tf.exp(tf.neg(tf.abs(scores))))));
}
