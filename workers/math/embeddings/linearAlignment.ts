import { centeredProduct } from './centeredProduct.ts';
import type { NumberTable, Progress } from './numberTable.ts';

/**
 * Linear centered kernel alignment (CKA) of two tables whose rows belong together: ‖YᵀX‖² / (‖XᵀX‖ ‖YᵀY‖) of Frobenius norms
 * after centering, from 0 to 1; rotations and one scale for all leave it as it is. Kornblith, Norouzi, Lee, Hinton: Similarity of
 * neural network representations revisited, ICML 2019, Eq. 4. Not a number where all rows of a table are equal.
 */
export function linearAlignment(x: NumberTable, y: NumberTable, progress: Progress = () => {}): number {
  const part = (from: number) => (done: number) => progress((from + done) / 3);
  const between = squareSum(centeredProduct(x, y, part(0)));
  return between / Math.sqrt(squareSum(centeredProduct(x, x, part(1))) * squareSum(centeredProduct(y, y, part(2))));
}

function squareSum(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
