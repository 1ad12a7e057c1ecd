/**
 * BSARec: Y. Shin et al., "An attentive inductive bias for sequential recommendation beyond the self-attention", AAAI 2024, Section 4.
 * A block mixes attention with a filter of the sequence's frequencies: what is below a cut-off stays, the rest is scaled by a trained
 * square for each column (Eqs. 5 to 8). The filter sees later items, too, so that each prefix is a sample. Frequencies are those of the
 * window of `maximumLength` places that the sequence ends, empty places being zeros: products with a few cosines, without pads.
 */
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { transposeSparse } from '../math/sparse/transposeSparse.ts';
import { batchSparseProduct } from '../tensor/operations/batchSparseProduct.ts';
import { causalAttention } from '../tensor/operations/causalAttention.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { residualDropout } from '../tensor/operations/residualDropout.ts';
import { placesFromRight, type SequenceLayout } from '../tensor/sequenceLayout.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix, initialNormal } from './initialValues.ts';
import { affine, matrixOf, normalised, type Parameters, vectorOf } from './namedParameters.ts';
import { dropoutAt, rowsOf, type SequenceInput, type SequenceNetwork, type StepDraw } from './sequenceNetwork.ts';

export interface BsaRecShape {
  itemCount: number;
  dimension: number;
  /** Longer sequences are cut to their last items. */
  maximumLength: number;
  blocks: number;
  /** A divisor of the dimension. */
  heads: number;
}

export interface BsaRecOptions {
  /** Of the embeddings, the attention weights and what each part of a block adds. */
  dropout: number;
  /** α, what the filter counts beside attention, 0 to 1. */
  filterShare: number;
  /** c: frequencies up to ⌊c / 2⌋ are low. */
  cutoff: number;
}

const EPSILON = 1e-12;
const DEVIATION = 0.02;

/** The parameters before training: embeddings from `items`, matrices normal with 0.02, the filter's roots standard normal. */
export function initBsaRec(
  { itemCount, dimension: d, maximumLength, blocks }: BsaRecShape,
  items: InitialDistribution,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, shape: [number, number]): void => {
    const from = { method: 'normal', deviation: DEVIATION } as const;
    parameters.set(name, initialMatrix(shape, from, generatorOf(name)));
  };
  const layer = (name: string, inputs: number, outputs: number): void => {
    matrix(`${name}/weight`, [inputs, outputs]);
    parameters.set(`${name}/bias`, initialConstant(outputs, 0));
  };
  const normalisation = (name: string): void => {
    parameters.set(`${name}/gain`, initialConstant(d, 1));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  parameters.set('items', initialMatrix([itemCount, d], items, generatorOf('items')));
  matrix('positions', [maximumLength, d]);
  normalisation('embeddingNorm');
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    parameters.set(`${at}/root`, initialNormal<tf.Rank.R1>([d], generatorOf(`${at}/root`)));
    normalisation(`${at}/filterNorm`);
    for (const name of ['query', 'key', 'value', 'output']) layer(`${at}/${name}`, d, d);
    normalisation(`${at}/attentionNorm`);
    layer(`${at}/forward1`, d, 4 * d);
    layer(`${at}/forward2`, 4 * d, d);
    normalisation(`${at}/forwardNorm`);
  }
  return parameters;
}

/** BSARec as a network over these parameters. */
export function bsaRec(parameters: Parameters, shape: BsaRecShape, options: BsaRecOptions): SequenceNetwork {
  return {
    parameters,
    items: matrixOf(parameters, 'items'),
    maximumLength: shape.maximumLength,
    states: (input, draw) => bsaRecStates(parameters, input, { shape, options, draw }),
  };
}

/** [positions, d] The states of the tokens asked for; each has heard its whole sequence. */
function bsaRecStates(
  parameters: Parameters,
  { items, layout, rows }: SequenceInput,
  { shape, options, draw }: { shape: BsaRecShape; options: BsaRecOptions; draw: StepDraw | null },
): tf.Tensor2D {
  const places = placesFromRight(layout, shape.maximumLength);
  const waves = lowFrequencies(layout, places, { cutoff: options.cutoff, length: shape.maximumLength });
  const embedded = tf.add<tf.Tensor2D>(
    embeddingLookup(matrixOf(parameters, 'items'), items),
    embeddingLookup(matrixOf(parameters, 'positions'), places),
  );
  const first = normalised(parameters, 'embeddingNorm', embedded, EPSILON);
  let x: tf.Tensor2D = dropout(first, dropoutAt(0, options.dropout, draw));
  for (let block = 0; block < shape.blocks; block++) {
    const isLast = block === shape.blocks - 1;
    x = blockStates(parameters, x, {
      layout,
      waves,
      rows: isLast ? rows : null,
      block,
      heads: shape.heads,
      options,
      draw,
    });
  }
  return x;
}

interface Block {
  layout: SequenceLayout;
  /** (sequences × waves, tokens) */
  waves: SparseMatrix;
  /** What the last block computes the states of; null for all. */
  rows: Int32Array | null;
  block: number;
  heads: number;
  options: BsaRecOptions;
  draw: StepDraw | null;
}

/** One block: x [tokens, d] -> [tokens asked for, d]. */
function blockStates(
  parameters: Parameters,
  x: tf.Tensor2D,
  { layout, waves, rows, block, heads, options, draw }: Block,
): tf.Tensor2D {
  const at = `block${block}`;
  const drop = (place: number) => dropoutAt(1 + 4 * block + place, options.dropout, draw);
  const low = batchSparseProduct(transposeSparse(waves), batchSparseProduct(waves, x)); // (tokens, d)
  const scale = tf.square(vectorOf(parameters, `${at}/root`));
  const bent = tf.add<tf.Tensor2D>(low, tf.mul(tf.sub(x, low), scale));
  const own = rowsOf(x, rows);
  const filtered = normalised(
    parameters,
    `${at}/filterNorm`,
    residualDropout(own, rowsOf(bent, rows), drop(0)),
    EPSILON,
  );
  const attended = causalAttention({
    query: affine(parameters, `${at}/query`, x),
    key: affine(parameters, `${at}/key`, x),
    value: affine(parameters, `${at}/value`, x),
    layout,
    heads,
    causal: true,
    dropout: drop(1),
  });
  const output = affine(parameters, `${at}/output`, rowsOf(attended, rows));
  const heard = normalised(parameters, `${at}/attentionNorm`, residualDropout(own, output, drop(2)), EPSILON);
  const { filterShare } = options;
  const y = tf.add<tf.Tensor2D>(tf.mul(filtered, filterShare), tf.mul(heard, 1 - filterShare));
  const forward = affine(parameters, `${at}/forward2`, affine(parameters, `${at}/forward1`, y, 'gelu'));
  return normalised(parameters, `${at}/forwardNorm`, residualDropout(y, forward, drop(3)), EPSILON);
}

/**
 * (sequences × waves, tokens) Orthonormal cosines and sines of the low frequencies of a window of `length` places: its transpose times
 * itself leaves of each sequence what is low. `places` (tokens) stand in the window.
 */
export function lowFrequencies(
  { sequences, tokens, offsets }: Pick<SequenceLayout, 'sequences' | 'tokens' | 'offsets'>,
  places: Int32Array,
  { cutoff, length }: { cutoff: number; length: number },
): SparseMatrix {
  const waves: ((place: number) => number)[] = [];
  const highest = Math.min(Math.floor(cutoff / 2), Math.floor(length / 2));
  for (let frequency = 0; frequency <= highest; frequency++) {
    const turn = (2 * Math.PI * frequency) / length;
    const isAlone = frequency === 0 || 2 * frequency === length;
    const size = Math.sqrt((isAlone ? 1 : 2) / length);
    waves.push((place) => size * Math.cos(turn * place));
    if (!isAlone) waves.push((place) => size * Math.sin(turn * place));
  }
  const table = Array.from({ length }, (_, place) => waves.map((wave) => wave(place)));
  const rowOffsets = new Uint32Array(sequences * waves.length + 1);
  const columns = new Uint32Array(tokens * waves.length);
  const values = new Float64Array(columns.length);
  let written = 0;
  for (let s = 0; s < sequences; s++) {
    for (let wave = 0; wave < waves.length; wave++) {
      for (let token = offsets[s]!; token < offsets[s + 1]!; token++) {
        columns[written] = token;
        values[written++] = table[places[token]!]![wave]!;
      }
      rowOffsets[s * waves.length + wave + 1] = written;
    }
  }
  return { rowCount: sequences * waves.length, columnCount: tokens, offsets: rowOffsets, columns, values };
}
