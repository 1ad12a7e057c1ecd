import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type MessageChannel,
  type MessageContent,
  messageChannelSchema,
  messageContentSchema,
} from '#src/base/contracts/outgoingMessage.ts';
import { MessageState, Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText, numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

export type { MessageState };

/** A row of `outgoing_message`. */
const messageRow = z.object({
  id: z.string(),
  sourceId: z.string().nullable(),
  channel: messageChannelSchema,
  content: messageContentSchema,
  state: z.enum(MessageState),
  /** Attempts so far, the one under way included. */
  attempts: z.int(),
  dueAt: timestamp,
  /** Why the newest attempt did not succeed; null where none failed. */
  problem: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type MessageRecord = z.infer<typeof messageRow>;
const alertMessageRow = messageRow.extend({ alertId: z.string() });

const COLUMNS = Prisma.sql`message.id, message.source_id AS "sourceId", message.channel, message.content, message.state,
  message.attempts, message.due_at AS "dueAt", message.problem, message.created_at AS "createdAt", message.ended_at AS "endedAt"`;

/** Inserts a message that is to be sent; answers its id. */
export async function insertMessage(
  connection: Connection,
  message: { channel: MessageChannel; content: MessageContent; sourceId: string | null },
): Promise<string> {
  const id = randomUUID();
  await connection.$executeRaw`
    INSERT INTO outgoing_message (id, source_id, channel, content)
    VALUES (${id}::uuid, ${message.sourceId}::uuid, ${databaseJson(message.channel)}::jsonb,
      ${databaseJson(message.content)}::jsonb)`;
  return id;
}

/** Beyond the longest pause, so that two processes whose transactions began apart agree on what is due. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Takes messages that are due for an attempt, the longest due first. Nobody else gets them for `holdMs`: an attempt must end
 * in less, and one whose process was killed is made again after it. One that waits longer than it can after so many attempts
 * does so since the clock was put back, and is due, too.
 * @param longestMs How long it may wait after 0, 1, 2 … attempts.
 */
export async function claimMessages(
  connection: Connection,
  { most, holdMs, longestMs }: { most: number; holdMs: number; longestMs: readonly number[] },
): Promise<MessageRecord[]> {
  const waits = numberArrayLiteral(longestMs.map((milliseconds) => milliseconds + CLOCK_SLACK_MS));
  return await queryRows(connection, messageRow)`
    UPDATE outgoing_message message
    SET attempts = message.attempts + 1, due_at = now() + ${holdMs}::int * interval '1 millisecond'
    FROM (
      SELECT id FROM outgoing_message WHERE state = 'PENDING'
        AND (due_at <= now() OR due_at > now() + (${waits}::int[])[attempts + 1] * interval '1 millisecond')
      ORDER BY due_at LIMIT ${most}::int FOR NO KEY UPDATE SKIP LOCKED
    ) due WHERE message.id = due.id RETURNING ${COLUMNS}`;
}

/** How an attempt ended: sent, given up, or to be made again after a while. */
export type AttemptEnd = { state: 'SENT' } | { state: 'FAILED' | 'PENDING'; problem: string; delayMs: number };

/** Notes how an attempt ended, unless another process has begun a later one. */
export async function endAttempt(
  connection: Connection,
  { id, attempts }: Pick<MessageRecord, 'id' | 'attempts'>,
  end: AttemptEnd,
): Promise<void> {
  const { problem, delayMs } = end.state === 'SENT' ? { problem: null, delayMs: 0 } : end;
  await connection.$executeRaw`
    UPDATE outgoing_message SET state = ${end.state}::message_state,
      problem = coalesce(${problem === null ? null : databaseText(problem)}, problem),
      due_at = now() + ${delayMs}::int * interval '1 millisecond',
      ended_at = CASE WHEN ${end.state !== 'PENDING'} THEN now() END
    WHERE id = ${id}::uuid AND attempts = ${attempts}::int AND state = 'PENDING'`;
}

/** The messages that tell of these alerts, the oldest first. */
export async function listMessagesOfAlerts(
  connection: Connection,
  alertIds: readonly string[],
): Promise<(MessageRecord & { alertId: string })[]> {
  if (alertIds.length === 0) return [];
  return await queryRows(connection, alertMessageRow)`
    SELECT ${COLUMNS}, alert_message.alert_id AS "alertId"
    FROM alert_message JOIN outgoing_message message ON message.id = alert_message.message_id
    WHERE alert_message.alert_id = ANY(${[...alertIds]}::uuid[]) ORDER BY message.created_at, message.id`;
}

/** Deletes messages that ended so many days ago. */
export async function forgetMessages(connection: Connection, days: number): Promise<void> {
  await connection.$executeRaw`
    DELETE FROM outgoing_message WHERE state <> 'PENDING' AND due_at < now() - ${days}::int * interval '1 day'`;
}
