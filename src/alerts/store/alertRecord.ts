import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ALERT_LEVELS, type AlertLevel } from '#src/base/contracts/alertRule.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { jsonObject, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `alert`: something that somebody was to be told. */
const alertRow = z.object({
  id: z.string(),
  number: z.int(),
  ruleId: z.string().nullable(),
  projectId: z.string().nullable(),
  runId: z.string().nullable(),
  level: z.enum(ALERT_LEVELS),
  title: z.string(),
  text: z.string(),
  data: jsonObject,
  createdAt: timestamp,
});
export type AlertRecord = z.infer<typeof alertRow>;

const COLUMNS = Prisma.sql`id, number, rule_id AS "ruleId", project_id AS "projectId", run_id AS "runId", level, title, text,
  data, created_at AS "createdAt"`;

export interface NewAlert {
  ruleId: string | null;
  projectId: string | null;
  runId: string | null;
  /** Names what happened: only the first alert of a key is kept. */
  key: string;
  level: AlertLevel;
  title: string;
  text: string;
  data: Record<string, unknown>;
}

/** Inserts an alert; null where there is one of this key. */
export async function insertAlert(connection: Connection, alert: NewAlert): Promise<AlertRecord | null> {
  const rows = await queryRows(connection, alertRow)`
    INSERT INTO alert (id, rule_id, project_id, run_id, key, level, title, text, data)
    VALUES (${randomUUID()}::uuid, ${alert.ruleId}::uuid, ${alert.projectId}::uuid, ${alert.runId}::uuid,
      ${databaseText(alert.key)}, ${alert.level}, ${databaseText(alert.title)}, ${databaseText(alert.text)},
      ${databaseJson(alert.data)}::jsonb)
    ON CONFLICT (key) DO NOTHING RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** Notes that messages tell of alerts. */
export async function linkMessages(
  connection: Connection,
  alertIds: readonly string[],
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return;
  await connection.$executeRaw`
    INSERT INTO alert_message (alert_id, message_id)
    SELECT alert_id, message_id FROM unnest(${[...alertIds]}::uuid[]) alert_id
    CROSS JOIN unnest(${[...messageIds]}::uuid[]) message_id`;
}

/** Alerts, the newest first, of a project (with those of no project) or of all, those before a number. */
export async function listAlerts(
  connection: Connection,
  page: { projectId: string | null; before: number | null; first: number },
): Promise<AlertRecord[]> {
  return await queryRows(connection, alertRow)`
    SELECT ${COLUMNS} FROM alert
    WHERE (${page.projectId}::uuid IS NULL OR project_id IS NULL OR project_id = ${page.projectId}::uuid)
      AND (${page.before}::int IS NULL OR number < ${page.before}::int)
    ORDER BY number DESC LIMIT ${page.first}::int`;
}

/** The alert of this number; null when there is none. */
export async function findAlert(connection: Connection, number: number): Promise<AlertRecord | null> {
  const rows = await queryRows(connection, alertRow)`SELECT ${COLUMNS} FROM alert WHERE number = ${number}::int`;
  return rows[0] ?? null;
}

/** Deletes alerts that were raised so many days ago. */
export async function forgetAlerts(connection: Connection, days: number): Promise<void> {
  await connection.$executeRaw`DELETE FROM alert WHERE created_at < now() - ${days}::int * interval '1 day'`;
}
