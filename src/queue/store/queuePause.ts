import { Prisma, type QueuePause } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';

/** A row of `queue_pause`: no worker begins runs of this kind, or of any where it is empty. */
export type QueuePauseRecord = QueuePause;

/** Whether runs like a row of `run` may begin. */
export const NOT_PAUSED = Prisma.sql`NOT EXISTS (SELECT FROM queue_pause WHERE queue_pause.kind = '' OR queue_pause.kind =
  (SELECT configuration.kind FROM configuration WHERE configuration.hash = run.configuration_hash))`;

/** What is paused, the whole queue first, then kinds by name. */
export async function listQueuePauses(connection: Connection): Promise<QueuePauseRecord[]> {
  return await connection.queuePause.findMany({ orderBy: { kind: 'asc' } });
}

/** Pauses a kind, or the whole queue where it is empty; what is paused already stays so. */
export async function insertQueuePause(connection: Connection, kind: string): Promise<void> {
  await connection.queuePause.upsert({
    where: { kind: databaseText(kind) },
    create: { kind: databaseText(kind) },
    update: {},
  });
}

/** Ends a pause. @returns whether there was one. */
export async function deleteQueuePause(connection: Connection, kind: string): Promise<boolean> {
  const { count } = await connection.queuePause.deleteMany({ where: { kind: databaseText(kind) } });
  return count > 0;
}
