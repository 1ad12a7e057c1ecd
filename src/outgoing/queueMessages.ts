import type { MessageChannel, MessageContent } from '#src/base/contracts/outgoingMessage.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { insertMessage } from '#src/outgoing/store/messageRecord.ts';

export interface QueuedContent {
  channels: readonly MessageChannel[];
  content: MessageContent;
  /** What sends it, such as the rule of an alert; null: nothing that has an id. */
  sourceId: string | null;
}

/**
 * Has one message for each channel sent when the transaction has committed: within seconds, at least once, under an id that is
 * the same at every attempt. Any API process sends it (`deliverMessages`), and whatever it tells of is settled with it in one
 * transaction, so that neither a kill nor a second process loses or doubles it.
 * @returns the ids of the messages, in the order of the channels.
 */
export async function queueMessages(
  connection: Connection,
  { channels, content, sourceId }: QueuedContent,
): Promise<string[]> {
  const ids: string[] = [];
  for (const channel of channels) ids.push(await insertMessage(connection, { channel, content, sourceId }));
  return ids;
}
