import { FindEndDocument, type FindEndQuery, FinishRunDocument, ResumeRunDocument } from '../generated/api.ts';
import type { Delivery } from './delivery.ts';
import { RunEnded } from './failures.ts';
import type { JournalHeader } from './records.ts';
import type { RecordStore } from './recordStore.ts';
import type { Transport } from './transport.ts';

/** A journal that is to be sent to its end, and its run. */
export interface WholeJournal {
  delivery: Delivery;
  store: RecordStore;
  transport: Transport;
  runId: string;
  header: JournalHeader;
}

type Ended = NonNullable<FindEndQuery['run']>;

/**
 * Sends a journal to its end; a run that another program has ended meanwhile goes on for it.
 * @throws Unreachable, Refused or RunEnded
 */
export async function sendWhole(journal: WholeJournal): Promise<void> {
  const { delivery, store, transport, runId, header } = journal;
  let ended: Ended | null = null;
  for (;;) {
    try {
      if (!(await delivery.sendSome())) break;
    } catch (error) {
      if (!(error instanceof RunEnded) || ended !== null) throw error;
      if (header.resume !== true && (await delivery.isAllThere())) break;
      ended = await reopened(journal);
      if (ended === null) throw error;
    }
  }
  // a program that went on with the run says itself how it ends
  if (ended === null || store.position().ended || (header.resume === true && header.mode === 'offline')) return;
  await transport.ask(FinishRunDocument, { run: runId, state: ended.state, message: ended.error?.message ?? null });
}

/** How the run had ended; null where it stays ended, since somebody cancelled it and the program did not ask to go on. */
async function reopened({ delivery, store, transport, runId, header }: WholeJournal): Promise<Ended | null> {
  const { run } = await transport.ask(FindEndDocument, { id: runId });
  const begins = header.resume === true && store.position().offset === 0;
  if (run == null || (run.state !== 'SUCCEEDED' && run.state !== 'FAILED' && !begins)) return null;
  await transport.ask(ResumeRunDocument, { id: runId });
  delivery.goesOn();
  return run;
}
