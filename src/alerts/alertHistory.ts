import { randomUUID } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type AlertRecord, findAlert, forgetAlerts, listAlerts } from '#src/alerts/store/alertRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { forgetMessages } from '#src/outgoing/store/messageRecord.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { requireRight, requireRule, type RuleRights } from './alertRules.ts';
import { tell } from './decideAlerts.ts';

type Context = Pick<ServiceContext, 'db'>;

/** Alerts and messages are kept for so many days. */
export const KEPT_DAYS = 90;

/**
 * Alerts, the newest first: of a project with those of no project, or of all.
 * @throws WarrenError BAD_INPUT for a size that cannot be, NOT_FOUND for an unknown project.
 */
export async function alertHistory(
  context: Context,
  input: { project?: string | null | undefined; first: number; before?: number | null | undefined },
): Promise<AlertRecord[]> {
  const first = checkedInteger(input.first, { path: 'first', minimum: 0, maximum: 200 });
  const projectId = await resolveProject(context, input.project);
  return await listAlerts(context.db, { projectId, before: input.before ?? null, first });
}

/** The alert of a number. @throws WarrenError NOT_FOUND. */
export async function requireAlert(context: Context, number: number): Promise<AlertRecord> {
  const alert = await findAlert(context.db, number);
  if (alert !== null) return alert;
  throw new WarrenError('NOT_FOUND', `there is no alert ${number}`, { path: 'number' });
}

/** Sends a test to every channel of a rule, enabled or not. @throws WarrenError NOT_FOUND, FORBIDDEN. */
export async function testAlertRule(context: Context, reference: string, rights: RuleRights): Promise<AlertRecord> {
  const rule = await requireRule(context, reference);
  requireRight(rule.projectId, rights);
  const [alert] = await inTransaction(context.db, (connection) =>
    tell(connection, rule, [
      {
        ...{ ruleId: rule.id, projectId: rule.projectId, runId: null, key: `test:${randomUUID()}`, level: 'info' },
        title: `Test of alert rule ${rule.number} “${rule.name}”`,
        text: 'Somebody asked for it: nothing has happened.',
        data: { test: true },
      },
    ]),
  );
  if (alert === undefined) throw new Error('internal: a new key is taken');
  return alert;
}

/** Deletes what is older than `KEPT_DAYS`. */
export async function forgetOldAlerts({ db }: Context): Promise<void> {
  await forgetMessages(db, KEPT_DAYS);
  await forgetAlerts(db, KEPT_DAYS);
}
