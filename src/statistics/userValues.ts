/** What one ranking run tells of each user. */
export interface UserTable {
  /** `ranks`: 1-based ranks of each user's one target, 0 where it has none. `metrics`: metrics of each user, by name. */
  of: 'ranks' | 'metrics';
  /** The cut-offs whose ranks these are, or names such as `ndcg@10`. */
  columns: readonly (number | string)[];
  rows: number;
  /** (rows, columns) Row-major; one row per user. */
  values: ArrayLike<number>;
}

/** A metric of one target at rank r within the cut-off N; 0 for every other rank. */
const OF_RANK: Readonly<Record<string, (rank: number, cutoff: number) => number>> = {
  hr: () => 1,
  recall: () => 1,
  ndcg: (rank) => 1 / Math.log2(rank + 1),
  mrr: (rank) => 1 / rank,
  map: (rank) => 1 / rank,
  precision: (_, cutoff) => 1 / cutoff,
  f1: (_, cutoff) => 2 / (cutoff + 1),
};

/** Names of the metrics that a table tells of each user. */
export function userMetrics({ of, columns }: Pick<UserTable, 'of' | 'columns'>): string[] {
  return of === 'metrics'
    ? columns.map(String)
    : columns.flatMap((cutoff) => Object.keys(OF_RANK).map((name) => `${name}@${cutoff}`));
}

/**
 * (users) One metric of each user, by its name without the part: `ndcg@10`. From ranks: hr, recall, ndcg, mrr, map, precision
 * and f1 of a single target at any cut-off, where the ranking is the same for all of those that were logged, else at these;
 * their means over users are the run's own metrics.
 * @throws RangeError for a metric that the table does not tell.
 */
export function userValues(table: UserTable, metric: string): Float64Array {
  const { of, columns, rows, values } = table;
  const [name = '', cutoffText = ''] = metric.split('@');
  const cutoff = Number(cutoffText);
  const ofRank = Object.hasOwn(OF_RANK, name) ? OF_RANK[name] : undefined;
  const column = of === 'metrics' ? columns.indexOf(metric) : columnOfCutoff(table, cutoff);
  if (column < 0 || (of === 'ranks' && (ofRank === undefined || metric !== `${name}@${cutoff}`))) {
    throw new RangeError(`the users' ${of} tell ${userMetrics(table).join(', ')}, not ${metric}`);
  }
  return Float64Array.from({ length: rows }, (_, row) => {
    const value = values[row * columns.length + column]!;
    if (of === 'metrics') return value;
    return value >= 1 && value <= cutoff ? ofRank!(value, cutoff) : 0;
  });
}

/** The column whose ranks tell a cut-off: its own, or any where all are the same; -1 where there is none. */
function columnOfCutoff({ columns, rows, values }: UserTable, cutoff: number): number {
  const own = columns.indexOf(cutoff);
  if (own >= 0 || columns.length === 0 || !Number.isInteger(cutoff) || cutoff < 1) return own;
  for (let row = 0; row < rows; row++) {
    const first = values[row * columns.length];
    for (let column = 1; column < columns.length; column++) {
      if (values[row * columns.length + column] !== first) return -1;
    }
  }
  return 0;
}

/**
 * Differences of users, a less b, in whole multiples of `precision`: what differs only by how means were rounded is equal,
 * which decides on ties and zeros of the signed-rank test.
 */
export function userDifferences(a: Float64Array, b: Float64Array, precision: number): number[] {
  return Array.from(a, (value, user) => Math.round((value - b[user]!) / precision) * precision);
}
