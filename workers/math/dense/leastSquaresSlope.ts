/** The slope of the line through points (x, y) that has the least squares of errors in y; NaN where all x are equal. */
export function leastSquaresSlope(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(x);
  const meanY = mean(y);
  let products = 0;
  let squares = 0;
  for (let i = 0; i < x.length; i++) {
    products += (x[i] - meanX) * (y[i] - meanY);
    squares += (x[i] - meanX) ** 2;
  }
  return products / squares;
}
