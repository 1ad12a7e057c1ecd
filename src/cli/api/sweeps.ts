import { z } from 'zod';
import { WarrenError } from '#src/contracts/errors.ts';
import { RUN_STATES } from '#src/contracts/runState.ts';
import type { ApiClient } from '../apiClient.ts';
import { metricValueSchema } from './metricValue.ts';

const time = z.string().transform((text) => new Date(text));

export const sweepTrialSchema = z.object({
  number: z.number(),
  point: z.record(z.string(), z.unknown()),
  state: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'PRUNED']),
  objective: metricValueSchema.nullable(),
  error: z.string().nullable(),
  rung: z.object({ iteration: z.number(), value: metricValueSchema }).nullable(),
  epochs: z.number(),
  runs: z.array(z.object({ number: z.number(), seed: z.number(), state: z.enum(RUN_STATES) })),
});
export type SweepTrialAnswer = z.infer<typeof sweepTrialSchema>;

export const sweepSchema = z.object({
  id: z.string(),
  number: z.number(),
  name: z.string(),
  state: z.enum(['RUNNING', 'PAUSED', 'FINISHED', 'CANCELLED']),
  reason: z.string(),
  definition: z.looseObject({
    method: z.string(),
    kind: z.string(),
    dataset: z.unknown(),
    metric: z.looseObject({ name: z.string(), goal: z.string() }).nullable(),
    seeds: z.array(z.number()),
  }),
  createdAt: time,
  endedAt: time.nullable(),
  project: z.object({ name: z.string() }),
  counts: z.object({
    ...{ total: z.number(), running: z.number(), succeeded: z.number(), failed: z.number(), cancelled: z.number() },
    ...{ pruned: z.number(), epochs: z.number() },
    planned: z.number().nullable(),
  }),
  best: sweepTrialSchema.nullable(),
});
export type SweepAnswer = z.infer<typeof sweepSchema>;

const TRIAL_FIELDS = 'number point state objective error rung { iteration value } epochs runs { number seed state }';
export const SWEEP_FIELDS = `id number name state reason definition createdAt endedAt project { name }
  counts { total running succeeded failed cancelled pruned epochs planned } best { ${TRIAL_FIELDS} }`;
const TRIALS_AT_ONCE = 100;

/** Starts a sweep. */
export async function createSweep(
  api: ApiClient,
  input: { file: unknown; project?: string | undefined; name?: string | undefined },
): Promise<{ sweep: SweepAnswer; warnings: string[] }> {
  const mutation = `mutation Create($input: CreateSweepInput!) { createSweep(input: $input) { warnings sweep { ${SWEEP_FIELDS} } } }`;
  const answer = z.object({ createSweep: z.object({ warnings: z.array(z.string()), sweep: sweepSchema }) });
  return (await api.request(mutation, { input }, answer)).createSweep;
}

/** @throws WarrenError NOT_FOUND where there is none of that id or number. */
export async function fetchSweep(api: ApiClient, id: string): Promise<SweepAnswer> {
  const query = `query Sweep($id: ID!) { sweep(id: $id) { ${SWEEP_FIELDS} } }`;
  const { sweep } = await api.request(query, { id }, z.object({ sweep: sweepSchema.nullable() }));
  if (sweep === null) throw new WarrenError('NOT_FOUND', `there is no sweep ${id}; \`warren sweep ls\` lists them`);
  return sweep;
}

/** All trials of a sweep by number. */
export async function fetchTrials(api: ApiClient, id: string): Promise<SweepTrialAnswer[]> {
  const query = `query Trials($id: ID!, $first: Int, $after: Int) {
    sweep(id: $id) { trials(first: $first, after: $after) { ${TRIAL_FIELDS} } } }`;
  const answer = z.object({ sweep: z.object({ trials: z.array(sweepTrialSchema) }) });
  const trials: SweepTrialAnswer[] = [];
  for (;;) {
    const variables = { id, first: TRIALS_AT_ONCE, after: trials.at(-1)?.number ?? null };
    const { sweep } = await api.request(query, variables, answer);
    trials.push(...sweep.trials);
    if (sweep.trials.length < TRIALS_AT_ONCE) return trials;
  }
}

/** The newest sweeps, of one project or of all. */
export async function fetchSweeps(
  api: ApiClient,
  variables: { project: string | null; first: number },
): Promise<SweepAnswer[]> {
  const query = `query Sweeps($project: String, $first: Int) {
    sweeps(project: $project, first: $first) { ${SWEEP_FIELDS} } }`;
  return (await api.request(query, variables, z.object({ sweeps: z.array(sweepSchema) }))).sweeps;
}

/** Pauses, resumes or cancels a sweep. */
export async function actOnSweep(
  api: ApiClient,
  action: 'pauseSweep' | 'resumeSweep' | 'cancelSweep',
  id: string,
): Promise<SweepAnswer> {
  const mutation = `mutation Act($id: ID!) { sweep: ${action}(id: $id) { ${SWEEP_FIELDS} } }`;
  return (await api.request(mutation, { id }, z.object({ sweep: sweepSchema }))).sweep;
}

/** Gives a sweep more to do. */
export async function extendSweep(api: ApiClient, input: Record<string, unknown>): Promise<SweepAnswer> {
  const mutation = `mutation Extend($input: ExtendSweepInput!) { extendSweep(input: $input) { ${SWEEP_FIELDS} } }`;
  return (await api.request(mutation, { input }, z.object({ extendSweep: sweepSchema }))).extendSweep;
}
