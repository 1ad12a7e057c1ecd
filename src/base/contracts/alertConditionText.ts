import { assertNever } from '../lib/assertNever.ts';
import type { AlertTrigger } from './alertRule.ts';

/** A condition of an alert rule as the API answers it. */
export interface ShownCondition {
  trigger: AlertTrigger;
  states?: readonly string[] | null | undefined;
  metric?: string | null | undefined;
  is?: string | null | undefined;
  value?: number | null | undefined;
  patience?: number | null | undefined;
  unit?: string | null | undefined;
}

/** What an alert rule waits for, in words: `valid/loss is above 3`. */
export function alertConditionText(condition: ShownCondition, shown: (value: number) => string = String): string {
  const { trigger, states, metric, is, value, patience, unit } = condition;
  switch (trigger) {
    case 'RUN_ENDED':
      return `a run ends ${(states ?? []).join(' or ')}`;
    case 'SWEEP_ENDED':
      return 'a sweep ends';
    case 'METRIC_VALUE':
      if (is === 'NOT_FINITE') return `${metric} is not finite`;
      return `${metric} is ${is === 'ABOVE' ? 'above' : 'below'} ${shown(value ?? 0)}`;
    case 'NO_IMPROVEMENT':
      return `${metric} is no better for ${patience} ${unit === 'STEPS' ? 'steps' : 'values'}`;
    case 'WORKER_GONE':
      return 'a worker is gone';
    case 'PROGRAM_ALERT':
      return 'a program calls alert()';
    default:
      return assertNever(trigger);
  }
}
