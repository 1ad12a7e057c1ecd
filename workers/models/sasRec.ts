/**
 * SASRec: W.-C. Kang, J. McAuley, "Self-attentive sequential recommendation", ICDM 2018, Section III; in the form of SEvo's
 * authors unless told otherwise. A block is x ← y + F(y) with y = LN(r + A(LN(x), x, x)): attention whose queries are
 * normalised and whose keys and values are not, and a position-wise network F of two layers. Scores are products of the last
 * state, normalised, with the embeddings of the items, which are the input, too, multiplied by √d there.
 */
import { causalAttention } from '../tensor/operations/causalAttention.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { residualDropout } from '../tensor/operations/residualDropout.ts';
import { placesFromRight, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix, initialUniform } from './initialValues.ts';
import { MASKED, maskedEmbeddings } from './maskedItems.ts';
import { affine, matrixOf, normalised, type Parameters, vectorOf } from './namedParameters.ts';
import { dropoutAt, rowsOf, type SequenceInput, type SequenceNetwork, type StepDraw } from './sequenceNetwork.ts';

export interface SasRecShape {
  itemCount: number;
  dimension: number;
  /** Length that shorter sequences are thought to be padded to, at the left; longer ones are cut. */
  maximumLength: number;
  blocks: number;
  /** A divisor of the dimension. */
  heads: number;
}

export interface SasRecOptions {
  /** Of the embeddings, the attention weights and both layers of F. */
  dropout: number;
  /** `attended`: pads are keys like others, as in the code of SEvo's authors; `masked`: nobody sees them, as in the paper. */
  pads: 'attended' | 'masked';
  /** What r is: the input x of a block, as SEvo's authors have it, or LN(x), as in the paper's code. */
  residual: 'input' | 'normalised-query';
}

export const SASREC_EPSILON = 1e-8;

/**
 * The parameters before training: embeddings of items from `distribution`, of positions and the output of attention from
 * Xavier's normal distribution, its projections from Xavier's uniform one over the three together, the layers of F as PyTorch
 * starts convolutions; gains 1, other biases 0.
 */
export function initSasRec(
  { itemCount, dimension: d, maximumLength, blocks }: SasRecShape,
  distribution: InitialDistribution,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const normalisation = (name: string): void => {
    parameters.set(`${name}/gain`, initialConstant(d, 1));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  const matrix = (name: string, rows: number, from: InitialDistribution): void => {
    parameters.set(name, initialMatrix([rows, d], from, generatorOf(name)));
  };
  matrix('items', itemCount, distribution);
  matrix('positions', maximumLength, { method: 'xavier-normal' });
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    normalisation(`${at}/queryNorm`);
    for (const name of [`${at}/query`, `${at}/key`, `${at}/value`]) {
      // Xavier over the joint matrix (d, 3d): variance 2 / 4d
      matrix(`${name}/weight`, d, { method: 'uniform', deviation: Math.sqrt(2 / (4 * d)) });
      parameters.set(`${name}/bias`, initialConstant(d, 0));
    }
    matrix(`${at}/output/weight`, d, { method: 'xavier-normal' });
    parameters.set(`${at}/output/bias`, initialConstant(d, 0));
    normalisation(`${at}/forwardNorm`);
    for (const name of [`${at}/forward1`, `${at}/forward2`]) {
      const bound = 1 / Math.sqrt(d);
      parameters.set(`${name}/weight`, initialUniform<tf.Rank.R2>([d, d], bound, generatorOf(`${name}/weight`)));
      parameters.set(`${name}/bias`, initialUniform<tf.Rank.R1>([d], bound, generatorOf(`${name}/bias`)));
    }
  }
  normalisation('lastNorm');
  return parameters;
}

/** [positions, d] The normalised states after the tokens asked for; where there is a parameter `mask`, items may be masked. */
export function sasRecStates(
  parameters: Parameters,
  { items, layout, rows }: SequenceInput,
  { shape, options, draw }: { shape: SasRecShape; options: SasRecOptions; draw: StepDraw | null },
): tf.Tensor2D {
  const { dimension, blocks } = shape;
  const own = items.includes(MASKED)
    ? maskedEmbeddings(parameters, items)
    : embeddingLookup(matrixOf(parameters, 'items'), items);
  const embedded = tf.mul(own, Math.sqrt(dimension)); // (tokens, d)
  const places = embeddingLookup(matrixOf(parameters, 'positions'), placesFromRight(layout, shape.maximumLength));
  let x: tf.Tensor2D = dropout(tf.add(embedded, places), dropoutAt(0, options.dropout, draw));
  for (let block = 0; block < blocks; block++) x = blockStates(parameters, x, { layout, block, shape, options, draw });
  return normalise(parameters, 'lastNorm', rowsOf(x, rows));
}

/** SASRec as a network over these parameters. */
export function sasRec(parameters: Parameters, shape: SasRecShape, options: SasRecOptions): SequenceNetwork {
  return {
    parameters,
    items: matrixOf(parameters, 'items'),
    maximumLength: shape.maximumLength,
    states: (input, draw) => sasRecStates(parameters, input, { shape, options, draw }),
  };
}

interface Block {
  layout: SequenceLayout;
  block: number;
  shape: SasRecShape;
  options: SasRecOptions;
  draw: StepDraw | null;
}

/** One block: x [tokens, d] -> [tokens, d]. */
function blockStates(
  parameters: Parameters,
  x: tf.Tensor2D,
  { layout, block, shape, options, draw }: Block,
): tf.Tensor2D {
  const at = `block${block}`;
  const drop = (place: number) => dropoutAt(1 + 3 * block + place, options.dropout, draw);
  const project = (name: string, of: tf.Tensor2D, activation: 'relu' | null = null): tf.Tensor2D =>
    affine(parameters, `${at}/${name}`, of, activation);
  const query = normalise(parameters, `${at}/queryNorm`, x);
  const attended = causalAttention({
    query: project('query', query),
    key: project('key', x),
    value: project('value', x),
    layout,
    heads: shape.heads,
    causal: true,
    dropout: drop(0),
    // a pad is a zero vector: its key and value are the biases
    ...(options.pads === 'attended' && {
      pads: { key: vectorOf(parameters, `${at}/key/bias`), value: vectorOf(parameters, `${at}/value/bias`) },
    }),
  });
  const residual = options.residual === 'input' ? x : query;
  const y = normalise(parameters, `${at}/forwardNorm`, tf.add(project('output', attended), residual));
  // dropout and ReLU commute: the authors drop before it
  const inner = dropout(project('forward1', y, 'relu'), drop(1));
  return residualDropout(y, project('forward2', inner), drop(2));
}

function normalise(parameters: Parameters, name: string, x: tf.Tensor2D): tf.Tensor2D {
  return normalised(parameters, name, x, SASREC_EPSILON);
}
