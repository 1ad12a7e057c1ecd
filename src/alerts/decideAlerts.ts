import { coerceError } from '#src/base/lib/coerceError.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { type AlertRecord, insertAlert, linkMessages, type NewAlert } from '#src/alerts/store/alertRecord.ts';
import { listRules, lockRule, noteLook, type RuleRecord } from '#src/alerts/store/ruleRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { queueMessages } from '#src/outgoing/queueMessages.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { alertContent } from './alertContent.ts';
import type { Finding } from './finding.ts';
import { findWhatHappened } from './findings.ts';
import type { StandstillMemory } from './standstills.ts';

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
