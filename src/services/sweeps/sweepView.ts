import { sweepDefinitionSchema, type SweepDefinition } from '#src/sweeps/sweepDefinition.ts';
import { bestTrial, type Trial, trialOf } from '#src/sweeps/trialState.ts';
import type { Connection } from '#src/store/database/connection.ts';
import type { SweepRecord } from '#src/store/sweeps/sweepRecord.ts';
import { listTrials, type TrialMetric } from '#src/store/sweeps/sweepTrial.ts';

/** A sweep with what became of its trials. */
export interface SweepView {
  sweep: SweepRecord;
  definition: SweepDefinition;
  /** By number. */
  trials: (Trial & { createdAt: Date })[];
  best: Trial | null;
}

/** Reads the trials of a sweep and what became of them. */
export async function readSweep(connection: Connection, sweep: SweepRecord): Promise<SweepView> {
  const definition = sweepDefinitionSchema.parse(sweep.definition);
  const { metric } = definition;
  const records = await listTrials(connection, sweep.id, trialMetric(definition));
  const trials = records.map((record) => ({
    ...trialOf(record, metric?.name ?? null),
    createdAt: record.createdAt,
  }));
  return { sweep, definition, trials, best: metric === null ? null : bestTrial(trials, metric.goal) };
}

/** Which value of which series a trial's runs are judged by; null without a metric. */
export function trialMetric({ metric }: SweepDefinition): TrialMetric | null {
  if (metric === null) return null;
  const best = metric.goal === 'minimize' ? 'minimum' : 'maximum';
  return { name: metric.name, value: metric.summary === 'last' ? 'last' : best };
}
