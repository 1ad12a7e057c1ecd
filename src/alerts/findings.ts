import { metricDirection } from '#src/catalog/metricDirection.ts';
import type { AlertCondition, AlertLevel } from '#src/base/contracts/alertRule.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { findEndedSweeps, findGoneWorkers } from '#src/alerts/store/otherFindings.ts';
import {
  type EndedRun,
  findEndedRuns,
  findSeries,
  type RuleScope,
  type WatchedSeries,
} from '#src/alerts/store/runFindings.ts';
import type { RuleRecord } from '#src/alerts/store/ruleRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { aboutRun, type Finding } from './finding.ts';
import { findStandstills, type StandstillMemory } from './standstills.ts';

/** Runs may end by a clock that is behind the database's, as MLflow's clients say it, or in a transaction that takes long. */
const OVERLAP_MS = 15 * 60_000;

/** What begins the keys of a rule's alerts. */
export function keyPrefix({ id, revision }: Pick<RuleRecord, 'id' | 'revision'>): string {
  return `${id}.${revision}:`;
}

/** What has happened that a rule waits for and has not told. It only reads. */
export async function findWhatHappened(
  connection: Connection,
  rule: RuleRecord,
  { memory, workersCounted }: { memory: StandstillMemory; workersCounted: boolean },
): Promise<Finding[]> {
  const scope: RuleScope = {
    projectId: rule.projectId,
    filter: parseRunFilter(rule.filter, metricDirection),
    prefix: keyPrefix(rule),
    since: new Date(Math.max(rule.activeSince.getTime(), rule.lookedAt.getTime() - OVERLAP_MS)),
  };
  const { condition } = rule;
  switch (condition.trigger) {
    case 'RUN_ENDED':
      return (await findEndedRuns(connection, scope, condition.states)).map(ofEndedRun);
    case 'METRIC_VALUE': {
      const { metric, is, value } = condition;
      const found = await findSeries(connection, scope, { metric, test: is === 'NOT_FINITE' ? { is } : { is, value } });
      return found.map((series) => ofValue(series, condition));
    }
    case 'NO_IMPROVEMENT':
      return await findStandstills(connection, { scope, condition, memory });
    case 'SWEEP_ENDED':
      return (await findEndedSweeps(connection, scope)).map(
        ({ key, id, number, name, state, reason, projectId, projectName }) => ({
          ...{ key, projectId, runId: null },
          level: state === 'FINISHED' ? 'info' : 'warn',
          title: `${projectName}: sweep ${number} “${name}” ${state === 'FINISHED' ? 'has finished' : 'was cancelled'}`,
          text: reason,
          data: { sweep: { id, number, name, state, path: `/sweeps/${number}` } },
        }),
      );
    case 'WORKER_GONE':
      if (!workersCounted) return [];
      return (await findGoneWorkers(connection, scope)).map(({ key, id, name, host, lastSeenAt }) => ({
        ...{ key, projectId: null, runId: null },
        level: 'error',
        title: `Worker “${name}” is gone`,
        text: `Nothing was heard of it since ${lastSeenAt.toISOString()}; it ran on ${host}. Its runs go to other workers.`,
        data: { worker: { id, name, host, lastSeenAt: lastSeenAt.toISOString(), path: '/workers' } },
      }));
    case 'PROGRAM_ALERT':
      // told when the program raises them
      return [];
    default:
      return assertNever(condition);
  }
}

const LEVELS: Readonly<Record<string, AlertLevel>> = { SUCCEEDED: 'info', PRUNED: 'info', CANCELLED: 'warn' };
const ENDS: Readonly<Record<string, string>> = {
  SUCCEEDED: 'has succeeded',
  FAILED: 'has failed',
  CRASHED: 'has crashed',
  CANCELLED: 'was cancelled',
  PRUNED: 'was stopped early',
};

function ofEndedRun(run: EndedRun): Finding {
  const { key, projectId, id: runId, state, error } = run;
  const { subject, fact } = aboutRun(run);
  return {
    ...{ key, projectId, runId },
    level: LEVELS[state] ?? 'error',
    title: `${subject} ${ENDS[state] ?? `is ${state}`}`,
    text: error ?? '',
    data: { run: { ...fact, error } },
  };
}

function ofValue(series: WatchedSeries, condition: Extract<AlertCondition, { trigger: 'METRIC_VALUE' }>): Finding {
  const { metric, is, value } = condition;
  const { key, projectId, id: runId, lastStep, lastValue, minimum, maximum } = series;
  const { subject, fact } = aboutRun(series);
  const [words, level] = (
    {
      ABOVE: [`went above ${value}`, 'info'],
      BELOW: [`went below ${value}`, 'info'],
      NOT_FINITE: [`is ${lastValue}`, 'warn'],
    } as const
  )[is];
  const range =
    minimum === null || maximum === null || minimum === maximum ? '' : `, so far ${told(minimum)} to ${told(maximum)}`;
  return {
    ...{ key, projectId, runId, level },
    title: `${subject}: ${metric} ${words}`,
    text: `The newest value is ${told(lastValue)}, at step ${lastStep}${range}.`,
    data: { run: fact, metric: { name: metric, is, value, lastValue: String(lastValue), lastStep, minimum, maximum } },
  };
}

/** A number to be read; programs find it in full in `data`. */
function told(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(5))) : String(value);
}
