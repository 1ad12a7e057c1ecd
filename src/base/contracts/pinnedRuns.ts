/** Runs that stand above all others of a table, at most. */
export const MOST_PINNED_RUNS = 20;
