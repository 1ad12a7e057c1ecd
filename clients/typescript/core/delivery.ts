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
import { isAllThere, type LinesThere, linesThere, withoutThose } from './arrived.ts';
import { type Channel, channelOf, isRestored } from './channel.ts';
import { Refused, Restored, RunEnded, Unreachable } from './failures.ts';
import { groupsOf } from './groups.ts';
import type { JournalRecord } from './records.ts';
import type { RecordStore } from './recordStore.ts';
import { fileSender } from './sendFiles.ts';
import { mediaSender } from './sendMedia.ts';
import { LONGEST_LINE, sendLines, sendPoints } from './sendPoints.ts';
import type { Transport } from './transport.ts';
import { warnOnce } from './warn.ts';

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
  /** Whether the server has all of a journal of which nothing is known to be sent; then it is. @throws Unreachable or Refused */
  isAllThere(): Promise<boolean>;
  /** The run is in its next attempt, whose lines count from 0. */
  goesOn(): void;
  /** Whether the run's end is sent. */
  ended(): boolean;
  /** The other server that has got a part, and files that went there and are not here any more. */
  elsewhere(): { server: string; files: readonly string[] } | null;
}

export interface DeliveryOptions {
  /** Of the run, instead of the one that its program named. */
  project?: string | undefined;
  /** Whether this program writes the journal, so that no copy of it was sent. */
  isOwn?: boolean;
}

/**
 * Takes records to the server. The API keeps the first of two points with one name and step and of two lines with one
 * number, so that a request whose answer was lost is sent again without harm.
 */
export function deliveryOf(
  store: RecordStore,
  transport: Transport,
  runId: string,
  { project, isOwn = false }: DeliveryOptions = {},
): Delivery {
  const channel = channelOf(store, transport, runId);
  const { move } = channel;
  const files = fileSender(channel);
  const sendMedia = mediaSender(channel);
  /** Lines that the server has had from a copy of this journal. */
  let there: LinesThere = new Map();

  const create: Delivery['create'] = async (input) => {
    const { createRun } = await transport.ask(CreateRunDocument, { input });
    channel.checkEpoch();
    if (!store.position().created) {
      // another copy of this journal may have been sent
      if (createRun.nextLogLine > 0 && !isOwn) there = await linesThere(transport, runId, LONGEST_LINE);
      move({ created: true, next_line: createRun.nextLogLine, first_line: createRun.nextLogLine });
    }
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
      await tellLost(channel);
      await tell(channel, record);
      move({ ended: true });
    } else await tell(channel, record);
  };

  const beginAnew = async (): Promise<void> => {
    warnOnce(`${transport.url} was restored from a backup: all of the run is sent again`);
    const { created, first_line, refused } = store.position();
    const found = await transport.ask(FindKeptDocument, { id: runId }).catch((error: unknown) => {
      if (error instanceof Refused) return null;
      throw error;
    });
    channel.here = new Set(found?.run?.artifacts.map(({ name }) => name));
    channel.earlierServer = `${transport.url} before its restore`;
    store.restart();
    move({ created, first_line, next_line: first_line, refused, epoch: transport.epoch() });
  };

  const orAnew = async <Result>(act: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      channel.checkEpoch();
      return await act();
    } catch (error) {
      if (!(error instanceof Restored)) throw error;
      await beginAnew();
      return otherwise;
    }
  };

  const sendNext = async (): Promise<boolean> => {
    const { records, end, damaged } = store.read(store.position().offset);
    if (records.length === 0 && damaged === 0) return false;
    let nextLine = store.position().next_line ?? 0;
    for (const group of groupsOf(records)) {
      await guarded(
        channel,
        group.filter((record) => record[0] === 'metrics'),
        (points) => sendPoints(channel, points),
      );
      const lines = withoutThose(
        group.filter((record) => record[0] === 'line'),
        there,
        LONGEST_LINE,
      );
      nextLine = await sendLines(channel, lines, nextLine);
      await guarded(
        channel,
        group.filter((record) => record[0] === 'media'),
        sendMedia,
      );
      const last = group.at(-1);
      if (last !== undefined) await guarded(channel, [last], () => sendInPlace(last));
      if (last?.[0] === 'run') nextLine = store.position().next_line ?? 0;
    }
    move({ offset: end, next_line: nextLine, damaged: store.position().damaged + damaged });
    store.taken?.();
    return true;
  };

  return {
    create,
    sendSome: () => orAnew(sendNext, true),
    retryAside: files.retryAside,
    async heartbeat() {
      if (store.position().created) await orAnew(() => channel.ask(HeartbeatDocument, { run: runId }), null);
    },
    async settleServer() {
      if (store.position().server === transport.url && store.position().epoch !== '') {
        if (transport.epoch() === '') await transport.ask(FindKeptDocument, { id: runId }).catch(() => null);
        if (isRestored(store, transport)) await beginAnew();
        return;
      }
      const { server } = store.position();
      if (server === '' || server === transport.url) return;
      const { run } = await transport.ask(FindKeptDocument, { id: runId });
      if (run?.endedAt != null) return move({});
      channel.here = new Set(run?.artifacts.map(({ name }) => name));
      channel.earlierServer = server;
      store.restart();
    },
    goesOn: () => move({ next_line: 0 }),
    async isAllThere() {
      if (store.position().offset > 0 || !(await isAllThere(transport, runId, store, LONGEST_LINE))) return false;
      let end = 0;
      for (let next = store.read(0).end; next > end; next = store.read(end).end) end = next;
      move({ offset: end, created: true, ended: true });
      return true;
    },
    ended: () => store.position().ended,
    elsewhere: () =>
      channel.earlierServer === null ? null : { server: channel.earlierServer, files: [...channel.gone].sort() },
  };
}

/** Errors of this machine that pass by themselves: no more files or memory now. */
const PASSING: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN', 'EINTR']);

function isOfServer(error: unknown): boolean {
  return [Unreachable, RunEnded, Refused, Restored].some((kind) => error instanceof kind);
}

/** Sends records. One with which this machine cannot deal is put away as refused, and all others arrive. */
async function guarded<Kind extends JournalRecord>(
  channel: Channel,
  records: Kind[],
  send: (records: Kind[]) => Promise<void>,
): Promise<void> {
  try {
    if (records.length > 0) await send(records);
  } catch (error) {
    if (isOfServer(error)) throw error;
    if (error instanceof Error && 'code' in error && PASSING.has(error.code)) {
      throw new Unreachable(`this machine cannot send now: ${error.message}`);
    }
    if (records.length === 1) channel.refuse(records[0], String(error));
    else for (const record of records) await guarded(channel, [record], send);
  }
}

const MOST_NAMED = 20;

/** Says on the run's page what it has not got, for who looks there does not see what its program printed. */
async function tellLost({ ask, refused, gone, runId }: Channel): Promise<void> {
  const lost = [...refused, ...[...gone].sort().map((name) => `the file ${name}`)];
  if (lost.length === 0) return;
  const more = lost.length > MOST_NAMED ? ` and ${lost.length - MOST_NAMED} more` : '';
  const text = `${lost.slice(0, MOST_NAMED).join(', ')}${more}`.slice(0, LONGEST_TEXT);
  // it comes once, however often the end is sent
  await ask(RaiseAlertDocument, {
    run: runId,
    id: `losses-${runId}`,
    level: 'error',
    title: 'Not all of the run arrived',
    text,
  });
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
