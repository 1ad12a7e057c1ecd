import { z } from 'zod';

/** How a dataset can be split; `SPLIT_DESCRIPTIONS` says what each does. */
export const SPLITS = [
  'leave-one-out',
  'ratio-by-time',
  'global-time',
  'random-by-item',
  'random-by-user',
  'given',
] as const;
export type SplitName = (typeof SPLITS)[number];

/** Recommenders are evaluated by every split; the default comes first. */
export const RECOMMENDER_SPLITS = SPLITS;
export const TIME_FIRST_SPLITS: readonly SplitName[] = [
  'ratio-by-time',
  ...SPLITS.filter((split) => split !== 'ratio-by-time'),
];

export const SPLIT_DESCRIPTIONS: Readonly<Record<SplitName, string>> = {
  'leave-one-out':
    'last interaction of each user for testing, the one before it for validation, the others for training',
  'ratio-by-time':
    "the first 70 % of each user's interactions for training, the next 10 % for validation, the rest for testing",
  'global-time': 'interactions before one moment for training, before a later one for validation, the rest for testing',
  'random-by-item': '80 % of the items for training and 20 % for testing, drawn by splitSeed',
  'random-by-user':
    "70 % of each user's interactions for training, 10 % for validation, 20 % for testing, drawn by splitSeed, whatever their order",
  given: 'the parts that the dataset came with, by the import of its files as --train, --valid and --test',
};

const share = (what: string, ifNull: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .describe(
      `Part of the interactions (of the items, for random-by-item) that ${what}, from 0 to 1; null for ${ifNull}.`,
    );

/** A dataset as part of a configuration: which one, how it is preprocessed, how it is split. */
export const datasetSelectionSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'a dataset name has letters, digits and . _ / -')
      .describe('Name of a known dataset, or of a file in a folder of WARREN_DATA.'),
    core: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('Users and items with fewer interactions are removed until none is left; 0 keeps all.'),
    coreRule: z
      .enum(['iterative', 'one-pass'])
      .default('iterative')
      .describe(
        'iterative: removed again and again until none is below core. one-pass: counted once, so that some may end below.',
      ),
    minimumRating: z
      .number()
      .nullable()
      .default(null)
      .describe('Interactions with a lower rating are removed first; null keeps all, as implicit feedback.'),
    duplicates: z
      .enum(['keep', 'first', 'last'])
      .default('keep')
      .describe('What stays where a user meets an item more than once: every time, the first or the last time.'),
    maximumLength: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Only the last so many interactions of each user are kept, after core; null keeps all.'),
    maximumUsers: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Keep only the first users of the file; item numbers stay. For quick tries.'),
    lenient: z
      .boolean()
      .default(false)
      .describe('Skip lines of the file that cannot be read, and say which; else refuse it.'),
    split: z
      .enum(SPLITS)
      .default('leave-one-out')
      .describe(
        'Last interaction of each user for testing, the one before it for validation, the others for training.',
      ),
    trainShare: share('trains', '0.7, and 0.8 for random-by-item'),
    validationShare: share('validates', '0.1, and 0 for random-by-item'),
    splitSeed: z
      .int()
      .min(0)
      .default(0)
      .describe('Draws the items of random-by-item and the interactions of random-by-user; other splits draw nothing.'),
  })
  .refine(
    ({ split, trainShare, validationShare }) =>
      (split !== 'leave-one-out' && split !== 'given') || (trainShare === null && validationShare === null),
    {
      path: ['trainShare'],
      error: 'leave-one-out and given take no shares: leave trainShare and validationShare at null',
    },
  )
  .refine((selection) => (sharesOf(selection)?.test ?? 1) > 0, {
    path: ['trainShare'],
    error: 'trainShare must be above 0, and with validationShare below 1, so that something is left to test on',
  });
export type DatasetSelection = z.infer<typeof datasetSelectionSchema>;

/** Parts that train, validate and test; they sum to 1. */
export interface Shares {
  train: number;
  validation: number;
  test: number;
}

/** The shares of a selection's split, those left open filled in; null for leave-one-out and given, and `test` 0 where they cannot be. */
export function sharesOf(selection: {
  split: SplitName;
  trainShare: number | null;
  validationShare: number | null;
}): Shares | null {
  if (selection.split === 'leave-one-out' || selection.split === 'given') return null;
  const byItem = selection.split === 'random-by-item';
  const train = selection.trainShare ?? (byItem ? 0.8 : 0.7);
  const validation = selection.validationShare ?? (byItem ? 0 : 0.1);
  const test = train > 0 ? Math.max(0, 1 - train - validation) : 0;
  return { train, validation, test: test < 1e-9 ? 0 : test };
}

const FIRST_FIELDS = new Set(['name', 'core', 'maximumUsers', 'split']);

/** Of every field but the name, which counts anyway. */
let defaults: Record<string, unknown> | null = null;

/**
 * What of a selection goes into the hash of a configuration: fields that came after the first version only where they are
 * not at their default, so that configurations recorded before keep their hash.
 */
export function selectionIdentity(selection: DatasetSelection): Record<string, unknown> {
  defaults ??= datasetSelectionSchema.parse({ name: selection.name });
  const usual = defaults;
  return Object.fromEntries(
    Object.entries(selection).filter(([field, value]) => FIRST_FIELDS.has(field) || value !== usual[field]),
  );
}
