import * as z from 'zod/mini';

const item = z.object({ id: z.string(), title: z.nullable(z.string()) });
const bin = z.object({ from: z.number(), to: z.number(), users: z.number() });
const rank = z.object({ rank: z.number(), interactions: z.number() });
const sample = z.object({ user: z.string(), length: z.number(), items: z.array(item) });

/** What runs told of a dataset; older ones told less. */
const statisticsSchema = z.object({
  users: z.number(),
  items: z.number(),
  interactions: z.number(),
  density: z.optional(z.number()),
  averageLength: z.optional(z.number()),
  shortest: z.optional(z.number()),
  median: z.optional(z.number()),
  longest: z.optional(z.number()),
  tailUserShare: z.optional(z.number()),
  tailItemShare: z.optional(z.number()),
  preprocessing: z.optional(z.string()),
  lengthHistogram: z._default(z.array(bin), []),
  popularityCurve: z._default(z.array(rank), []),
  samples: z._default(z.array(sample), []),
});
export type DatasetStatistics = z.infer<typeof statisticsSchema>;

/** The statistics of a version, checked; null where a run told something else. */
export function readDatasetStatistics(value: unknown): DatasetStatistics | null {
  const parsed = statisticsSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
