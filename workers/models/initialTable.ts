import type { RandomGenerator } from '../math/random/randomGenerator.ts';

/** What the entries of a matrix [rows, columns] are before training. */
export type InitialDistribution =
  | { readonly method: 'xavier-normal' | 'xavier-uniform' }
  /** Mean 0; the uniform one on ±√3 times the deviation. */
  | { readonly method: 'normal' | 'uniform'; readonly deviation: number }
  /** These, row-major; the generator draws nothing. */
  | { readonly method: 'given'; readonly values: Float32Array };

/** (rows, columns) Drawn from `distribution`, row-major. Xavier (Glorot and Bengio, 2010): variance 2 / (rows + columns). */
export function initialTable(
  [rows, columns]: readonly [rows: number, columns: number],
  distribution: InitialDistribution,
  generator: RandomGenerator,
): Float32Array {
  const length = rows * columns;
  if (distribution.method === 'given') {
    const { values } = distribution;
    if (values.length === length) return values.slice();
    throw new Error(`internal: ${values.length} initial values for a matrix of ${rows} × ${columns}`);
  }
  const { method } = distribution;
  const isOwn = distribution.method === 'normal' || distribution.method === 'uniform';
  const deviation = isOwn ? distribution.deviation : Math.sqrt(2 / (rows + columns));
  const isNormal = method === 'normal' || method === 'xavier-normal';
  const halfWidth = Math.sqrt(3) * deviation;
  return Float32Array.from({ length }, () =>
    isNormal ? deviation * generator.normal() : halfWidth * (2 * generator.nextFloat() - 1),
  );
}

/** What the embeddings of users and of items are before training. */
export type EmbeddingStart = Readonly<Record<'users' | 'items', InitialDistribution>>;
