import type { MetricDirection } from '#src/catalog/kind.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { parseGroupField } from '#src/base/contracts/runFilter/groupField.ts';
import { printField } from '#src/base/contracts/runFilter/print.ts';
import type { Verdict } from '#src/statistics/verdict.ts';
import type { Grouping, RunValue } from '#src/runs/store/groupedRunsSql.ts';
import type { BaselineTest } from './configurationTest.ts';

/** Which value of each run a metric is summed up over. */
export interface GroupMetricInput {
  name: string;
  /** BEST asks which way the metric is better, which not every name tells. */
  at?: 'LAST' | 'BEST' | undefined;
  /** Another metric: the value at the first step where that one was best, such as test at the best validation. */
  bestOf?: string | null | undefined;
}

export interface GroupingInput {
  /** Fields of the filter language, or paths of parameters; 1 to 6. */
  groupBy: readonly string[];
  /** At most 20. */
  metrics?: readonly GroupMetricInput[] | null | undefined;
}

/** A metric as it was summed up. */
export interface SummedMetric {
  name: string;
  at: 'LAST' | 'BEST';
  bestOf: string | null;
  direction: MetricDirection | null;
}

/** A group against the baseline in one metric. */
export interface GroupTest extends BaselineTest {
  /** At the level 0.05, after Holm's correction; null where there is no test. */
  verdict: Verdict | null;
  /**
   * Further seeds of each group with which a difference of the size found would be shown with a chance of 80 %; 0 where one is
   * shown already, null where there is no test or a thousand were too few.
   */
  seedsNeeded: number | null;
}

const MOST_FIELDS = 6;
const MOST_METRICS = 20;
const LONGEST_NAME = 500;

/**
 * @param directionOf Which way a metric is better; null where nobody told.
 * @throws WarrenError BAD_INPUT for fields and metrics that cannot be.
 */
export function parseGrouping(
  { groupBy, metrics: wanted }: GroupingInput,
  directionOf: (name: string) => MetricDirection | null,
): { grouping: Grouping; metrics: SummedMetric[] } {
  if (groupBy.length === 0 || groupBy.length > MOST_FIELDS) {
    throw badInput(`groupBy: expected 1 to ${MOST_FIELDS} fields, received ${groupBy.length}`, 'groupBy');
  }
  const fields = groupBy.map((text, index) => parseGroupField(text, `groupBy[${index}]`));
  const names = fields.map(printField);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw badInput(`groupBy: ${double} is given twice`, 'groupBy');
  const given = wanted ?? [];
  if (given.length > MOST_METRICS) {
    throw badInput(`metrics: expected at most ${MOST_METRICS}, received ${given.length}`, 'metrics');
  }
  for (const [index, { name, bestOf }] of given.entries()) {
    if (Math.max(name.length, bestOf?.length ?? 0) <= LONGEST_NAME) continue;
    throw badInput(`metrics[${index}]: a metric's name has at most ${LONGEST_NAME} characters`, `metrics[${index}]`);
  }
  const metrics = given.map(
    ({ name, at = 'LAST', bestOf = null }): SummedMetric => ({ name, at, bestOf, direction: directionOf(name) }),
  );
  return {
    grouping: { fields, values: metrics.map((metric, index) => runValue(metric, index, directionOf)) },
    metrics,
  };
}

function runValue(
  { name, at, bestOf, direction }: SummedMetric,
  index: number,
  directionOf: (name: string) => MetricDirection | null,
): RunValue {
  if (bestOf !== null) {
    return { name, at: { type: 'stepOf', name: bestOf, extreme: extremeOf(bestOf, directionOf(bestOf), index) } };
  }
  return {
    name,
    at: at === 'LAST' ? { type: 'last' } : { type: 'extreme', extreme: extremeOf(name, direction, index) },
  };
}

function extremeOf(name: string, direction: MetricDirection | null, index: number): 'minimum' | 'maximum' {
  if (direction !== null) return direction === 'higher' ? 'maximum' : 'minimum';
  throw badInput(
    `metrics[${index}]: nobody told whether "${name.slice(0, 80)}" is better high or low, so that it has no best value; ask for its last`,
    `metrics[${index}]`,
  );
}
