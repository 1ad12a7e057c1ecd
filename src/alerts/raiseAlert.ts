import { metricDirection } from '#src/catalog/metricDirection.ts';
import { ALERT_LEVELS, type AlertLevel } from '#src/base/contracts/alertRule.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { insertAlert } from '#src/alerts/store/alertRecord.ts';
import { listRules, lockRule } from '#src/alerts/store/ruleRecord.ts';
import { runMeets } from '#src/alerts/store/runFindings.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';
import { hearProgram } from '#src/runs/externalRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { tell } from './decideAlerts.ts';
import { aboutRun } from './finding.ts';

export interface RaiseAlertInput {
  runId: string;
  /** Names the alert within its run: the same call again changes nothing. */
  id: string;
  title: string;
  text?: string | null | undefined;
  level?: string | null | undefined;
  /** Of the program's token, where it has one. */
  attempt?: RunAttempt | undefined;
}

type Context = Pick<ServiceContext, 'db'>;

const LONGEST_ID = 100;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 10_000;

/**
 * An alert that a program raises: it stands in the dashboard, and rules that wait for programs' alerts send it on, also those
 * for all projects.
 * @param everything Over all data, where `context` holds what the caller may change.
 * @returns whether it was new.
 * @throws WarrenError BAD_INPUT for what is empty or too long, and like `hearProgram`.
 */
export async function raiseAlert(
  context: Context,
  input: RaiseAlertInput,
  everything: Context = context,
): Promise<boolean> {
  const id = checkedText(input.id, { path: 'id', least: 1, most: LONGEST_ID });
  const title = checkedText(input.title, { path: 'title', least: 1, most: LONGEST_TITLE });
  const text = checkedText(input.text ?? '', { path: 'text', least: 0, most: LONGEST_TEXT });
  const level = checkedLevel(input.level ?? 'warn');
  const run = await inTransaction(context.db, (connection) =>
    hearProgram(connection, input.runId, { attempt: input.attempt }),
  );
  return await inTransaction(everything.db, async (connection) => {
    const [project] = await findProjects(connection, [run.projectId]);
    const { subject, fact } = aboutRun({ ...run, projectName: project?.name ?? '' });
    const alert = {
      ...{ projectId: run.projectId, runId: run.id, level, title: `${subject}: ${title}`, text },
      data: { run: fact, raised: { id, title } },
    };
    const key = `program:${run.id}:${id}`;
    let told = 0;
    let matching = 0;
    for (const { id: ruleId, condition } of await listRules(connection, {
      ...{ projectId: run.projectId, enabled: true, most: 1_000 },
    })) {
      if (condition.trigger !== 'PROGRAM_ALERT') continue;
      const rule = await lockRule(connection, ruleId);
      if (rule === null || !rule.enabled) continue;
      if (!(await runMeets(connection, run.id, parseRunFilter(rule.filter, metricDirection)))) continue;
      matching += 1;
      told += (await tell(connection, rule, [{ ...alert, ruleId, key: `${key}:${ruleId}` }])).length;
    }
    if (matching > 0) return told > 0;
    const inserted = await insertAlert(connection, { ...alert, ruleId: null, key });
    if (inserted !== null) await sendNotifications(connection, [{ type: 'alerts' }]);
    return inserted !== null;
  });
}

function checkedText(given: string, { path, least, most }: { path: string; least: number; most: number }): string {
  const text = given.trim();
  if (text.length >= least && text.length <= most) return text;
  throw badInput(`${path}: ${least} to ${most.toLocaleString('en')} characters, received ${text.length}`, path);
}

function checkedLevel(given: string): AlertLevel {
  const level = ALERT_LEVELS.find((one) => one === given.toLowerCase());
  if (level !== undefined) return level;
  throw badInput(`level: expected one of ${ALERT_LEVELS.join(', ')}, received "${given.slice(0, 40)}"`, 'level');
}
