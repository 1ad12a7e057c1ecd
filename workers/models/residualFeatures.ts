/**
 * The Feature Network of DLR² (LEPORID, Section 4 and Appendices G and H): the embeddings of a user and its last l items, as a
 * sequence of l + 1 vectors or as an image of (l + 1) × D points, through two blocks of two convolutions of kernel size 3 into one
 * vector. The first convolution of the second block has stride 2. Where the input has not as many channels as the first block, as an
 * image has, a 1 × 1 convolution (`stem`) gives it as many.
 */
import { tf } from '../tensor/tf.ts';
import { convolve, type Grid, initConvolution, type Windows, windowsOf } from './convolution.ts';
import type { GeneratorOf } from './initialValues.ts';
import { affine, type Parameters } from './namedParameters.ts';

/** `resnet`: H(x) = F(x) + x; `only-conv`: without the sum; `revnet`: reversible halves; `no-conv`: four dense layers. */
export type FeatureArchitecture = 'resnet' | 'only-conv' | 'no-conv' | 'revnet';

export interface FeatureShape {
  /** Length of the embeddings, D, and of the result. */
  dimension: number;
  /** Vectors in the input, l + 1. */
  rows: number;
  /** `sequence`: the embedding's entries are channels; `image`: its entries are places, of one channel. */
  layout: 'sequence' | 'image';
  architecture: FeatureArchitecture;
  /** Channels of the first block, an even number; the second has twice as many. */
  channels: number;
}

/** Width of the layers that replace convolutions: Appendix H. */
const DENSE = [256, 256, 256, 256] as const;

function gridOf({ rows, dimension, layout }: FeatureShape): Grid {
  return { height: rows, width: layout === 'sequence' ? 1 : dimension };
}

interface Block {
  same: Windows;
  down: Windows;
  point: Windows;
  sameAfter: Windows;
}

function windowsFor(shape: FeatureShape): Block {
  const grid = gridOf(shape);
  const down = windowsOf(grid, { reach: 1, stride: 2 });
  return {
    same: windowsOf(grid, { reach: 1, stride: 1 }),
    down,
    point: windowsOf(grid, { reach: 0, stride: 2 }),
    sameAfter: windowsOf(down.to, { reach: 1, stride: 1 }),
  };
}

/** Adds the parameters of the feature network, all named `features/…`. */
export function initFeatures(
  parameters: Map<string, tf.Variable>,
  shape: FeatureShape,
  generatorOf: GeneratorOf,
): void {
  const { dimension, rows, layout, architecture, channels } = shape;
  const add = (name: string, inputs: number, outputs: number): void =>
    initConvolution(parameters, `features/${name}`, { inputs, outputs, generatorOf });
  if (architecture === 'no-conv') {
    let width = rows * dimension;
    for (const [layer, next] of DENSE.entries()) {
      add(`dense${layer}`, width, next);
      width = next;
    }
    add('out', width, dimension);
    return;
  }
  const { same, sameAfter } = windowsFor(shape);
  const taps = same.taps;
  const given = layout === 'sequence' ? dimension : 1;
  if (given !== channels) add('stem', given, channels);
  const wide = 2 * channels;
  if (architecture === 'revnet') {
    for (const half of ['f', 'g']) {
      for (const layer of [1, 2]) {
        add(`block1/${half}${layer}`, (taps * channels) / 2, channels / 2);
        add(`block2/${half}${layer}`, taps * channels, channels);
      }
    }
    add('between', taps * channels, wide);
  } else {
    add('block1/1', taps * channels, channels);
    add('block1/2', taps * channels, channels);
    add('block2/1', taps * channels, wide);
    add('block2/2', taps * wide, wide);
    if (architecture === 'resnet') add('block2/down', channels, wide);
  }
  add('out', sameAfter.to.height * sameAfter.to.width * wide, dimension);
}

/** From x [samples, (l + 1) × D], which has each user's and its items' embeddings, in order, the states s [samples, D]. */
export type Features = (x: tf.Tensor2D) => tf.Tensor2D;

/** The feature network over these parameters. */
export function featureNetwork(parameters: Parameters, shape: FeatureShape): Features {
  const { architecture, channels, layout, dimension } = shape;
  if (architecture === 'no-conv') {
    return (x) => {
      let dense = x;
      for (const layer of DENSE.keys()) dense = affine(parameters, `features/dense${layer}`, dense, 'relu');
      return affine(parameters, 'features/out', dense);
    };
  }
  const given = layout === 'sequence' ? dimension : 1;
  const windows = windowsFor(shape);
  return (x) => {
    const places = tf.reshape(x, [-1, given]) as tf.Tensor2D; // (samples × places, given)
    const image = given === channels ? places : affine(parameters, 'features/stem', places);
    const seen =
      architecture === 'revnet'
        ? reversible(parameters, windows, image)
        : stacked(parameters, windows, { x: image, isResidual: architecture === 'resnet' });
    return affine(parameters, 'features/out', tf.reshape(seen, [x.shape[0], -1]) as tf.Tensor2D);
  };
}

/** Two blocks of two convolutions, each with its input added or, for `only-conv`, not. */
function stacked(
  parameters: Parameters,
  { same, down, point, sameAfter }: Block,
  { x, isResidual }: { x: tf.Tensor2D; isResidual: boolean },
): tf.Tensor2D {
  const layer = (name: string, from: tf.Tensor2D, windows: Windows): tf.Tensor2D =>
    convolve(parameters, `features/${name}`, { x: from, windows, rectified: true });
  const first = layer('block1/2', layer('block1/1', x, same), same);
  const between = isResidual ? tf.add<tf.Tensor2D>(first, x) : first;
  const second = layer('block2/2', layer('block2/1', between, down), sameAfter);
  if (!isResidual) return second;
  return tf.add(second, convolve(parameters, 'features/block2/down', { x: between, windows: point }));
}

/** Two reversible blocks, y₁ = x₁ + F(x₂), y₂ = x₂ + G(y₁), with a convolution of stride 2 between them. */
function reversible(parameters: Parameters, { same, down, sameAfter }: Block, x: tf.Tensor2D): tf.Tensor2D {
  const layer = (name: string, from: tf.Tensor2D, windows: Windows): tf.Tensor2D =>
    convolve(parameters, `features/${name}`, { x: from, windows, rectified: true });
  const block = (name: string, from: tf.Tensor2D, windows: Windows): tf.Tensor2D => {
    const both = (half: string, part: tf.Tensor2D): tf.Tensor2D =>
      layer(`${name}/${half}2`, layer(`${name}/${half}1`, part, windows), windows);
    const [x1, x2] = tf.split(from, 2, 1) as [tf.Tensor2D, tf.Tensor2D];
    const y1: tf.Tensor2D = tf.add(x1, both('f', x2));
    return tf.concat([y1, tf.add<tf.Tensor2D>(x2, both('g', y1))], 1);
  };
  return block('block2', layer('between', block('block1', x, same), down), sameAfter);
}
