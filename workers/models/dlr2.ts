/**
 * DLR², the dual-loss residual recommender: LEPORID, Section 4 and Appendix G. A state s of the user and its last l items goes
 * into a Discriminative Network S(s, e), the distance of an item (less is better), and a Generative Network G(s), the
 * embedding of the next item. `author` variants are those of the authors' program where it differs from the text.
 */
import { activation } from '../tensor/operations/activation.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { linear } from '../tensor/operations/linear.ts';
import { tf } from '../tensor/tf.ts';
import { initConvolution } from './convolution.ts';
import type { EmbeddingStart } from './initialTable.ts';
import { type GeneratorOf, initialMatrix } from './initialValues.ts';
import type { InteractionBatch, InteractionNetwork, Moments } from './interactionNetwork.ts';
import { affine, matrixOf, type Parameters } from './namedParameters.ts';
import { type Features, type FeatureShape, featureNetwork, initFeatures } from './residualFeatures.ts';

export interface Dlr2Shape extends Omit<FeatureShape, 'rows'> {
  userCount: number;
  itemCount: number;
  /** Items that it looks back at, l. */
  recent: number;
  /** Widths of the layers that S and G share in form, at least one: Appendix G has 256, 256 and 128. */
  tower: readonly number[];
}

export interface Dlr2Options {
  /** Which losses are summed. */
  losses: 'both' | 'discriminative' | 'generative';
  /** By which network items are ranked. */
  inference: 'discriminative' | 'generative';
  /** m_S of Eq. 10. */
  discriminativeMargin: number;
  /** m_G of Eq. 11. */
  generativeMargin: number;
  /** Whether S ends in a ReLU, as in Appendix G; the authors' program has none. */
  rectified: boolean;
  /** What L_G compares: `euclidean` distances (Eq. 11), or `mean-square` ones over the dimensions, the authors'. */
  distance: 'euclidean' | 'mean-square';
}

/** Keeps the gradient of a distance finite at 0. */
const LEAST_SQUARE = 1e-12;
/** Rows of S computed at once: 32 MB for its widest layer. */
const ROWS_AT_ONCE = 32_768;

function featureShape(shape: Dlr2Shape): FeatureShape {
  return { ...shape, rows: shape.recent + 1 };
}

/** The parameters before training: embeddings from `start`, all layers as PyTorch starts them. */
export function initDlr2(shape: Dlr2Shape, start: EmbeddingStart, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const { userCount, itemCount, dimension: d, tower: widths } = shape;
  const parameters = new Map<string, tf.Variable>();
  parameters.set('users', initialMatrix([userCount, d], start.users, generatorOf('users')));
  parameters.set('items', initialMatrix([itemCount, d], start.items, generatorOf('items')));
  initFeatures(parameters, featureShape(shape), generatorOf);
  const tower = (name: string, given: number, outputs: number): void => {
    let inputs = given;
    for (const [layer, width] of [...widths, outputs].entries()) {
      initConvolution(parameters, `${name}/${layer}`, { inputs, outputs: width, generatorOf });
      inputs = width;
    }
  };
  tower('discriminative', 2 * d, 1);
  tower('generative', d, d);
  return parameters;
}

/** DLR² as a network over these parameters. */
export function dlr2(parameters: Parameters, shape: Dlr2Shape, options: Dlr2Options): InteractionNetwork {
  const { recent, itemCount } = shape;
  const features = featureNetwork(parameters, featureShape(shape));
  const of: Layers = { parameters, features, layers: shape.tower.length };
  return {
    parameters,
    recent,
    targets: 1,
    momentsAtOnce: options.inference === 'generative' ? 1024 : Math.max(1, Math.floor(ROWS_AT_ONCE / itemCount)),
    loss: (batch) => tf.tidy(() => dualLoss(of, batch, { shape, options })),
    scores: (moments) =>
      tf.tidy(() => {
        const state = stateOf(of, moments, shape);
        return options.inference === 'generative' ? nearness(of, state) : tf.neg(distances(of, state));
      }),
  };
}

/** [moments, d] s: the features of each user and its recent items; an item that is missing is a zero vector. */
function stateOf({ parameters, features }: Layers, { users, recent }: Moments, shape: Dlr2Shape): tf.Tensor2D {
  const { recent: length, dimension } = shape;
  const found = embeddingLookup(matrixOf(parameters, 'items'), recent, { blanks: true });
  const items = tf.reshape(found, [users.length, length * dimension]); // (moments, l × d)
  const own = embeddingLookup(matrixOf(parameters, 'users'), users);
  return features(tf.concat([own, items], 1) as tf.Tensor2D);
}

/** The parameters, the feature network over them, and how many layers S and G have before their last. */
interface Layers {
  parameters: Parameters;
  features: Features;
  layers: number;
}

interface Dual {
  shape: Dlr2Shape;
  options: Dlr2Options;
}

/** L_S + L_G (Eqs. 10 and 11), or one of them: means over the batch and its negatives. */
function dualLoss(of: Layers, batch: InteractionBatch, { shape, options }: Dual): tf.Scalar {
  const { positives, negatives } = batch;
  const count = positives.length;
  const each = negatives.length / count;
  const { parameters } = of;
  const state = stateOf(of, batch, shape);
  // the item that came, then the first of its negatives, and so on: (1 + each, moments)
  const ids = new Int32Array((1 + each) * count);
  ids.set(positives);
  for (let k = 0; k < each; k++) {
    for (let moment = 0; moment < count; moment++) ids[(1 + k) * count + moment] = negatives[moment * each + k]!;
  }
  const items = embeddingLookup(matrixOf(parameters, 'items'), ids); // ((1 + each) × moments, d)
  const losses: tf.Tensor[] = [];
  if (options.losses !== 'generative') {
    const raw = tf.reshape(pairDistances(of, { state, items, each: 1 + each }), [1 + each, count]);
    const found = options.rectified ? tf.relu(raw) : raw;
    const came = tf.slice(found, [0, 0], [1, count]);
    const other = tf.slice(found, [1, 0], [each, count]);
    losses.push(tf.mean(tf.square(came)));
    losses.push(tf.mean(tf.square(tf.relu(tf.sub(options.discriminativeMargin, other)))));
  }
  if (options.losses !== 'discriminative') {
    const wanted = tf.expandDims(generated(of, state), 0); // (1, moments, d)
    const gap = tf.square(tf.sub(tf.reshape(items, [1 + each, count, shape.dimension]), wanted));
    const far = options.distance === 'euclidean' ? tf.sqrt(tf.add(tf.sum(gap, 2), LEAST_SQUARE)) : tf.mean(gap, 2);
    const came = tf.slice(far, [0, 0], [1, count]);
    const other = tf.slice(far, [1, 0], [each, count]);
    losses.push(tf.mean(tf.relu(tf.add(tf.sub(came, other), options.generativeMargin))));
  }
  return tf.addN(losses) as tf.Scalar;
}

/** [moments, d] G(s) */
function generated({ parameters, layers }: Layers, state: tf.Tensor2D): tf.Tensor2D {
  let x = state;
  for (let layer = 0; layer < layers; layer++) x = affine(parameters, `generative/${layer}`, x, 'relu');
  return tf.tanh(affine(parameters, `generative/${layers}`, x));
}

/** [rows, 1] S before its last ReLU, from the sum of what state and item give its first layer. */
function lastLayers({ parameters, layers }: Layers, sum: tf.Tensor2D): tf.Tensor2D {
  let x: tf.Tensor2D = activation(sum, 'relu');
  for (let layer = 1; layer < layers; layer++) x = affine(parameters, `discriminative/${layer}`, x, 'relu');
  return affine(parameters, `discriminative/${layers}`, x);
}

/** What states and items give the first layer of S, whose weights stand above each other. */
function firstLayer(parameters: Parameters, state: tf.Tensor2D, items: tf.Tensor2D) {
  const weight = matrixOf(parameters, 'discriminative/0/weight');
  const [ofState, ofItem] = tf.split(weight, 2, 0) as [tf.Tensor2D, tf.Tensor2D];
  const bias = parameters.get('discriminative/0/bias') as tf.Variable<tf.Rank.R1>;
  return { states: linear(state, ofState, bias), items: linear(items, ofItem, null) };
}

/** [each × moments, 1] Distances of `each` items of every moment: items [each × moments, d], moment by moment inside. */
function pairDistances(
  of: Layers,
  { state, items, each }: { state: tf.Tensor2D; items: tf.Tensor2D; each: number },
): tf.Tensor2D {
  const first = firstLayer(of.parameters, state, items);
  const [moments, width] = first.states.shape;
  const sum = tf.add(tf.reshape(first.items, [each, moments, width]), tf.expandDims(first.states, 0));
  return lastLayers(of, tf.reshape(sum, [each * moments, width]));
}

/** [moments, items] Distances of all items. A ReLU at the end would change no order, but for ties at 0. */
function distances(of: Layers, state: tf.Tensor2D): tf.Tensor2D {
  const table = matrixOf(of.parameters, 'items');
  const first = firstLayer(of.parameters, state, table);
  const sum = tf.add(tf.expandDims(first.states, 1), tf.expandDims(first.items, 0)); // (moments, items, width)
  const rows = lastLayers(of, tf.reshape(sum, [-1, first.states.shape[1]]) as tf.Tensor2D);
  return tf.reshape(rows, [state.shape[0], table.shape[0]]);
}

/** [moments, items] -‖G(s) - e‖² + ‖G(s)‖²: the order of both distances. */
function nearness(of: Layers, state: tf.Tensor2D): tf.Tensor2D {
  const table = matrixOf(of.parameters, 'items');
  const products = tf.matMul(generated(of, state), table, false, true);
  return tf.sub(tf.mul(products, 2), tf.sum(tf.square(table), 1));
}
