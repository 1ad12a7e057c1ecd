import { coerceError } from '#src/base/lib/coerceError.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { type AlertRecord, insertAlert, linkMessages, type NewAlert } from '#src/alerts/store/alertRecord.ts';
import { listRules, lockRule, noteLook, type RuleRecord } from '#src/alerts/store/ruleRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { queueMessages } from '#src/outgoing/queueMessages.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { type MessageContent, SERVER_MARK } from '#src/base/contracts/outgoingMessage.ts';
import { printable } from '#src/base/lib/printable.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';
import { type Finding, aboutRun } from './finding.ts';
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
import { findStandstills, type StandstillMemory } from './standstills.ts';

/** Runs may end by a clock that is behind the database's, as MLflow's clients say it, or in a transaction that takes long. */
const OVERLAP_MS = 15 * 60_000;

/** What begins the keys of a rule's alerts. */
function keyPrefix({ id, revision }: Pick<RuleRecord, 'id' | 'revision'>): string {
  return `${id}.${revision}:`;
}

/** What has happened that a rule waits for and has not told. It only reads. */
async function findWhatHappened(
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

/** Alerts that a message spells out; it says how many more there are. */
const MOST_SPELLED = 20;
const LONGEST_LINE = 1_000;

/** What a message says of alerts that a rule raised together. */
async function alertContent(
  connection: Connection,
  rule: Pick<RuleRecord, 'number' | 'name' | 'projectId'>,
  alerts: readonly AlertRecord[],
): Promise<MessageContent> {
  const [project] = rule.projectId === null ? [] : await findProjects(connection, [rule.projectId]);
  const [first] = alerts;
  const one = alerts.length === 1 && first !== undefined;
  const lines = alerts.slice(0, MOST_SPELLED).flatMap(({ title, text, data }) => {
    const path = pathOf(data);
    const parts = [...(one ? [] : [`• ${line(title)}`]), line(text), path === null ? '' : `${SERVER_MARK}${path}`];
    return parts.filter((part) => part !== '');
  });
  const left = alerts.length - MOST_SPELLED;
  return {
    type: 'alert',
    title: one ? line(first.title) : `${rule.name}: ${alerts.length} alerts`,
    text: [...lines, ...(left > 0 ? [`and ${left} more`] : []), `Rule ${rule.number}: ${line(rule.name)}`].join('\n'),
    data: {
      rule: { number: rule.number, name: rule.name },
      project: project?.name ?? null,
      alerts: alerts.map(({ number, level, title, text, data, createdAt }) => ({
        ...{ number, level, title, text, time: createdAt.toISOString() },
        ...data,
      })),
    },
  };
}

function line(text: string): string {
  return shorten(printable(text), LONGEST_LINE);
}

/** Where the dashboard shows what an alert is about. */
function pathOf(data: Record<string, unknown>): string | null {
  for (const value of Object.values(data)) {
    if (typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string')
      return value.path;
  }
  return null;
}

/** What a process remembers between looks; all decisions come from the database. */
export interface AlertWatch {
  memory: StandstillMemory;
  /** Of the database, in monotonic milliseconds: workers that were cut off together with this process come back first. */
  workersCountFromMs: number;
}

const MOST_RULES = 10_000;
/** How far behind `looked_at` may be. */
const NOTED_MS = 60_000;

export function createAlertWatch(): AlertWatch {
  return { memory: new Map(), workersCountFromMs: performance.now() + TIMING.workersQuietMs };
}

/** To be called where the database could not be reached. */
export function noteOutage(watch: AlertWatch): void {
  watch.workersCountFromMs = performance.now() + TIMING.workersQuietMs;
}

/**
 * One look at all rules: for what has happened, alerts and their messages are written in one transaction, under a lock on the
 * rule's row. Each alert has a key that names what happened, so that any number of processes may look at the same time and
 * be killed at any moment: nothing is told twice, and nothing is lost. A rule that cannot be looked after says so and holds up
 * no other.
 * @returns how many alerts were raised.
 */
export async function decideAlerts(context: Pick<ServiceContext, 'db'>, watch: AlertWatch): Promise<number> {
  const { db } = context;
  let raised = 0;
  for (const rule of await listRules(db, { projectId: null, enabled: true, most: MOST_RULES })) {
    try {
      const workersCounted = performance.now() >= watch.workersCountFromMs;
      const findings = await findWhatHappened(db, rule, { memory: watch.memory, workersCounted });
      if (findings.length > 0)
        raised += (await inTransaction(db, (connection) => raise(connection, rule, findings))).length;
      if (rule.problem !== null || Date.now() - rule.lookedAt.getTime() > NOTED_MS) await noteLook(db, rule.id, null);
    } catch (error) {
      const { message } = coerceError(error);
      if (rule.problem !== message) await noteLook(db, rule.id, message);
    }
  }
  return raised;
}

async function raise(
  connection: Connection,
  { id, revision }: RuleRecord,
  findings: Finding[],
): Promise<AlertRecord[]> {
  const rule = await lockRule(connection, id);
  // changed since: the next look decides by what it says now
  if (rule === null || !rule.enabled || rule.revision !== revision) return [];
  return await tell(
    connection,
    rule,
    findings.map((finding) => ({ ...finding, ruleId: id })),
  );
}

/** Writes alerts of a rule, but for those that are there, and one message to each of its channels that tells of them. */
export async function tell(
  connection: Connection,
  rule: RuleRecord,
  news: readonly NewAlert[],
): Promise<AlertRecord[]> {
  const alerts: AlertRecord[] = [];
  for (const one of news) {
    const alert = await insertAlert(connection, one);
    if (alert !== null) alerts.push(alert);
  }
  if (alerts.length === 0) return [];
  const channels = rule.channels.map((channel) =>
    channel.type === 'webhook' ? { ...channel, secret: rule.secret } : channel,
  );
  const content = await alertContent(connection, rule, alerts);
  const messages = await queueMessages(connection, { channels, content, sourceId: rule.id });
  await linkMessages(
    connection,
    alerts.map((alert) => alert.id),
    messages,
  );
  await sendNotifications(connection, [{ type: 'alerts' }]);
  return alerts;
}
