import { z } from 'zod';

const countsSchema = z.object({ users: z.int(), items: z.int(), interactions: z.int() });

/** Counted beside what a paper prints, under that paper's preprocessing. */
export const comparisonSchema = z.object({
  source: z.string(),
  /** What was applied before counting, in words. */
  preprocessing: z.string(),
  published: countsSchema,
  /** Null where the preprocessing leaves nothing. */
  counted: countsSchema.nullable(),
  note: z.string().nullable(),
});

export const sequenceReportSchema = z.object({
  ...countsSchema.shape,
  /** interactions / (users · items) */
  density: z.number(),
  averageLength: z.number(),
  shortest: z.int(),
  median: z.int(),
  longest: z.int(),
  /** Part of the interactions that the 25 % of users, and of items, with fewest have (LEPORID, Table 2). */
  tailUserShare: z.number(),
  tailItemShare: z.number(),
  /** Users with `from` to `to` interactions; bins double in width. */
  lengthHistogram: z.array(z.object({ from: z.int(), to: z.int(), users: z.int() })),
  /** Interactions of the item at each rank, from 1; ranks are about evenly spaced on a logarithmic scale. */
  popularityCurve: z.array(z.object({ rank: z.int(), interactions: z.int() })),
  /** The first items of a few users. */
  samples: z.array(
    z.object({
      user: z.string(),
      length: z.int(),
      items: z.array(z.object({ id: z.string(), title: z.string().nullable(), genres: z.array(z.string()) })),
    }),
  ),
  /** What reading met; see `workers/data/prepare/preparation.ts`. */
  preparation: z.record(z.string(), z.unknown()).nullable(),
  comparisons: z.array(comparisonSchema),
});
export type SequenceReport = z.infer<typeof sequenceReportSchema>;

const seriesPartSchema = z.object({ series: z.int(), shortest: z.int(), longest: z.int(), missing: z.int() });

/** What a dataset holds, as plain data: for the command line, the API and the dashboard. */
export const datasetReportSchema = z.object({
  name: z.string(),
  /** The file that was read; null for generated data. */
  path: z.string().nullable(),
  /** sha256 of the canonical content of sequences; of the file, for everything else. */
  fingerprint: z.string(),
  sequences: sequenceReportSchema.nullable(),
  series: z
    .object({
      train: seriesPartSchema,
      test: seriesPartSchema.nullable(),
      classes: z.array(z.object({ label: z.string(), train: z.int(), test: z.int() })),
    })
    .nullable(),
  prices: z
    .object({ days: z.int(), first: z.string(), last: z.string(), lowest: z.number(), highest: z.number() })
    .nullable(),
  text: z
    .object({
      train: z.int(),
      test: z.int(),
      distinct: z.int(),
      meanCharacters: z.number(),
      classes: z.array(z.object({ label: z.string(), texts: z.int() })),
    })
    .nullable(),
  loadSeconds: z.number(),
  notes: z.array(z.string()),
});
export type DatasetReport = z.infer<typeof datasetReportSchema>;
