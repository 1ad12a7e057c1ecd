/** States of STOSA: what its embeddings become in the blocks; see stosa.ts. */
import { type Activation, activation } from '../tensor/operations/activation.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { residualDropout } from '../tensor/operations/residualDropout.ts';
import { wassersteinAttention } from '../tensor/operations/wassersteinAttention.ts';
import { placesFromRight, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import { affine, matrixOf, normalised, type Parameters } from './namedParameters.ts';
import { dropoutAt, rowsOf, type SequenceInput, type StepDraw } from './sequenceNetwork.ts';

export interface StosaShape {
  itemCount: number;
  /** Of the means, and of the covariances. */
  dimension: number;
  maximumLength: number;
  blocks: number;
  /** A divisor of the dimension. */
  heads: number;
  /**
   * `encoded`: means pass the blocks as covariances do (the paper); `embedded`: those of the states are the embeddings', which
   * every block attends by, too (the published code, which drops the means that blocks make).
   */
  means: 'encoded' | 'embedded';
}

export interface StosaOptions {
  /** Of the embeddings and of what both halves of a block add. */
  dropout: number;
  attentionDropout: number;
  /** λ, what the hinge weighs that keeps the next item nearer to the state than to a sampled one. */
  hingeWeight: number;
}

const EPSILON = 1e-12;
/** What a Gaussian has two of: vectors, tables and layers. */
export const HALVES = ['mean', 'covariance'] as const;
type Half = (typeof HALVES)[number];

export interface StosaComputation {
  shape: StosaShape;
  options: StosaOptions;
  draw: StepDraw | null;
}

/** Both halves of the tokens, each [tokens, d]. */
type Gaussians = Readonly<Record<Half, tf.Tensor2D>>;

interface Tokens extends Pick<SequenceInput, 'layout' | 'rows'> {
  /** Rows of the item tables. */
  tokens: Gaussians;
}

/** [positions, 2d] The states after the tokens asked for: means, and standard deviations behind them. */
export function stosaStates(
  parameters: Parameters,
  { tokens, layout, rows }: Tokens,
  { shape, options, draw }: StosaComputation,
): tf.Tensor2D {
  const places = placesFromRight(layout, shape.maximumLength);
  const embedded = (half: Half, kind: Activation): tf.Tensor2D => {
    const placed: tf.Tensor2D = tf.add(
      tokens[half],
      embeddingLookup(matrixOf(parameters, `positions/${half}`), places),
    );
    const drop = dropoutAt(HALVES.indexOf(half), options.dropout, draw);
    return activation(dropout(normalised(parameters, 'embeddingNorm', placed, EPSILON), drop), kind);
  };
  let x: Gaussians = { mean: embedded('mean', 'elu'), covariance: embedded('covariance', 'variance') };
  for (let block = 0; block < shape.blocks; block++) {
    const isLast = block === shape.blocks - 1;
    const next = blockStates(parameters, x, { layout, rows: isLast ? rows : null, block, shape, options, draw });
    x = { mean: next.mean, covariance: activation(next.covariance, isLast ? 'deviation' : 'variance') };
  }
  return pair(x.mean, x.covariance);
}

interface Block extends StosaComputation {
  layout: SequenceLayout;
  /** What the last block computes the states of; null for all. */
  rows: Int32Array | null;
  block: number;
}

/** One block: means and variances of the tokens -> means of those asked for, and what their variances are made of. */
function blockStates(
  parameters: Parameters,
  x: Gaussians,
  { layout, rows, block, shape, options, draw }: Block,
): Gaussians {
  const at = `block${block}`;
  const drop = (place: number) => dropoutAt(2 + 5 * block + place, options.dropout, draw);
  const isEncoded = shape.means === 'encoded';
  const project = (name: string, kind: Activation): tf.Tensor2D =>
    pair(
      isEncoded || name !== 'value' ? affine(parameters, `${at}/mean/${name}`, x.mean) : x.mean,
      affine(parameters, `${at}/covariance/${name}`, x.covariance, kind),
    );
  const attended = wassersteinAttention({
    query: project('query', 'deviation'),
    key: project('key', 'deviation'),
    value: project('value', 'variance'),
    layout,
    heads: shape.heads,
    dropout: dropoutAt(2 + 5 * block, options.attentionDropout, draw),
  });
  const halves = tf.split(rowsOf(attended, rows), 2, 1) as [tf.Tensor2D, tf.Tensor2D];
  const [mean, covariance] = HALVES.map((half, which) => {
    if (half === 'mean' && !isEncoded) return rowsOf(x.mean, rows);
    const name = `${at}/${half}`;
    const output = affine(parameters, `${name}/output`, halves[which]!);
    const joined = residualDropout(rowsOf(x[half], rows), output, drop(1 + 2 * which));
    const y = normalised(parameters, `${at}/attentionNorm`, joined, EPSILON);
    const inner = affine(parameters, `${name}/forward1`, y, 'elu'); // (positions, 4d)
    const forward = residualDropout(y, affine(parameters, `${name}/forward2`, inner), drop(2 + 2 * which));
    return normalised(parameters, `${name}/forwardNorm`, forward, EPSILON);
  }) as [tf.Tensor2D, tf.Tensor2D];
  return { mean, covariance };
}

/** [rows, 2d] Means, and what lies behind them. */
export function pair(mean: tf.Tensor2D, other: tf.Tensor2D): tf.Tensor2D {
  return tf.concat([mean, other], 1);
}
