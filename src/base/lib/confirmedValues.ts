import { type MetricValue, toNumber } from './metricValue.ts';

interface SweepMetric {
  name: string;
  goal: string;
  summary?: string | undefined;
}

interface Confirmation {
  state: string;
  metrics: readonly {
    name: string;
    minimum: MetricValue | null;
    maximum: MetricValue | null;
    lastValue: MetricValue | null;
  }[];
}

/** The objective of those runs that confirm a trial and have succeeded. */
export function confirmedValues(runs: readonly Confirmation[], metric: SweepMetric | null | undefined): number[] {
  return runs.flatMap(({ state, metrics }) => {
    const found = metrics.find(({ name }) => name === metric?.name);
    const extreme = metric?.goal === 'minimize' ? found?.minimum : found?.maximum;
    const value = metric?.summary === 'best' ? extreme : found?.lastValue;
    return state === 'SUCCEEDED' && value !== null && value !== undefined ? [toNumber(value)] : [];
  });
}
