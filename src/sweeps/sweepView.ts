import { AGENTS_KIND, sweepDefinitionSchema, type SweepDefinition } from '#src/sweeps/search/sweepDefinition.ts';
import { bestTrial, type Trial, trialOf } from '#src/sweeps/search/trialState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { listTrials, type TrialMetric, type TrialRecord } from '#src/sweeps/store/sweepTrial.ts';

export interface ViewedTrial extends Trial {
  createdAt: Date;
  /** Runs that agents are still to take. */
  untaken: number;
}

/** A sweep with what became of its trials. */
export interface SweepView {
  sweep: SweepRecord;
  definition: SweepDefinition;
  /** By number. */
  trials: ViewedTrial[];
  best: Trial | null;
}

/** Reads the trials of a sweep and what became of them. */
export async function readSweep(connection: Connection, sweep: SweepRecord): Promise<SweepView> {
  const definition = sweepDefinitionSchema.parse(sweep.definition);
  const { metric } = definition;
  const records = await listTrials(connection, sweep.id, trialMetric(definition));
  const trials = records.map((record) => {
    const untaken = untakenRuns(definition, record);
    return { ...trialOf({ ...record, untaken }, metric?.name ?? null), createdAt: record.createdAt, untaken };
  });
  return { sweep, definition, trials, best: metric === null ? null : bestTrial(trials, metric.goal) };
}

/** Runs of a trial that an agent is still to take. */
function untakenRuns({ kind, seeds }: SweepDefinition, { runs, crashed }: TrialRecord): number {
  if (kind !== AGENTS_KIND) return 0;
  const { open, succeeded, failed, cancelled, pruned } = runs;
  const known = open + succeeded + failed + cancelled + pruned;
  // without any its runs were deleted for good; one that ended otherwise decides the trial
  const decided = known === 0 || failed > crashed || cancelled + pruned > 0;
  return decided ? 0 : seeds.length - known + crashed;
}

/** Which value of which series a trial's runs are judged by; null without a metric. */
export function trialMetric({ metric }: SweepDefinition): TrialMetric | null {
  if (metric === null) return null;
  const best = metric.goal === 'minimize' ? 'minimum' : 'maximum';
  return { name: metric.name, value: metric.summary === 'last' ? 'last' : best };
}
