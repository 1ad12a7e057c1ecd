/**
 * EASE: H. Steck, "Embarrassingly shallow autoencoders for sparse data", WWW 2019, Eq. 8. The score of item j for a history
 * H is the sum of b_ij over i in H, where B is the ridge regression of each item on the others, in closed form.
 */
import { WarrenError } from '#src/base/contracts/errors.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { binaryProjection } from '../wasm/linearAlgebra/binaryProjection.ts';
import { symmetricInverse } from '../wasm/linearAlgebra/symmetricInverse.ts';
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { lowerCoOccurrences } from './coOccurrences.ts';
import { type Incidence, incidence, transposed } from './incidence.ts';

/** `l2` is λ > 0. `pulse` is told the part of the inverse that is done and may throw. */
export interface EaseOptions {
  l2: number;
  pulse?: (fraction: number) => void;
}

/**
 * B (items, items), row-major, row i the weights of item i for the others, zero on the diagonal: b_ij = -p_ij / p_jj for
 * P = (A'A + λ I)⁻¹ of the binary matrix A (users, items).
 */
export function fitEase(threads: NumericThreads, training: TrainingPart, options: EaseOptions): Float64Array {
  const met = incidence(training);
  if (!isLessByUsers(met)) requireRoom(met.itemOffsets.length - 1);
  return isLessByUsers(met) ? weightsByUsers(threads, met, options) : weightsByItems(threads, met, options);
}

/** As its definition has it. */
export function weightsByItems(threads: NumericThreads, met: Incidence, options: EaseOptions): Float64Array {
  const items = met.itemOffsets.length - 1;
  const inverse = ridgeInverse(threads, met, options); // P
  return scaled(inverse, items, (own) => -1 / own);
}

/**
 * λ P = I - G for G = A' (A A' + λ I)⁻¹ A (Woodbury), so b_ij = g_ij / (1 - g_jj): the inverse is one of users, the rest sums
 * of its rows. Rounding moves the weights no more than the other way: by less for λ from .001 to 500 on part of MovieLens.
 */
export function weightsByUsers(threads: NumericThreads, met: Incidence, options: EaseOptions): Float64Array {
  const [users, items] = [met.userOffsets.length - 1, met.itemOffsets.length - 1];
  const inverse = ridgeInverse(threads, transposed(met), options);
  const projection = binaryProjection(threads, { m: users, offsets: met.itemOffsets, rows: met.itemUsers }, inverse);
  return scaled(projection, items, (own) => 1 / (1 - own));
}

/** Operations of an inverse, n³ in all, that take as long as one addition of the projection: 22 ms for 92 · 10⁶ there, 52 for 840 · 10⁶. */
const ADDITION_COST = 4;

/** Bytes that the inverse, the sums of its rows and the weights may take of the 4 GiB of WebAssembly's memory. */
const MOST_BYTES = 3 * 2 ** 30;
const WASM_BYTES = 4 * 2 ** 30 - 2 ** 16;

/** Whether the way over users takes less time, and has the room that it needs. */
function isLessByUsers({ userOffsets, itemOffsets, itemUsers }: Incidence): boolean {
  const [users, items] = [userOffsets.length - 1, itemOffsets.length - 1];
  if (8 * (users ** 2 + users * items + items ** 2) > MOST_BYTES) return false;
  return users ** 3 + ADDITION_COST * itemUsers.length * (users + items / 2) < items ** 3;
}

/** Throws DATA_ERROR where the matrix of items is larger than all memory that WebAssembly has. */
function requireRoom(items: number): void {
  const bytes = 8 * items ** 2;
  if (bytes <= WASM_BYTES) return;
  const most = Math.floor(Math.sqrt(WASM_BYTES / 8));
  throw new WarrenError(
    'DATA_ERROR',
    `EASE inverts a matrix of items × items: for ${items.toLocaleString('en')} items it needs ${formatBytes(bytes)}, and there are 4 GiB, enough for ${most.toLocaleString('en')} items. Raise dataset.core, or choose a kind without such a matrix, such as item-knn or slim`,
    { path: 'dataset' },
  );
}

/** (A'A + λ I)⁻¹ (items, items) */
function ridgeInverse(threads: NumericThreads, met: Incidence, { l2, pulse }: EaseOptions): Float64Array {
  const items = met.itemOffsets.length - 1;
  const gram = lowerCoOccurrences(met);
  for (let item = 0; item < items; item++) gram[item * items + item]! += l2;
  return symmetricInverse(threads, gram, items, pulse);
}

/** Each column of a matrix (n, n) times what its diagonal element says, and zero on the diagonal. */
function scaled(matrix: Float64Array, n: number, factorOf: (own: number) => number): Float64Array {
  const factors = Float64Array.from({ length: n }, (_, at) => factorOf(matrix[at * n + at]!));
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) matrix[row * n + column]! *= factors[column]!;
    matrix[row * n + row] = 0;
  }
  return matrix;
}

/** Writes the score of every item for a user with this history into `scores` (items). */
export function easeScores(weights: Float64Array, history: Uint32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const item of new Set(history)) {
    const row = weights.subarray(item * scores.length, (item + 1) * scores.length);
    for (let other = 0; other < row.length; other++) scores[other]! += row[other]!;
  }
}
