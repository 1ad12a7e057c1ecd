import { z } from 'zod';
import type { OverrecParameters } from '../../src/catalog/kinds/overrec.ts';
import { overrecParameters } from '../../src/catalog/kinds/overrec.ts';
import { overrec } from '../../workers/experiments/overrec.ts';
import type { SequenceDataset } from '../../workers/data/sequenceDataset.ts';
import { lastValues, type Recorded, recordingContext } from '../unit/experiments/recordingContext.ts';

const metricsSchema = z.record(z.string(), z.object({ MRR: z.number(), NDCG: z.number(), HR: z.number() }));

const resultSchema = z.object({
  kernel: z.enum(['rntk', 'nngp']),
  variant: z.enum(['exact', 'author']),
  rule: z.enum(['sum', 'assign']),
  lowest_index: metricsSchema,
  lowest_index_seen_items_excluded: metricsSchema,
  boundary_tie_fraction: z.record(z.string(), z.number()),
});
export type OverrecResult = z.output<typeof resultSchema>;

const protocolSchema = z.object({
  neighbour_rows: z.number(),
  matched_pairs: z.number().optional(),
  distinct_keys: z.number().optional(),
  results: z.array(resultSchema),
});

export const overrecOracleSchema = z.object({
  users: z.number(),
  items: z.number(),
  interactions: z.number(),
  protocols: z.record(z.string(), protocolSchema),
});

export const overrecSubsetsSchema = z.object({
  subsets: z.array(z.object({ first_users: z.number(), neighbour_rows: z.number(), results: z.array(resultSchema) })),
});

/** The vectors' own tolerance for double precision kernels and the same tie rules. */
export const METRIC_TOLERANCE = 5e-5;

export interface OverrecRun {
  recorded: Recorded;
  metrics: Record<string, number>;
}

/** Runs the experiment with the parameters of an oracle's result. */
export async function runOverrec(
  dataset: SequenceDataset,
  result: OverrecResult,
  over: Partial<OverrecParameters> = {},
): Promise<OverrecRun> {
  const { kernel, variant, rule: duplicateTargets } = result;
  const parameters = overrecParameters.parse({ kernel, variant, duplicateTargets, ...over });
  const { recorded, context } = recordingContext(dataset, parameters, { threads: 2 });
  await overrec(context);
  return { recorded, metrics: lastValues(recorded) };
}

/** The oracle's numbers under our names: `test/mrr@5` from `k5@5` (k = cut-off) or, with `neighbours` 20, from `k20@5`. */
export function expectedMetrics(
  table: z.output<typeof metricsSchema>,
  neighbours: number | null,
  prefix: 'test' | 'valid' = 'test',
): Record<string, number> {
  const expected: Record<string, number> = {};
  for (const cutoff of [5, 10]) {
    const row = table[`k${neighbours ?? cutoff}@${cutoff}`]!;
    expected[`${prefix}/mrr@${cutoff}`] = row.MRR;
    expected[`${prefix}/ndcg@${cutoff}`] = row.NDCG;
    expected[`${prefix}/hr@${cutoff}`] = row.HR;
  }
  return expected;
}
