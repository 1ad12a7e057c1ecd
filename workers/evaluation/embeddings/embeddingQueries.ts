import { badInput } from '#src/base/contracts/errors.ts';

/** Users and items whose scores are dot products. */
export interface EmbeddingScores {
  /** (users, dimension) */
  users: Float32Array;
  /** (items, dimension) */
  items: Float32Array;
  dimension: number;
}

/** Whom to rank for, and against what. */
export interface EmbeddingQueries {
  /** (queries) Rows of the user embeddings. */
  users: Uint32Array;
  /** (queries) The item whose rank is asked for; it is ranked and listed even where it is excluded. */
  targets: Uint32Array;
  /** Items left out of the ranking of query `q`, in any order. Null leaves out none. */
  excluded: ((query: number) => ArrayLike<number>) | null;
  /** How many of the best items to list for each query, at least 1. */
  listLength: number;
  /** Called now and then with the number of queries done; may throw to stop. */
  betweenQueries?: (done: number) => void;
}

/** Throws BAD_INPUT where a query names a user or an item that is not there, or shapes do not fit. */
export function checkQueries({ users, items, dimension }: EmbeddingScores, queries: EmbeddingQueries): void {
  const userCount = users.length / dimension;
  const itemCount = items.length / dimension;
  if (!Number.isInteger(dimension) || dimension < 1 || !Number.isInteger(userCount) || !Number.isInteger(itemCount)) {
    throw badInput(`embeddings of ${users.length} and ${items.length} numbers do not have ${dimension} columns`);
  }
  if (!Number.isInteger(queries.listLength) || queries.listLength < 1) {
    throw badInput(`a list has at least 1 item, got ${queries.listLength}`, 'listLength');
  }
  if (queries.users.length !== queries.targets.length) {
    throw badInput(`${queries.users.length} users, but ${queries.targets.length} targets`);
  }
  for (let query = 0; query < queries.users.length; query++) {
    const user = queries.users[query]!;
    const target = queries.targets[query]!;
    if (user >= userCount) throw badInput(`query ${query}: there are ${userCount} users, got ${user}`);
    if (target >= itemCount) throw badInput(`query ${query}: there are ${itemCount} items, got ${target}`);
  }
}
