import type { TypedDocumentString } from '../generated/api.ts';
import { judged, Refused, Restored } from './failures.ts';
import type { Position } from './records.ts';
import type { RecordStore } from './recordStore.ts';
import type { Transport } from './transport.ts';
import { warn } from './warn.ts';

type Ask = <Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
) => Promise<string | null>;

/** What the records of one run are sent with, whatever their sort. */
export interface Channel {
  runId: string;
  store: RecordStore;
  transport: Transport;
  /** Asks the server. Answers why it refuses for good; null where it does not. @throws Unreachable or RunEnded */
  ask: Ask;
  /** What of the input the last refusal named; null where it named nothing. */
  refusedPath: string | null;
  /** The metrics of a run that may have no more; null as long as there is room. */
  full: { names: ReadonlySet<string>; reason: string } | null;
  /** As `ask`: a conflict is one over names here, not the end of the run. */
  tellRegistry: Ask;
  /** @throws Restored where the server was restored from a backup since it got a part */
  checkEpoch(): void;
  /** Changes the position. */
  move(changes: Partial<Position>): void;
  /** What was refused, as the run's page is told. */
  refused: string[];
  /** Puts away a record that the server refuses for good. */
  refuse(record: unknown, reason: string): void;
  /** The other server that has got a part; null where there is none. */
  earlierServer: string | null;
  /** Files that the server has all the same: it may be the first one under another address. */
  here: ReadonlySet<string>;
  /** What went to the earlier server, and is not here any more. */
  gone: Set<string>;
}

/** Whether the server was restored since it got what a journal's position says. */
export function isRestored(store: Pick<RecordStore, 'position'>, transport: Transport): boolean {
  const { epoch } = store.position();
  return epoch !== '' && transport.epoch() !== '' && transport.epoch() !== epoch;
}

const MOST_REFUSED = 1000;

/** What a record is called on the run's page. */
function namedOf(record: unknown): string {
  if (!Array.isArray(record)) return String(record);
  const [kind, first, , numbers]: unknown[] = record;
  if (kind !== 'metrics') return [kind, first].filter((part) => typeof part !== 'object').join(' ');
  return `${Object.keys(Object(numbers)).slice(0, 5).join(', ')} at step ${String(first)}`;
}

export function channelOf(store: RecordStore, transport: Transport, runId: string): Channel {
  const move = (changes: Partial<Position>): void => {
    const { epoch } = store.position();
    store.move({ ...store.position(), server: transport.url, epoch: epoch || transport.epoch(), ...changes });
  };
  // before an answer counts: a restored server may refuse what it does not know any more
  const checkEpoch = (): void => {
    if (isRestored(store, transport)) throw new Restored(`${transport.url} was restored from a backup`);
  };
  const channel: Channel = {
    runId,
    store,
    transport,
    move,
    checkEpoch,
    earlierServer: null,
    here: new Set(),
    gone: new Set(),
    refusedPath: null,
    refused: [],
    full: null,
    async ask(document, variables) {
      try {
        await transport.ask(document, variables);
      } catch (error) {
        checkEpoch();
        channel.refusedPath = error instanceof Refused ? error.path : null;
        return judged(error);
      }
      checkEpoch();
      return null;
    },
    async tellRegistry(document, variables) {
      try {
        await transport.ask(document, variables);
        return null;
      } catch (error) {
        checkEpoch();
        const stands = error instanceof Refused && error.code !== 'UNAUTHENTICATED';
        return stands ? error.message : judged(error);
      }
    },
    refuse(record, reason) {
      const kept = store.refuse(record, reason);
      if (channel.refused.length < MOST_REFUSED) channel.refused.push(`${namedOf(record)} (${reason})`);
      if (store.position().refused === 0) warn(`the server refuses a record: ${reason} (${kept})`);
      move({ refused: store.position().refused + 1 });
    },
  };
  return channel;
}
