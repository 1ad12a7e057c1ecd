/** Whom to rank for, and against what. */
export interface RankQuery {
  /** (queries) Rows of the user embeddings. */
  users: Uint32Array;
  /** (queries) The item whose rank is asked for. */
  targets: Uint32Array;
  /** Items left out of the ranking of query `q`; the target never is. Null leaves out none. */
  excluded: ((query: number) => Uint32Array) | null;
  /** Ranks beyond this one are not told apart. */
  limit: number;
  /** Called after each query; may throw to stop. */
  pulse?: () => void;
}

/** Dot product of two rows, always summed in the same order: equal rows score equal. */
function dot(a: Float32Array, b: Float32Array, at: { a: number; b: number; dimension: number }): number {
  const { a: startA, b: startB, dimension } = at;
  const whole = dimension & ~3;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let d = 0; d < whole; d += 4) {
    s0 += a[startA + d]! * b[startB + d]!;
    s1 += a[startA + d + 1]! * b[startB + d + 1]!;
    s2 += a[startA + d + 2]! * b[startB + d + 2]!;
    s3 += a[startA + d + 3]! * b[startB + d + 3]!;
  }
  for (let d = whole; d < dimension; d++) s0 += a[startA + d]! * b[startB + d]!;
  return s0 + s1 + (s2 + s3);
}

/** Items by the norm of their embedding, greatest first. */
function byNorm(items: Float32Array, dimension: number): Uint32Array {
  const norms = Float64Array.from({ length: items.length / dimension }, (_, item) =>
    dot(items, items, { a: item * dimension, b: item * dimension, dimension }),
  );
  return Uint32Array.from(norms.keys()).sort((a, b) => norms[b]! - norms[a]! || a - b);
}

/**
 * (queries) The 1-based rank of each target among all items by dot product with the user's embedding, ties to the lowest
 * item; 0 where the rank exceeds `limit`. Exact, yet most queries look at few items: a search ends as soon as `limit`
 * items are ahead, and items with long embeddings, which are ahead most often, are looked at first. No users × items matrix.
 */
export function embeddingRanks(
  model: { users: Float32Array; items: Float32Array; dimension: number },
  query: RankQuery,
): Int32Array {
  const { users, items, dimension } = model;
  const order = byNorm(items, dimension);
  const ordered = new Float32Array(items.length);
  for (const [place, item] of order.entries()) {
    ordered.set(items.subarray(item * dimension, (item + 1) * dimension), place * dimension);
  }
  const ranks = new Int32Array(query.users.length);
  const excludedIn = new Int32Array(order.length).fill(-1);
  for (let q = 0; q < ranks.length; q++) {
    const a = query.users[q]! * dimension;
    const target = query.targets[q]!;
    if (query.excluded !== null) for (const item of query.excluded(q)) excludedIn[item] = q;
    const own = dot(users, items, { a, b: target * dimension, dimension });
    let ahead = 0;
    for (let place = 0; place < order.length && ahead < query.limit; place++) {
      const score = dot(users, ordered, { a, b: place * dimension, dimension });
      if (score < own) continue;
      const item = order[place]!;
      if (item === target || excludedIn[item] === q) continue;
      if (score > own || item < target) ahead++;
    }
    ranks[q] = ahead < query.limit ? ahead + 1 : 0;
    query.pulse?.();
  }
  return ranks;
}
