import { z } from 'zod';

const common = {
  dataset: z.string(),
  /** Of the dataset as it was prepared. */
  fingerprint: z.string(),
  /** Ids of the users, one a row of the table. */
  users: z.array(z.union([z.string(), z.number()])),
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
  cutoffs: z.array(z.int().min(1)),
});

/** What `per-user-metrics.json` holds; they are of the test part. */
export const perUserMetricsSchema = z.object({ ...common, columns: z.array(z.string()) });
