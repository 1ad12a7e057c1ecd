import { LogMediaDocument, type MediaInput } from '../generated/api.ts';
import type { Channel } from './channel.ts';
import { judged } from './failures.ts';
import type { JournalRecord, KeptMedia } from './records.ts';

const MOST_MEDIA = 200;

type MediaRecord = Extract<JournalRecord, ['media', ...unknown[]]>;

/** Sends things to look at: contents first, then the records that name them. What is sent twice changes nothing. */
export function mediaSender(channel: Channel): (records: MediaRecord[]) => Promise<void> {
  const { store, transport, runId } = channel;
  /** Contents that the server has. */
  const contents = new Set<string>();

  async function uploaded(name: string, content: Blob, mediaType: string): Promise<string | null> {
    try {
      await transport.upload(runId, name, content, mediaType);
      return null;
    } catch (error) {
      return judged(error);
    }
  }

  /** Answers whether the server has it. */
  async function sendContent(name: string, item: KeptMedia): Promise<boolean> {
    const { sha256, file, type = 'application/octet-stream' } = item;
    if (file === undefined || sha256 === undefined || contents.has(sha256)) return true;
    const content = await store.content(file);
    // uploaded before the position was written, unless another server has got it
    if (content === null && channel.earlierServer !== null) {
      channel.gone.add(name);
      return false;
    }
    const reason = content === null ? null : await uploaded(`media/${sha256}`, content, type);
    if (reason !== null) channel.refuse(['media item', item], reason);
    else contents.add(sha256);
    return reason === null;
  }

  async function sendItems(items: MediaInput[]): Promise<void> {
    for (let start = 0; start < items.length; start += MOST_MEDIA) {
      const part = items.slice(start, start + MOST_MEDIA);
      if ((await channel.ask(LogMediaDocument, { run: runId, items: part })) === null) continue;
      for (const item of part) {
        const reason = await channel.ask(LogMediaDocument, { run: runId, items: [item] });
        if (reason !== null) channel.refuse(['media item', item], reason);
      }
    }
  }

  return async (records) => {
    const items: MediaInput[] = [];
    const files: string[] = [];
    for (const [, name, step, time, things] of records) {
      for (const { file, type, ...item } of things) {
        if (!(await sendContent(name, { ...item, ...(file && { file }), ...(type && { type }) }))) continue;
        if (file !== undefined) files.push(file);
        items.push({ name, step, time, ...item });
      }
    }
    await sendItems(items);
    for (const file of files) store.drop(file);
  };
}
