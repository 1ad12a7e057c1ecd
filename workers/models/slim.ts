/**
 * SLIM: X. Ning and G. Karypis, "SLIM: sparse linear methods for top-N recommender systems", ICDM 2011, Eq. 4. The score of
 * item j for a history H is the sum of w_ij over i in H; each column of W solves an elastic net of its own, w ≥ 0, w_jj = 0.
 */
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { sparseFromTriplets } from '../math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { coOccurrences } from './coOccurrences.ts';
import type { SlimOptions } from './slimReference.ts';

/** Items whose weights are computed between two calls of `pulse`. */
const ITEMS_AT_ONCE = 64;

/**
 * W (items, items), row i the weights of item i for the others. On all lanes, an item on one: the same bits whatever their
 * number. `pulse` is told the part that is done and may throw. Throws OUT_OF_MEMORY where 8 bytes for each two items are
 * too many for 4 GiB.
 */
export function fitSlim(
  threads: NumericThreads,
  training: TrainingPart,
  { l1, l2, tolerance, sweeps, pulse }: SlimOptions & { pulse?: (fraction: number) => void },
): SparseMatrix {
  const { itemCount } = training.dataset;
  const scope = threads.scope();
  try {
    const { kernels } = threads;
    const gram = scope.place(coOccurrences(training));
    const scratch = scope.reserve(8 * itemCount * kernels.lanes);
    const block = scope.reserve(8 * itemCount * ITEMS_AT_ONCE);
    const [rows, columns, values]: [number[], number[], number[]] = [[], [], []];
    for (let first = 0; first < itemCount; first += ITEMS_AT_ONCE) {
      pulse?.(first / itemCount);
      const last = Math.min(itemCount, first + ITEMS_AT_ONCE);
      kernels.run('slimWeights', {
        gram,
        items: itemCount,
        first,
        last,
        l1,
        l2,
        tolerance,
        sweeps,
        scratch,
        weights: block,
      });
      const weights = scope.doubles(block, (last - first) * itemCount);
      for (const [at, weight] of weights.entries()) {
        if (weight === 0) continue;
        rows.push(at % itemCount);
        columns.push(first + Math.floor(at / itemCount));
        values.push(weight);
      }
    }
    return sparseFromTriplets({
      rowCount: itemCount,
      columnCount: itemCount,
      rows: Uint32Array.from(rows),
      columns: Uint32Array.from(columns),
      values: Float64Array.from(values),
    });
  } finally {
    scope.release();
  }
}

/** Writes the score of every item for a user with this history into `scores` (items). */
export function slimScores(weights: SparseMatrix, history: Uint32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const item of new Set(history)) {
    for (let at = weights.offsets[item]!; at < weights.offsets[item + 1]!; at++) {
      scores[weights.columns[at]!]! += weights.values[at]!;
    }
  }
}
