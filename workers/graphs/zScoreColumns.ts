/**
 * Each column of `vectors` (rows, dimensions; row-major) less its mean, divided by its population standard deviation: what a
 * second file of LEPORID's authors holds, and their network loads, without a word of the paper. A constant column becomes 0.
 */
export function zScoreColumns(vectors: Float64Array, dimensions: number): Float64Array {
  const rows = vectors.length / dimensions;
  const scaled = new Float64Array(vectors.length);
  for (let column = 0; column < dimensions; column++) {
    let mean = 0;
    for (let at = column; at < vectors.length; at += dimensions) mean += vectors[at]! / rows;
    let variance = 0;
    for (let at = column; at < vectors.length; at += dimensions) variance += (vectors[at]! - mean) ** 2 / rows;
    // what rounding leaves of a constant column is not to be blown up
    const scale = variance > 1e-24 * (mean * mean + 1e-300) ? 1 / Math.sqrt(variance) : 0;
    for (let at = column; at < vectors.length; at += dimensions) scaled[at] = (vectors[at]! - mean) * scale;
  }
  return scaled;
}
