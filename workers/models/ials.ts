/**
 * iALS: Y. Hu, Y. Koren, C. Volinsky, "Collaborative filtering for implicit feedback datasets", ICDM 2008, with the penalties of
 * S. Rendle et al., "Revisiting the performance of iALS on item recommendation benchmarks", RecSys 2022, Eqs. 1 to 4: the sum of
 * (1 - w_u · h_i)² over what users met, of α₀ (w_u · h_i)² over all pairs, and of λ_u |w_u|² and λ_i |h_i|², where
 * λ_u = λ (items met + α₀ items)^ν and λ_i likewise. With one side fixed each row of the other is a small linear system.
 */
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { inChunks } from '../wasm/calls/inChunks.ts';

/** Rows of users and of items, in double precision. */
export interface IalsModel {
  readonly dimension: number;
  /** (users × dimension), row-major */
  readonly users: Float64Array;
  /** (items × dimension), row-major */
  readonly items: Float64Array;
}

export interface IalsOptions {
  /** α₀, what a pair counts that was not met. */
  readonly unobservedWeight: number;
  /** λ */
  readonly regularization: number;
  /** ν: 0 for the same penalty on all rows. */
  readonly frequencyExponent: number;
}

/** Who met what: those that row r met are `columns` from `offsets[r]` on, each once. */
export interface Meetings {
  /** (rows + 1) */
  readonly offsets: Uint32Array;
  readonly columns: Uint32Array;
}

/** What the rows of one side are solved from. */
export interface IalsSide {
  readonly meetings: Meetings;
  /** (others × dimension) The rows of the other side, as they are. */
  readonly others: Float64Array;
  readonly dimension: number;
  readonly options: IalsOptions;
}

/** Rows solved between two calls of `pulse`, at first. */
const UNIT = 16;

/**
 * (rows × dimension) The rows that are best for the others as they are: exact, by Cholesky's factors in double precision. On all
 * lanes, a row on one: the same bits whatever their number. `pulse` may throw to stop.
 */
export function solveIalsRows(
  threads: NumericThreads,
  { meetings, others, dimension, options }: IalsSide,
  pulse: () => void = () => undefined,
): Float64Array {
  const rows = meetings.offsets.length - 1;
  const otherCount = others.length / dimension;
  const scope = threads.scope();
  try {
    const gram = gramOf(others, dimension).map((value) => options.unobservedWeight * value);
    const ridges = Float64Array.from({ length: rows }, (_, row) =>
      ridgeOf(meetings.offsets[row + 1]! - meetings.offsets[row]!, otherCount, options),
    );
    const solved = scope.reserve(8 * rows * dimension);
    const job = {
      gram: scope.place(gram),
      others: scope.place(others),
      offsets: scope.place(meetings.offsets),
      columns: scope.place(meetings.columns),
      ridges: scope.place(ridges),
      dimension,
      scratch: scope.reserve(8 * dimension * dimension * threads.kernels.lanes),
      solved,
    };
    inChunks({
      count: rows,
      unit: UNIT,
      between: pulse,
      run: (first, last) => threads.kernels.run('squaresRows', { ...job, first, last }),
    });
    return scope.doubles(solved, rows * dimension).slice();
  } finally {
    scope.release();
  }
}

/** The penalty of a row that met `met` of `others`. */
export function ridgeOf(met: number, others: number, options: IalsOptions): number {
  const { unobservedWeight, regularization, frequencyExponent } = options;
  return regularization * (met + unobservedWeight * others) ** frequencyExponent;
}

/** The objective over the number of meetings. `byItem` are the meetings of `byUser` from the other side. */
export function ialsLoss(
  { users, items, dimension }: IalsModel,
  { byUser, byItem }: { byUser: Meetings; byItem: Meetings },
  options: IalsOptions,
): number {
  const [userCount, itemCount] = [users.length / dimension, items.length / dimension];
  let loss = 0;
  for (let user = 0; user < userCount; user++) {
    for (let at = byUser.offsets[user]!; at < byUser.offsets[user + 1]!; at++) {
      loss += (1 - dot(users, user, { with: items, at: byUser.columns[at]!, dimension })) ** 2;
    }
  }
  const [ofUsers, ofItems] = [gramOf(users, dimension), gramOf(items, dimension)];
  for (const [at, value] of ofUsers.entries()) loss += options.unobservedWeight * value * ofItems[at]!;
  loss += penalty(users, { meetings: byUser, others: itemCount, dimension, options });
  loss += penalty(items, { meetings: byItem, others: userCount, dimension, options });
  return loss / byUser.columns.length;
}

function penalty(
  rows: Float64Array,
  of: { meetings: Meetings; others: number; dimension: number; options: IalsOptions },
): number {
  const { meetings, others, dimension, options } = of;
  let sum = 0;
  for (let row = 0; row < rows.length / dimension; row++) {
    const met = meetings.offsets[row + 1]! - meetings.offsets[row]!;
    sum += ridgeOf(met, others, options) * dot(rows, row, { with: rows, at: row, dimension });
  }
  return sum;
}

function dot(
  rows: Float64Array,
  row: number,
  { with: others, at, dimension }: { with: Float64Array; at: number; dimension: number },
): number {
  let sum = 0;
  for (let d = 0; d < dimension; d++) sum += rows[row * dimension + d]! * others[at * dimension + d]!;
  return sum;
}

/** (dimension × dimension) R'R. */
function gramOf(rows: Float64Array, dimension: number): Float64Array {
  const gram = new Float64Array(dimension * dimension);
  for (let row = 0; row < rows.length; row += dimension) {
    for (let i = 0; i < dimension; i++) {
      const factor = rows[row + i]!;
      for (let j = 0; j <= i; j++) gram[i * dimension + j]! += factor * rows[row + j]!;
    }
  }
  for (let i = 0; i < dimension; i++) for (let j = 0; j < i; j++) gram[j * dimension + i] = gram[i * dimension + j]!;
  return gram;
}
