import { symmetricEigen } from '../dense/symmetricEigen.ts';
import { centeredProduct } from './centeredProduct.ts';
import { meanRow, type NumberTable, type Progress } from './numberTable.ts';

export interface PrincipalComponents {
  /** (columns) */
  mean: Float64Array;
  /** (count, columns) Unit rows, that of the largest variance first; the entry of largest magnitude is positive. */
  axes: Float64Array;
  /** (count) Variances along the axes, over rows - 1. */
  variances: Float64Array;
  /** Variance of all columns together. */
  total: number;
}

/** The first principal components of a table, all where it has fewer columns, by the eigenvectors of its covariance. */
export function principalComponents(table: NumberTable, count: number, progress?: Progress): PrincipalComponents {
  const { rows, columns } = table;
  const covariance = centeredProduct(table, table, progress);
  for (let at = 0; at < covariance.length; at++) covariance[at]! /= Math.max(1, rows - 1);
  const { values, vectors } = symmetricEigen(covariance, columns);
  const taken = Math.min(count, columns);
  const axes = new Float64Array(taken * columns);
  const variances = new Float64Array(taken);
  for (let axis = 0; axis < taken; axis++) {
    const from = columns - 1 - axis;
    axes.set(vectors.subarray(from * columns, (from + 1) * columns), axis * columns);
    variances[axis] = Math.max(0, values[from]!);
  }
  let total = 0;
  for (let i = 0; i < columns; i++) total += covariance[i * columns + i]!;
  return { mean: meanRow(table), axes, variances, total };
}

/** (rows, axes) Where the rows of a table lie on axes (axes, columns), `mean` being the origin. */
export function alongAxes(
  table: NumberTable,
  { mean, axes }: Pick<PrincipalComponents, 'mean' | 'axes'>,
): Float64Array {
  const { rows, columns, values } = table;
  const count = axes.length / columns;
  const places = new Float64Array(rows * count);
  for (let row = 0; row < rows; row++) {
    for (let axis = 0; axis < count; axis++) {
      let sum = 0;
      for (let column = 0; column < columns; column++) {
        sum += (values[row * columns + column]! - mean[column]!) * axes[axis * columns + column]!;
      }
      places[row * count + axis] = sum;
    }
  }
  return places;
}
