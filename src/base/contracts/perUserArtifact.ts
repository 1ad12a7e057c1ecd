import { z } from 'zod';

/** What is taken of users' files: the largest that Warren's own kinds leave have 162,000 users. */
export const PER_USER_LIMITS = {
  users: 250_000,
  /** Cut-offs or metrics. */
  columns: 200,
  /** Of the table. */
  tableBytes: 32 * 1024 ** 2,
  /** Of its description. */
  descriptionBytes: 12 * 1024 ** 2,
} as const;

/** One pass over plain values: an element of a schema's array would cost an object each. */
function isUserList(value: unknown): value is (string | number)[] {
  return Array.isArray(value) && value.every((user) => typeof user === 'string' || typeof user === 'number');
}

/** As `isUserList`. */
function isCountList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((count) => Number.isInteger(count) && count >= 0);
}

const counts = (name: string) =>
  z.custom<number[]>(isCountList, `${name}: expected a list of whole numbers`).optional();

const common = {
  dataset: z.string(),
  /** Of the dataset as it was prepared. */
  fingerprint: z.string(),
  /** Ids of the users, one per row of the table. */
  users: z.custom<(string | number)[]>(isUserList, 'users: expected a list of texts and numbers'),
  /** Interactions that each user's predictions are made from. */
  historyLengths: counts('historyLengths'),
};

/** Names of the files in which a ranking run leaves what it found for each user: a table and what its rows and columns are. */
export const PER_USER_FILES = {
  /** 1-based ranks of each user's one target, 0 where it has none; a column a cut-off. */
  ranks: { table: 'per-user-ranks.npy', description: 'per-user-ranks.json' },
  /** Metrics of each user, where users have several targets. */
  metrics: { table: 'per-user-metrics.npy', description: 'per-user-metrics.json' },
} as const;

/** What `per-user-ranks.json` holds. */
export const perUserRanksSchema = z.object({
  ...common,
  part: z.enum(['test', 'valid']),
  cutoffs: z.array(z.int().min(1)).max(PER_USER_LIMITS.columns),
  /** How many users have each user's target in their training part. */
  targetPopularities: counts('targetPopularities'),
});

/** What `per-user-metrics.json` holds; they are of the test part. */
export const perUserMetricsSchema = z.object({ ...common, columns: z.array(z.string()).max(PER_USER_LIMITS.columns) });
