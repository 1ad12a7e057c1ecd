import { RegisterVersionDocument } from '../generated/api.ts';
import { type Aside, asideList, NO_ROOM } from './aside.ts';
import type { Channel } from './channel.ts';
import { judged, Refused } from './failures.ts';
import type { JournalRecord } from './records.ts';

type FileRecord = Extract<JournalRecord, ['artifact', ...unknown[]]>;
type VersionRecord = Extract<JournalRecord, ['register', ...unknown[]]>;

/** Sends files and the versions that are made of them; what there is no room for is put aside. */
export function fileSender(channel: Channel) {
  const { store, transport, runId } = channel;
  const aside = asideList(store);

  async function sendFile(record: FileRecord, waiting: Aside | null): Promise<void> {
    const [, name, file, mediaType] = record;
    const content = await store.content(file);
    try {
      if (content !== null) await transport.upload(runId, name, content, mediaType, waiting?.since);
      else if (channel.earlierServer !== null && !channel.here.has(name)) channel.gone.add(name);
      store.drop(file);
    } catch (error) {
      if (error instanceof Refused && NO_ROOM.has(error.code)) return aside.add(record, error.message, waiting);
      channel.refuse(record, judged(error));
    }
    if (waiting !== null) aside.remove(waiting);
  }

  async function register(record: VersionRecord): Promise<void> {
    if (aside.holdsFilesOf(record[1].artifactName)) return aside.add(record, 'it waits for its files');
    const reason = await channel.tellRegistry(RegisterVersionDocument, { input: { ...record[1], runId } });
    if (reason !== null) channel.refuse(record, reason);
  }

  return {
    async sendFile(record: FileRecord): Promise<void> {
      aside.forgetOlder(record);
      await sendFile(record, null);
    },
    register,
    /** Sends what there was no room for, as far as there is now. @throws Unreachable or RunEnded */
    async retryAside(): Promise<void> {
      for (const waiting of aside.entries()) {
        const { record } = waiting;
        if (record[0] === 'artifact') await sendFile(record, waiting);
        else if (record[0] === 'register' && !aside.holdsFilesOf(record[1].artifactName)) {
          aside.remove(waiting);
          await register(record);
        }
      }
    },
  };
}
