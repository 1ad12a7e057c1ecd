/** Arguments of pages of runs, as each field that gives one declares them. */
export const FIRST_RUNS = {
  nullable: true,
  defaultValue: 50,
  description: 'Runs of the page at most, 0 to 500.',
} as const;

export const AFTER_RUNS = {
  nullable: true,
  description: 'The `endCursor` of the page before; null: the first page.',
} as const;

export const RUN_PROJECT = {
  nullable: true,
  description: 'Only runs of the project of this name; null: of all.',
} as const;

export const IN_TRASH = {
  nullable: true,
  defaultValue: false,
  description: 'The runs in the trash instead of the others.',
} as const;

export const RUN_FILTER = {
  nullable: true,
  description: 'Only runs that meet this filter, the same text as in the dashboard and in `warren ls`; null: all.',
} as const;

export const RUN_ORDER = { nullable: true, description: 'Their order; null: the newest first.' } as const;
