import type { Connection } from './connection.ts';
import { databaseJson, databaseText } from './databaseText.ts';

/** What may happen to a run. */
export type RunEventType =
  | 'queued'
  | 'waiting'
  | 'started'
  | 'claimed'
  | 'released'
  | 'lost'
  | 'requeued'
  | 'cancelRequested'
  | 'retried'
  | 'ended'
  | 'edited'
  | 'deleted'
  | 'restored';

export interface NewRunEvent {
  runId: string;
  type: RunEventType;
  /** A sentence for people. */
  message: string;
  data?: Record<string, unknown>;
}

export interface RunEventRecord {
  /** A decimal number. */
  id: string;
  runId: string;
  time: Date;
  type: string;
  message: string;
  data: Record<string, unknown>;
}

/** Writes what happened, in the order given. */
export async function addRunEvents(connection: Connection, events: readonly NewRunEvent[]): Promise<void> {
  if (events.length === 0) return;
  await connection.$executeRaw`
    INSERT INTO run_event (run_id, type, message, data)
    SELECT run_id, type, message, data::jsonb
    FROM unnest(${events.map((event) => event.runId)}::uuid[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => databaseText(event.message))}::text[],
      ${events.map((event) => databaseJson(event.data ?? {}))}::text[])
      WITH ORDINALITY AS event (run_id, type, message, data, position)
    ORDER BY position`;
}

/** The events of the runs, oldest first. */
export async function listRunEvents(connection: Connection, runIds: readonly string[]): Promise<RunEventRecord[]> {
  if (runIds.length === 0) return [];
  return await connection.$queryRaw<RunEventRecord[]>`
    SELECT id::text, run_id AS "runId", time, type, message, data
    FROM run_event WHERE run_id = ANY(${[...runIds]}::uuid[]) ORDER BY run_event.id`;
}
