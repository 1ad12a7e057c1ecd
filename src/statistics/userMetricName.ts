/** By what users are grouped: how many interactions predictions are made from, or how often the target occurs in training. */
export type UserGrouping = 'length' | 'popularity';

export interface UserGroupRange {
  of: UserGrouping;
  from: number;
  /** Included; infinite for `up`. */
  to: number;
}

/** What a metric's name says of users: `test/length-5-9/ndcg@7`. */
export interface UserMetricName {
  part: 'test' | 'valid';
  /** Null: all users. */
  group: UserGroupRange | null;
  /** `ndcg@7`. */
  metric: string;
}

const NAME = /^(test|valid)\/(?:(length|popularity)-(\d{1,9})-(\d{1,9}|up)\/)?([a-z][a-z0-9-]*@[1-9]\d{0,8})$/;

/** Reads a name such as `test/ndcg@7`, `test/length-5-9/hr@10` or `test/popularity-100-up/mrr@20`; null for any other. */
export function parseUserMetricName(name: string): UserMetricName | null {
  const [, part, of, from, to, metric] = NAME.exec(name) ?? [];
  if (part === undefined || metric === undefined) return null;
  const range = of === undefined ? null : rangeOf(of === 'length' ? 'length' : 'popularity', Number(from), to);
  if (range !== null && range.from > range.to) return null;
  return { part: part === 'test' ? 'test' : 'valid', group: range, metric };
}

function rangeOf(of: UserGrouping, from: number, to: string | undefined): UserGroupRange {
  return { of, from, to: to === 'up' ? Number.POSITIVE_INFINITY : Number(to) };
}

/** (users) Those whose value lies in the range, by their row. */
export function usersInRange(values: ArrayLike<number>, { from, to }: UserGroupRange): Uint32Array {
  return Uint32Array.from({ length: values.length }, (_, row) => row).filter(
    (row) => values[row]! >= from && values[row]! <= to,
  );
}
