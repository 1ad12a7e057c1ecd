import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson } from '#src/base/database/databaseText.ts';
import { measureRows } from '#src/base/database/measureRows.ts';
import { jsonObject, queryRows, timestamp } from '#src/base/database/queryRows.ts';
import { storedMessage } from '#src/base/database/storedError.ts';

/** What may happen to a run. */
export type RunEventType =
  | 'queued'
  | 'imported'
  | 'waiting'
  | 'started'
  | 'claimed'
  | 'released'
  | 'lost'
  | 'requeued'
  | 'restarted'
  | 'warned'
  | 'cancelRequested'
  | 'pruneRequested'
  | 'retried'
  | 'crashed'
  | 'resumed'
  | 'ended'
  | 'edited'
  | 'deleted'
  | 'restored'
  | 'logRemoved'
  | 'thinned';

export interface NewRunEvent {
  runId: string;
  type: RunEventType;
  /** A sentence for people. */
  message: string;
  data?: Record<string, unknown>;
}

const eventRow = z.object({
  /** A decimal number. */
  id: z.string(),
  runId: z.string(),
  time: timestamp,
  type: z.string(),
  message: z.string(),
  data: jsonObject,
});
export type RunEventRecord = z.infer<typeof eventRow>;

/** Writes what happened, in the order given. */
export async function addRunEvents(connection: Connection, events: readonly NewRunEvent[]): Promise<void> {
  if (events.length === 0) return;
  await connection.$executeRaw`
    INSERT INTO run_event (run_id, type, message, data)
    SELECT run_id, type, message, data::jsonb
    FROM unnest(${events.map((event) => event.runId)}::uuid[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => storedMessage(event.message))}::text[],
      ${events.map((event) => databaseJson(event.data ?? {}))}::text[])
      WITH ORDINALITY AS event (run_id, type, message, data, position)
    ORDER BY position`;
}

/** Some of the events of each run. */
export interface EventPage {
  /** Those after this event; null begins with the first. */
  after: string | null;
  first: number;
}

function pageSql(runIds: readonly string[], { after, first }: EventPage): Prisma.Sql {
  return Prisma.sql`SELECT event.* FROM unnest(${[...runIds]}::uuid[]) AS wanted (run_id)
    CROSS JOIN LATERAL (
      SELECT id, run_id, time, type, left(message, 5000) AS message, data FROM run_event
      WHERE run_event.run_id = wanted.run_id AND id > ${after ?? '0'}::text::int8
      ORDER BY id LIMIT ${first}::int
    ) event`;
}

/** A page of the events of each run, oldest first. */
export async function listRunEvents(
  connection: Connection,
  runIds: readonly string[],
  page: EventPage = { after: null, first: 100 },
): Promise<RunEventRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, eventRow)`
    SELECT id::text, run_id AS "runId", time, type, message, data FROM (${pageSql(runIds, page)}) page ORDER BY page.id`;
}

/** Bytes that these events take. */
export async function measureRunEvents(
  connection: Connection,
  runIds: readonly string[],
  page: EventPage,
): Promise<number> {
  return await measureRows(connection, pageSql(runIds, page));
}
