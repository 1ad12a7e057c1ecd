import { singularValues } from '../dense/singularValues.ts';
import { centeredProduct } from './centeredProduct.ts';
import { meanRow, type NumberTable, type Progress } from './numberTable.ts';

export interface ProcrustesFit {
  /** (columns of the moved, columns of the fixed) What a row of the moved table, less its mean, is multiplied with. */
  turn: Float64Array;
  /** By how much it is stretched after that. */
  scale: number;
  /** (columns of the moved) and (columns of the fixed) */
  movedMean: Float64Array;
  fixedMean: Float64Array;
  /** What of the fixed table's sum of squares is left over, 0 for the same shape up to 1. */
  disparity: number;
}

/**
 * How one table is best turned (or mirrored), stretched and shifted onto another with the same rows, by least squares
 * (Schönemann, A generalized solution of the orthogonal Procrustes problem, 1966). The narrower one is filled up with zeros.
 */
export function procrustesFit(moved: NumberTable, fixed: NumberTable, progress?: Progress): ProcrustesFit {
  const width = Math.max(moved.columns, fixed.columns);
  const product = centeredProduct(moved, fixed, progress);
  const square = new Float64Array(width * width);
  for (let i = 0; i < moved.columns; i++) {
    square.set(product.subarray(i * fixed.columns, (i + 1) * fixed.columns), i * width);
  }
  const { values, left, right } = singularValues(square, width);
  const turn = new Float64Array(moved.columns * fixed.columns);
  for (let axis = 0; axis < width; axis++) {
    for (let i = 0; i < moved.columns; i++) {
      const factor = left[axis * width + i]!;
      for (let j = 0; j < fixed.columns; j++) turn[i * fixed.columns + j]! += factor * right[axis * width + j]!;
    }
  }
  const [movedMean, fixedMean] = [meanRow(moved), meanRow(fixed)];
  const [spreadMoved, spreadFixed] = [spread(moved, movedMean), spread(fixed, fixedMean)];
  const trace = values.reduce((sum, value) => sum + value, 0);
  return {
    turn,
    scale: spreadMoved === 0 ? 1 : trace / spreadMoved,
    movedMean,
    fixedMean,
    disparity: Math.max(0, 1 - (trace * trace) / (spreadMoved * spreadFixed)),
  };
}

/** A table moved as a fit says: among the rows of the fixed one. */
export function movedOnto(moved: NumberTable, fit: ProcrustesFit): NumberTable & { values: Float64Array } {
  const { turn, scale, movedMean, fixedMean } = fit;
  const columns = fixedMean.length;
  const values = new Float64Array(moved.rows * columns);
  for (let row = 0; row < moved.rows; row++) {
    values.set(fixedMean, row * columns);
    for (let i = 0; i < moved.columns; i++) {
      const factor = scale * (moved.values[row * moved.columns + i]! - movedMean[i]!);
      for (let j = 0; j < columns; j++) values[row * columns + j]! += factor * turn[i * columns + j]!;
    }
  }
  return { rows: moved.rows, columns, values };
}

/** Sum of squares about the mean. */
function spread({ rows, columns, values }: NumberTable, mean: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns; i++) sum += (values[row * columns + i]! - mean[i]!) ** 2;
  }
  return sum;
}
