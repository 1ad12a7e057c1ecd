import type { AlertCondition } from '#src/base/contracts/alertRule.ts';
import { findSeries, measureStandstills, type RuleScope, type WatchedSeries } from '#src/alerts/store/runFindings.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { aboutRun, type Finding } from './finding.ts';

/**
 * From which number of values, or step, on a series is worth another look, by rule and series. It only saves work: a process
 * that begins without it finds the same.
 */
export type StandstillMemory = Map<string, number>;

/** Series looked at in one turn; those that are not worth it yet are passed over. */
const MOST_SERIES = 5_000;
/** Series whose points are read in one turn. */
const MOST_READ = 50;
const MOST_REMEMBERED = 100_000;

interface Look {
  scope: RuleScope;
  condition: Extract<AlertCondition, { trigger: 'NO_IMPROVEMENT' }>;
  memory: StandstillMemory;
}

/** Runs whose metric has had no better value for long enough. */
export async function findStandstills(connection: Connection, { scope, condition, memory }: Look): Promise<Finding[]> {
  const { metric, goal, patience, unit } = condition;
  const byValues = unit === 'VALUES';
  const test = { is: 'LONG', points: byValues ? patience : 1, steps: byValues ? 0 : patience } as const;
  const watched = await findSeries(connection, scope, { metric, test, most: MOST_SERIES });
  const key = ({ seriesId }: WatchedSeries) => `${scope.prefix}${seriesId}`;
  const reached = ({ points, lastStep }: WatchedSeries) => (byValues ? points : lastStep);
  const worth = watched.filter((series) => reached(series) >= (memory.get(key(series)) ?? 0)).slice(0, MOST_READ);
  if (worth.length === 0) return [];
  const measured = await measureStandstills(
    connection,
    worth.map(({ seriesId }) => seriesId),
    goal,
  );
  if (memory.size > MOST_REMEMBERED) memory.clear();
  return worth.flatMap((series) => {
    const found = measured.find(({ seriesId }) => seriesId === series.seriesId);
    if (found === undefined) return [];
    const since = byValues ? found.values : found.steps;
    if (since >= patience) return [ofStandstill(series, condition, { since, bestStep: found.bestStep })];
    // as many must come at least, whether they are better or not
    memory.set(key(series), reached(series) + patience - since);
    return [];
  });
}

function ofStandstill(
  series: WatchedSeries,
  { metric, goal, unit, patience }: Look['condition'],
  { since, bestStep }: { since: number; bestStep: number | null },
): Finding {
  const { key, projectId, id: runId, lastValue, lastStep } = series;
  const { subject, fact } = aboutRun(series);
  const best = goal === 'MINIMIZE' ? series.minimum : series.maximum;
  const words = unit === 'VALUES' ? 'values' : 'steps';
  const bestText =
    best === null || bestStep === null ? 'There is no finite value yet' : `The best is ${best}, at step ${bestStep}`;
  return {
    ...{ key, projectId, runId },
    level: 'warn',
    title: `${subject}: no better ${metric} for ${since} ${words}`,
    text: `${bestText}; the newest is ${lastValue}, at step ${lastStep}.`,
    data: {
      run: fact,
      metric: { name: metric, goal, unit, patience, since, best, bestStep, lastValue: String(lastValue), lastStep },
    },
  };
}
