import { z } from 'zod';
import type { OverrecParameters } from '#src/catalog/kinds/overrec.ts';
import { overrecParameters } from '#src/catalog/kinds/overrec.ts';
import { overrec } from '#workers/experiments/overrec.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
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
  max_length: z.number(),
  sigma: z.object({ w: z.number(), u: z.number(), v: z.number(), b: z.number(), h: z.number() }),
  L: z.number(),
  phi: z.enum(['relu', 'erf', 'linear']),
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

/** The network, and the length of sequences, of a file's evaluations. */
export function networkOf({
  max_length: maximumLength,
  sigma: { w: sigmaW, u: sigmaU, v: sigmaV, b: sigmaB, h: sigmaH },
  L: layers,
  phi: activation,
}: z.output<typeof overrecOracleSchema>): Partial<OverrecParameters> {
  return { maximumLength, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH, layers, activation };
}

/** Runs the experiment with the parameters of an oracle's result. */
export async function runOverrec(
  dataset: SequenceDataset,
  result: OverrecResult,
  over: Partial<OverrecParameters>,
): Promise<OverrecRun> {
  const { kernel, variant, rule: duplicateTargets } = result;
  const parameters = overrecParameters.parse({ kernel, variant, duplicateTargets, ...over });
  const { recorded, context } = recordingContext(dataset, parameters, { threads: 2 });
  await overrec(context);
  return { recorded, metrics: lastValues(recorded) };
}

export interface OverrecNumbers {
  /** Null where each cut-off has as many neighbours. */
  neighbours: number | null;
  cutoffs: number[];
  /** By our names. */
  expected: Record<string, number>;
}

/** A table's numbers by the runs that give them: its `k5@5` and `k10@10` are of one, its `k20@5` and `k20@10` of another. */
export function expectedNumbers(
  table: z.output<typeof metricsSchema>,
  prefix: 'test' | 'valid' = 'test',
): OverrecNumbers[] {
  const runs = new Map<number | null, OverrecNumbers>();
  for (const [name, row] of Object.entries(table)) {
    const [, k, cutoff] = /^k(\d+)@(\d+)$/.exec(name)!;
    const neighbours = k === cutoff ? null : Number(k);
    const run = runs.get(neighbours) ?? { neighbours, cutoffs: [], expected: {} };
    runs.set(neighbours, run);
    run.cutoffs.push(Number(cutoff));
    run.expected[`${prefix}/mrr@${cutoff}`] = row.MRR;
    run.expected[`${prefix}/ndcg@${cutoff}`] = row.NDCG;
    run.expected[`${prefix}/hr@${cutoff}`] = row.HR;
  }
  return [...runs.values()];
}
