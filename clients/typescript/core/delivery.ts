import {
  AddParametersDocument,
  CreateRunDocument,
  type CreateRunInput,
  type CreateRunMutation,
  DefineMetricsDocument,
  DescribeRunDocument,
  FindKeptDocument,
  FinishRunDocument,
  HeartbeatDocument,
  RaiseAlertDocument,
  UseVersionDocument,
} from '../generated/api.ts';
import { type Channel, channelOf } from './channel.ts';
import { Refused, RunEnded } from './failures.ts';
import { groupsOf } from './groups.ts';
import type { JournalRecord } from './records.ts';
import type { RecordStore } from './recordStore.ts';
import { fileSender } from './sendFiles.ts';
import { mediaSender } from './sendMedia.ts';
import { sendLines, sendPoints } from './sendPoints.ts';
import type { Transport } from './transport.ts';

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 10_000;

export interface Delivery {
  /** Makes the run, or finds the one that has this id. @throws Unreachable or Refused */
  create(input: CreateRunInput): Promise<CreateRunMutation['createRun']>;
  /** Sends the next records, in order, and moves the position behind them. Answers whether there were any. @throws Unreachable or RunEnded */
  sendSome(): Promise<boolean>;
  /** Sends what there was no room for, as far as there is now. @throws Unreachable or RunEnded */
  retryAside(): Promise<void>;
  /** Says that the program lives. @throws Unreachable or RunEnded */
  heartbeat(): Promise<void>;
  /**
   * Begins anew where another server has got a part. One with the run's end is the same under another address.
   * @throws Unreachable or Refused
   */
  settleServer(): Promise<void>;
  /** The run is in its next attempt, whose lines count from 0. */
  goesOn(): void;
  /** Whether the run's end is sent. */
  ended(): boolean;
  /** The other server that has got a part, and files that went there and are not here any more. */
  elsewhere(): { server: string; files: readonly string[] } | null;
}

/**
 * Takes records to the server. The API keeps the first of two points with one name and step and of two lines with one
 * number, so that a request whose answer was lost is sent again without harm.
 * @param project Of the run, instead of the one that its program named.
 */
export function deliveryOf(store: RecordStore, transport: Transport, runId: string, project?: string): Delivery {
  const channel = channelOf(store, transport, runId);
  const { move } = channel;
  const files = fileSender(channel);
  const sendMedia = mediaSender(channel);

  const create: Delivery['create'] = async (input) => {
    const { createRun } = await transport.ask(CreateRunDocument, { input });
    if (!store.position().created) move({ created: true, next_line: createRun.nextLogLine });
    return createRun;
  };

  /** As `create`, of a run that may have been stopped between the program's own call and this one. */
  const begin = async (input: CreateRunInput): Promise<void> => {
    try {
      await create(project === undefined ? input : { ...input, project });
    } catch (error) {
      throw error instanceof Refused && error.code === 'CONFLICT' ? new RunEnded(error.message) : error;
    }
  };

  /** Sends a record that keeps its place among the others. */
  const sendInPlace = async (record: JournalRecord): Promise<void> => {
    if (record[0] === 'run') await begin(record[1]);
    else if (record[0] === 'artifact') await files.sendFile(record);
    else if (record[0] === 'register') await files.register(record);
    else if (record[0] === 'end') {
      await files.retryAside();
      await tell(channel, record);
      move({ ended: true });
    } else await tell(channel, record);
  };

  return {
    create,
    async sendSome() {
      const { records, end, damaged } = store.read(store.position().offset);
      if (records.length === 0 && damaged === 0) return false;
      let nextLine = store.position().next_line ?? 0;
      for (const group of groupsOf(records)) {
        await sendPoints(
          channel,
          group.filter((record) => record[0] === 'metrics'),
        );
        const lines = group.filter((record) => record[0] === 'line');
        nextLine = await sendLines(channel, lines, nextLine);
        await sendMedia(group.filter((record) => record[0] === 'media'));
        const last = group.at(-1);
        if (last !== undefined) await sendInPlace(last);
        if (last?.[0] === 'run') nextLine = store.position().next_line ?? 0;
      }
      move({ offset: end, next_line: nextLine, damaged: store.position().damaged + damaged });
      return true;
    },
    retryAside: files.retryAside,
    async heartbeat() {
      if (store.position().created) await channel.ask(HeartbeatDocument, { run: runId });
    },
    async settleServer() {
      const { server } = store.position();
      if (server === '' || server === transport.url) return;
      const { run } = await transport.ask(FindKeptDocument, { id: runId });
      if (run?.endedAt != null) return move({});
      channel.here = new Set(run?.artifacts.map(({ name }) => name));
      channel.earlierServer = server;
      store.restart();
    },
    goesOn: () => move({ next_line: 0 }),
    ended: () => store.position().ended,
    elsewhere: () =>
      channel.earlierServer === null ? null : { server: channel.earlierServer, files: [...channel.gone].sort() },
  };
}

/** Sends a record that is one question to the server, and puts it away where it is refused. */
async function tell(channel: Channel, record: JournalRecord): Promise<void> {
  const reason = await answerTo(channel, record);
  if (reason !== null) channel.refuse(record, reason);
}

async function answerTo({ ask, tellRegistry, runId: run }: Channel, record: JournalRecord): Promise<string | null> {
  switch (record[0]) {
    case 'parameters':
      return await ask(AddParametersDocument, { run, parameters: record[1] });
    case 'describe':
      return await ask(DescribeRunDocument, { input: { ...record[1], id: run } });
    case 'define':
      return await ask(DefineMetricsDocument, { run, definitions: [record[1]] });
    case 'alert': {
      const [, , level, title, text, id] = record;
      const shown = { title: title.slice(0, LONGEST_TITLE), text: text.slice(0, LONGEST_TEXT) };
      return await ask(RaiseAlertDocument, { run, id, level, ...shown });
    }
    case 'use':
      return await tellRegistry(UseVersionDocument, { run, version: record[1] });
    case 'end':
      return await ask(FinishRunDocument, { run, state: record[1], message: record[2] });
    default:
      return null;
  }
}
