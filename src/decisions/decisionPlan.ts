import { z } from 'zod';
import { SPENDING_NAMES } from '#src/statistics/sequential/alphaSpending.ts';
import type { DecisionRecord } from '#src/decisions/store/decisionRecord.ts';

const look = z.object({ pairs: z.number(), spent: z.number(), boundary: z.number() });

const input = z.object({
  name: z.string(),
  runId: z.string(),
  artifactName: z.string(),
  /** The content, where it is a registered version's. */
  sha256: z.string().optional(),
});

/** A program's own needs and code, which are no part of its configuration. */
const commandSchema = z.object({
  codeBytes: z.number(),
  gpus: z.number(),
  memoryMb: z.number().nullable(),
  cores: z.number().nullable(),
  labels: z.array(z.string()),
  seconds: z.number().nullable(),
});

/** One of the two configurations, and how its runs are queued. */
const armSchema = z.object({
  /** For people. */
  label: z.string(),
  configurationHash: z.string(),
  kind: z.string(),
  dataset: z.unknown(),
  parameters: z.record(z.string(), z.unknown()),
  priority: z.number(),
  maxAttempts: z.number(),
  inputs: z.array(input),
  /** Null where its kind is no command. */
  command: commandSchema.nullable(),
});
export type DecisionArm = z.infer<typeof armSchema>;

/** What a decision does, as it is stored: boundaries included, so that no later version judges otherwise. */
export const decisionPlanSchema = z.object({
  metric: z.string(),
  direction: z.enum(['higher', 'lower']).nullable(),
  /** Seed of the first pair; each further pair has the next one. */
  firstSeed: z.number(),
  /** Pairs under way at once. */
  parallel: z.number(),
  /** Whether it ends where it is futile. */
  stopsFutile: z.boolean(),
  design: z.object({
    alpha: z.number(),
    power: z.number(),
    atMost: z.number(),
    every: z.number(),
    spending: z.enum(SPENDING_NAMES),
    looks: z.array(look),
    effect: z.number(),
    fixedPairs: z.number(),
  }),
  /** Projects whose runs may stand for new ones, where who made it may not see all; null: all. */
  within: z.array(z.string()).nullable().default(null),
  /** Who started it, and so makes its runs; null where nobody said. */
  user: z.string().nullable().default(null),
  a: armSchema,
  b: armSchema,
});
export type DecisionPlan = z.infer<typeof decisionPlanSchema>;

/** What was found at a look, and p where the decision ended with it. Infinite numbers are stored as null. */
const madeLook = z.object({
  pairs: z.number(),
  difference: z.number(),
  t: z.number().nullable(),
  boundary: z.number(),
  low: z.number(),
  high: z.number(),
  chance: z.number(),
  verdict: z.enum(['decided', 'futile', 'undecided', 'unvarying']),
  p: z.number().nullable(),
});
export type MadeLook = z.infer<typeof madeLook>;

export function planOf({ plan }: Pick<DecisionRecord, 'plan'>): DecisionPlan {
  return decisionPlanSchema.parse(plan);
}

/** The looks that were made so far. */
export function looksOf({ looks }: Pick<DecisionRecord, 'looks'>): MadeLook[] {
  return z.array(madeLook).parse(looks);
}

/**
 * Pairs fewer than a single test of the same alpha, power and effect needs; below 0 where it took more. Null while it goes on, and
 * where it has ended without an answer: that more was not tried saves nothing.
 */
export function pairsSaved(decision: DecisionRecord): number | null {
  if (decision.state !== 'DECIDED' && decision.state !== 'FUTILE') return null;
  return planOf(decision).design.fixedPairs - (looksOf(decision).at(-1)?.pairs ?? 0);
}
