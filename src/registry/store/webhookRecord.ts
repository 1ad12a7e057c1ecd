import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `registry_webhook`: an address that is told what happens in the registry of the whole server. */
const webhookRow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  url: z.string(),
  /** Such as `model_version.created` (src/base/contracts/registryEvent.ts). */
  events: z.array(z.string()),
  /** Signs what it gets; null: unsigned. */
  secret: z.string().nullable(),
  active: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type WebhookRecord = z.infer<typeof webhookRow>;

const COLUMNS = Prisma.sql`id, name, description, url, events, secret, active, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

export type NewWebhook = Omit<WebhookRecord, 'id' | 'createdAt' | 'updatedAt'>;

const text = (value: string | null): string | null => (value === null ? null : databaseText(value));

/** Makes a webhook. */
export async function insertWebhook(connection: Connection, webhook: NewWebhook): Promise<WebhookRecord> {
  const rows = await queryRows(connection, webhookRow)`
    INSERT INTO registry_webhook (id, name, description, url, events, secret, active)
    VALUES (${randomUUID()}::uuid, ${webhook.name}, ${text(webhook.description)}, ${databaseText(webhook.url)},
      ${webhook.events}::text[], ${text(webhook.secret)}, ${webhook.active})
    RETURNING ${COLUMNS}`;
  const [made] = rows;
  if (made === undefined) throw new Error('internal: a webhook was not made');
  return made;
}

/** The webhook of this id; null where there is none. */
export async function findWebhook(connection: Connection, id: string): Promise<WebhookRecord | null> {
  const rows = await queryRows(connection, webhookRow)`
    SELECT ${COLUMNS} FROM registry_webhook WHERE id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Webhooks, the newest first. */
export async function listWebhooks(
  connection: Connection,
  page: { offset: number; limit: number },
): Promise<WebhookRecord[]> {
  return await queryRows(connection, webhookRow)`
    SELECT ${COLUMNS} FROM registry_webhook ORDER BY created_at DESC, id LIMIT ${page.limit}::int OFFSET ${page.offset}::int`;
}

/** Sets all of a webhook; null where it is gone. */
export async function replaceWebhook(
  connection: Connection,
  id: string,
  webhook: NewWebhook,
): Promise<WebhookRecord | null> {
  const rows = await queryRows(connection, webhookRow)`
    UPDATE registry_webhook SET name = ${webhook.name}, description = ${text(webhook.description)},
      url = ${databaseText(webhook.url)}, events = ${webhook.events}::text[], secret = ${text(webhook.secret)},
      active = ${webhook.active}, updated_at = now()
    WHERE id = ${id}::uuid RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** Deletes a webhook; false where there is none of that id. */
export async function removeWebhook(connection: Connection, id: string): Promise<boolean> {
  return (await connection.$executeRaw`DELETE FROM registry_webhook WHERE id = ${id}::uuid`) > 0;
}

/** The webhooks that are told of an event, whoever brings it about. */
export async function listWebhooksOf(connection: Connection, event: string): Promise<WebhookRecord[]> {
  return await queryRows(connection, webhookRow)`
    SELECT ${COLUMNS} FROM public.registry_webhook WHERE active AND ${event}::text = ANY (events) ORDER BY created_at, id`;
}
