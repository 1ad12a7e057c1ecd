import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import {
  CancelSweepDocument,
  ConfirmingRunsDocument,
  type ConfirmingRunsQuery,
  PauseSweepDocument,
  ResumeSweepDocument,
  SweepDocument,
  SweepImportanceDocument,
  type SweepImportanceQuery,
  type SweepFragment,
  SweepTrialsDocument,
  type TrialFragment,
} from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

const TRIALS_AT_ONCE = 100;

/** What is shown of the definition of a sweep: the schema calls it JSON and no more. */
const definitionSchema = z.looseObject({
  method: z.string(),
  kind: z.string(),
  dataset: z.unknown(),
  metric: z.looseObject({ name: z.string(), goal: z.string(), summary: z.string().optional() }).nullable(),
  seeds: z.array(z.number()),
  agentLine: z.array(z.string()).nullish(),
  command: z.looseObject({ line: z.array(z.string()) }).nullish(),
});

/** The definition of a sweep, as it is shown. */
export function definitionOf({ definition }: Pick<SweepFragment, 'definition'>): z.infer<typeof definitionSchema> {
  return definitionSchema.parse(definition);
}

/** @throws WarrenError NOT_FOUND where there is none of that id or number. */
export async function fetchSweep(api: ApiClient, id: string): Promise<SweepFragment> {
  const { sweep } = await api.request(SweepDocument, { id });
  if (sweep === null) throw new WarrenError('NOT_FOUND', `there is no sweep ${id}; \`warren sweep ls\` lists them`);
  return sweep;
}

/** All trials of a sweep by number. */
export async function fetchTrials(api: ApiClient, id: string): Promise<TrialFragment[]> {
  const trials: TrialFragment[] = [];
  for (;;) {
    const variables = { id, first: TRIALS_AT_ONCE, after: trials.at(-1)?.number ?? null };
    const { sweep } = await api.request(SweepTrialsDocument, variables);
    const page = sweep?.trials ?? [];
    trials.push(...page);
    if (page.length < TRIALS_AT_ONCE) return trials;
  }
}

export type ParameterImportance = NonNullable<SweepImportanceQuery['sweep']>['importance'][number];

/** Which parameters matter to the objective, the most important first; empty where too few trials have one. */
export async function fetchImportance(api: ApiClient, id: string): Promise<ParameterImportance[]> {
  return (await api.request(SweepImportanceDocument, { id })).sweep?.importance ?? [];
}

export type Confirmations = NonNullable<ConfirmingRunsQuery['sweep']>;

/** The runs that confirm trials of a sweep on fresh seeds, with its objective, and the seeds that agents are still to take. */
export async function fetchConfirmations(api: ApiClient, sweep: SweepFragment): Promise<Confirmations> {
  const { metric } = definitionOf(sweep);
  const variables = { id: sweep.id, metrics: metric === null ? [] : [metric.name] };
  const none = { confirmations: [], untakenConfirmations: [] };
  return (await api.request(ConfirmingRunsDocument, variables)).sweep ?? none;
}

const ACTIONS = { pauseSweep: PauseSweepDocument, resumeSweep: ResumeSweepDocument, cancelSweep: CancelSweepDocument };

/** Pauses, resumes or cancels a sweep. */
export async function actOnSweep(api: ApiClient, action: keyof typeof ACTIONS, id: string): Promise<SweepFragment> {
  return (await api.request(ACTIONS[action], { id })).sweep;
}
