import { gatheredLinear } from '../tensor/operations/gatheredLinear.ts';
import type { tf } from '../tensor/tf.ts';
import type { GeneratorOf } from './initialValues.ts';
import { initialUniform } from './initialValues.ts';
import { affine, matrixOf, type Parameters, vectorOf } from './namedParameters.ts';

/** Places of a small image, row by row; a sequence is one column wide. */
export interface Grid {
  readonly height: number;
  readonly width: number;
}

/** Which places of a grid each place of the result sees. */
export interface Windows {
  readonly from: Grid;
  readonly to: Grid;
  /** Places seen by each. */
  readonly taps: number;
  /** (samples × to, taps) Rows of `samples` grids that lie one after the other, or -1 outside; those asked for last are kept. */
  rows(samples: number): Int32Array;
}

/**
 * Windows of `reach` places to each side, in both directions (in height alone where the grid is one column wide), moved by
 * `stride`; outside is 0. A reach of 1 is PyTorch's kernel of 3 with padding 1, a reach of 0 its kernel of 1.
 */
export function windowsOf(from: Grid, { reach, stride }: { reach: number; stride: number }): Windows {
  const to = { height: Math.ceil(from.height / stride), width: Math.ceil(from.width / stride) };
  const across = from.width === 1 ? 0 : reach;
  const places: number[] = [];
  for (let row = 0; row < to.height; row++) {
    for (let column = 0; column < to.width; column++) {
      for (let down = -reach; down <= reach; down++) {
        for (let right = -across; right <= across; right++) {
          const [y, x] = [row * stride + down, column * stride + right];
          const isInside = y >= 0 && y < from.height && x >= 0 && x < from.width;
          places.push(isInside ? y * from.width + x : -1);
        }
      }
    }
  }
  return { from, to, taps: (2 * reach + 1) * (2 * across + 1), rows: rowsOf(places, from.height * from.width) };
}

function rowsOf(places: readonly number[], inputs: number): Windows['rows'] {
  let kept = new Int32Array();
  return (samples) => {
    if (kept.length === samples * places.length) return kept;
    const rows = new Int32Array(samples * places.length);
    for (let sample = 0; sample < samples; sample++) {
      for (let at = 0; at < places.length; at++) {
        const place = places[at]!;
        rows[sample * places.length + at] = place < 0 ? -1 : sample * inputs + place;
      }
    }
    kept = rows;
    return rows;
  };
}

/** Parameters `name/weight` [taps × in, out] and `name/bias` [out], drawn as PyTorch does: ±1/√(taps × in). */
export function initConvolution(
  parameters: Map<string, tf.Variable>,
  name: string,
  { inputs, outputs, generatorOf }: { inputs: number; outputs: number; generatorOf: GeneratorOf },
): void {
  const bound = 1 / Math.sqrt(inputs);
  parameters.set(`${name}/weight`, initialUniform<tf.Rank.R2>([inputs, outputs], bound, generatorOf(`${name}/weight`)));
  parameters.set(`${name}/bias`, initialUniform<tf.Rank.R1>([outputs], bound, generatorOf(`${name}/bias`)));
}

/**
 * Convolution of x [samples × from, channels], the places of one sample after the other, by `name/weight` and `name/bias`,
 * then ReLU where it is `rectified`: [samples × to, out]. Its windows are gathered, so that it is a product on every backend.
 */
export function convolve(
  parameters: Parameters,
  name: string,
  { x, windows, rectified = false }: { x: tf.Tensor2D; windows: Windows; rectified?: boolean },
): tf.Tensor2D {
  const { taps, from, to } = windows;
  const inputs = from.height * from.width;
  if (taps === 1 && inputs === to.height * to.width) return affine(parameters, name, x, rectified ? 'relu' : null);
  return gatheredLinear({
    x,
    taps,
    rectified,
    ids: windows.rows(x.shape[0] / inputs),
    weight: matrixOf(parameters, `${name}/weight`),
    bias: vectorOf(parameters, `${name}/bias`),
  });
}
