import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type AlertChannel,
  type AlertCondition,
  alertChannelSchema,
  alertConditionSchema,
} from '#src/base/contracts/alertRule.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { countRow, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `alert_rule`: when somebody is told of something, and where. */
const ruleRow = z.object({
  id: z.string(),
  number: z.int(),
  /** Null: all projects, and the workers. */
  projectId: z.string().nullable(),
  name: z.string(),
  condition: alertConditionSchema,
  filter: z.string(),
  channels: z.array(alertChannelSchema),
  secret: z.string(),
  enabled: z.boolean(),
  revision: z.int(),
  activeSince: timestamp,
  lookedAt: timestamp,
  problem: z.string().nullable(),
  createdAt: timestamp,
});
export type RuleRecord = z.infer<typeof ruleRow>;

const COLUMNS = Prisma.sql`id, number, project_id AS "projectId", name, condition, filter, channels, secret, enabled, revision,
  active_since AS "activeSince", looked_at AS "lookedAt", problem, created_at AS "createdAt"`;

/** Rules by number, of a project (with those for all projects) or every one; enabled ones only if asked for. */
export async function listRules(
  connection: Connection,
  range: { projectId: string | null; enabled: boolean; most: number },
): Promise<RuleRecord[]> {
  return await queryRows(connection, ruleRow)`
    SELECT ${COLUMNS} FROM alert_rule
    WHERE (${range.projectId}::uuid IS NULL OR project_id IS NULL OR project_id = ${range.projectId}::uuid)
      AND (enabled OR NOT ${range.enabled})
    ORDER BY number LIMIT ${range.most}::int`;
}

/** The rule of this id, or of this number; null when there is none. */
export async function findRule(
  connection: Connection,
  by: { id: string } | { number: number },
): Promise<RuleRecord | null> {
  const condition = 'id' in by ? Prisma.sql`id = ${by.id}::uuid` : Prisma.sql`number = ${by.number}::int`;
  const rows = await queryRows(connection, ruleRow)`SELECT ${COLUMNS} FROM alert_rule WHERE ${condition}`;
  return rows[0] ?? null;
}

/** The rules with these ids, in no particular order. */
export async function findRules(connection: Connection, ids: readonly string[]): Promise<RuleRecord[]> {
  return await queryRows(connection, ruleRow)`SELECT ${COLUMNS} FROM alert_rule WHERE id = ANY(${[...ids]}::uuid[])`;
}

/** Locks a rule until the transaction ends: nobody else changes it, or raises alerts of it. */
export async function lockRule(connection: Connection, id: string): Promise<RuleRecord | null> {
  const rows = await queryRows(connection, ruleRow)`
    SELECT ${COLUMNS} FROM alert_rule WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** How many rules there are, of a project or for all projects. */
export async function countRules(connection: Connection, projectId: string | null): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM alert_rule WHERE project_id IS NOT DISTINCT FROM ${projectId}::uuid`;
  return rows[0]?.count ?? 0;
}

export interface NewRule {
  projectId: string | null;
  name: string;
  condition: AlertCondition;
  filter: string;
  channels: readonly AlertChannel[];
  secret: string;
  enabled: boolean;
}

export async function insertRule(connection: Connection, rule: NewRule): Promise<RuleRecord> {
  const rows = await queryRows(connection, ruleRow)`
    INSERT INTO alert_rule (id, project_id, name, condition, filter, channels, secret, enabled)
    VALUES (${randomUUID()}::uuid, ${rule.projectId}::uuid, ${databaseText(rule.name)},
      ${databaseJson(rule.condition)}::jsonb, ${databaseText(rule.filter)}, ${databaseJson(rule.channels)}::jsonb,
      ${rule.secret}, ${rule.enabled})
    RETURNING ${COLUMNS}`;
  return rows[0]!;
}

/** Sets what a rule is. With `renewed` it begins anew: what happened before is not told, and what it told may be told again. */
export async function updateRule(
  connection: Connection,
  id: string,
  rule: Pick<NewRule, 'name' | 'condition' | 'filter' | 'channels' | 'enabled'> & { renewed: boolean },
): Promise<RuleRecord> {
  const rows = await queryRows(connection, ruleRow)`
    UPDATE alert_rule SET name = ${databaseText(rule.name)}, condition = ${databaseJson(rule.condition)}::jsonb,
      filter = ${databaseText(rule.filter)}, channels = ${databaseJson(rule.channels)}::jsonb, enabled = ${rule.enabled},
      revision = revision + ${rule.renewed ? 1 : 0}::int,
      active_since = CASE WHEN ${rule.renewed} THEN now() ELSE active_since END,
      problem = NULL
    WHERE id = ${id}::uuid RETURNING ${COLUMNS}`;
  return rows[0]!;
}

export async function removeRule(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`DELETE FROM alert_rule WHERE id = ${id}::uuid`;
}

/** Notes that a rule was looked after, or why that was not possible. */
export async function noteLook(connection: Connection, id: string, problem: string | null): Promise<void> {
  await connection.$executeRaw`
    UPDATE alert_rule SET problem = ${problem === null ? null : databaseText(problem)},
      looked_at = CASE WHEN ${problem === null} THEN now() ELSE looked_at END
    WHERE id = ${id}::uuid`;
}
