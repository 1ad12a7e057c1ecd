import { CHANGE_CHANNEL, type ChangeEvent } from '#src/base/contracts/changeEvents.ts';
import type { Connection } from './connection.ts';

/** More than this in one transaction help nobody: who shows that many runs reads the list again anyway. */
const MOST_NOTIFICATIONS = 1000;

/** Sends notifications to the other processes when the transaction commits; doubles are sent once. */
export async function sendNotifications(connection: Connection, events: readonly ChangeEvent[]): Promise<void> {
  const payloads = [...new Set(events.map((event) => JSON.stringify(event)))].slice(0, MOST_NOTIFICATIONS);
  if (payloads.length === 0) return;
  await connection.$executeRaw`SELECT pg_notify(${CHANGE_CHANNEL}, payload) FROM unnest(${payloads}::text[]) payload`;
}

/** One `run` notification for each of the runs. */
export function runNotifications(runs: readonly { id: string; projectId: string }[]): ChangeEvent[] {
  return runs.map((run) => ({ type: 'run', runId: run.id, projectId: run.projectId }));
}
