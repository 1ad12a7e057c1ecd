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
  LogLinesDocument,
  LogMediaDocument,
  LogMetricsDocument,
  type MediaInput,
  RaiseAlertDocument,
  RegisterVersionDocument,
  type TypedDocumentString,
  UseVersionDocument,
} from '../generated/api.ts';
import { type Aside, type AsideStore, asideList, NO_ROOM } from './aside.ts';
import { judged, Refused, RunEnded } from './failures.ts';
import { columnsOf, groupsOf, type Metrics } from './groups.ts';
import type { JournalRecord, KeptMedia, Position } from './records.ts';
import type { Transport } from './transport.ts';
import { warn } from './warn.ts';

const MOST_LINES = 2000;
const MOST_MEDIA = 200;
const LONGEST_LINE = 20_000;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 10_000;

/** Where records wait until the server has them: files, or a page's memory. */
export interface RecordStore extends AsideStore {
  /** Whole records from an offset on, the offset after them, and how many lines between them are none. */
  read(offset: number): { records: JournalRecord[]; end: number; damaged: number };
  position(): Position;
  move(position: Position): void;
  /** As if nothing had been sent, until the position moves. */
  restart(): void;
  /** A content that a record names; null where it is gone, which it is once the server has it. */
  content(file: string): Promise<Blob | null>;
  /** Takes a record that the server refuses for good, and says what becomes of it. */
  refuse(record: unknown, reason: string): string;
}

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
  const contents = new Set<string>();
  const aside = asideList(store);
  const move = (changes: Partial<Position>): void =>
    store.move({ ...store.position(), server: transport.url, ...changes });
  let earlierServer: string | null = null;
  /** Files that the server has all the same: it may be the first one under another address. */
  let here = new Set<string>();
  const gone = new Set<string>();

  const refuse = (record: unknown, reason: string): void => {
    const kept = store.refuse(record, reason);
    if (store.position().refused === 0) warn(`the server refuses a record: ${reason} (${kept})`);
    move({ refused: store.position().refused + 1 });
  };

  /** Asks; where the server refuses, answers its reason. */
  const ask = async <Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<string | null> => {
    try {
      await transport.ask(document, variables);
      return null;
    } catch (error) {
      return judged(error);
    }
  };

  /** As `ask`: a conflict is one over names here, not the end of the run. */
  const tellRegistry: typeof ask = async (document, variables) => {
    try {
      await transport.ask(document, variables);
      return null;
    } catch (error) {
      const stands = error instanceof Refused && error.code !== 'UNAUTHENTICATED';
      return stands ? error.message : judged(error);
    }
  };

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

  const sendPoints = async (records: Metrics[]): Promise<void> => {
    if (records.length === 0) return;
    const reason = await ask(LogMetricsDocument, { run: runId, series: columnsOf(records) });
    if (reason === null) return;
    // one of them is refused: find out which, so that all others arrive
    const [[, step, time, numbers]] = records as [Metrics];
    const names = Object.keys(numbers);
    if (records.length > 1) {
      const middle = records.length >> 1;
      await sendPoints(records.slice(0, middle));
      await sendPoints(records.slice(middle));
    } else if (names.length > 1) {
      for (const name of names) await sendPoints([['metrics', step, time, { [name]: numbers[name] ?? 'NaN' }]]);
    } else refuse(records[0], reason);
  };

  const sendLines = async (
    records: Extract<JournalRecord, ['line', ...unknown[]]>[],
    first: number,
  ): Promise<number> => {
    for (let start = 0; start < records.length; start += MOST_LINES) {
      const part = records.slice(start, start + MOST_LINES);
      const lines = part.map(([, time, level, text]) => ({ time, level, text: text.slice(0, LONGEST_LINE) }));
      const reason = await ask(LogLinesDocument, { run: runId, from: first + start, lines });
      if (reason !== null) refuse(['lines', lines.length], reason);
    }
    return first + records.length;
  };

  const sendContent = async (name: string, item: KeptMedia): Promise<boolean> => {
    const { sha256, file, type = 'application/octet-stream' } = item;
    if (file === undefined || sha256 === undefined || contents.has(sha256)) return true;
    const content = await store.content(file);
    // uploaded before the position was written, unless another server has got it
    if (content === null && earlierServer !== null) {
      gone.add(name);
      return false;
    }
    const reason = content === null ? null : await uploaded(`media/${sha256}`, content, type);
    if (reason !== null) refuse(['media item', item], reason);
    else contents.add(sha256);
    return reason === null;
  };

  const uploaded = async (name: string, content: Blob, mediaType: string): Promise<string | null> => {
    try {
      await transport.upload(runId, name, content, mediaType);
      return null;
    } catch (error) {
      return judged(error);
    }
  };

  const sendFile = async (record: Extract<JournalRecord, ['artifact', ...unknown[]]>, waiting: Aside | null = null) => {
    const [, name, file, mediaType] = record;
    const content = await store.content(file);
    try {
      if (content !== null) await transport.upload(runId, name, content, mediaType, waiting?.since);
      else if (earlierServer !== null && !here.has(name)) gone.add(name);
      store.drop(file);
    } catch (error) {
      if (error instanceof Refused && NO_ROOM.has(error.code)) return aside.add(record, error.message, waiting);
      refuse(record, judged(error));
    }
    if (waiting !== null) aside.remove(waiting);
  };

  const retryAside = async (): Promise<void> => {
    for (const waiting of aside.entries()) {
      const { record } = waiting;
      if (record[0] === 'artifact') await sendFile(record, waiting);
      else if (record[0] === 'register' && !aside.holdsFilesOf(record[1].artifactName)) {
        aside.remove(waiting);
        await sendOther(record);
      }
    }
  };

  /** Contents first, then the records that name them: what is sent twice changes nothing. */
  const sendMedia = async (records: Extract<JournalRecord, ['media', ...unknown[]]>[]): Promise<void> => {
    const items: MediaInput[] = [];
    const files: string[] = [];
    for (const [, name, step, time, things] of records) {
      for (const { file, type, ...item } of things) {
        if (!(await sendContent(name, { ...item, ...(file && { file }), ...(type && { type }) }))) continue;
        if (file !== undefined) files.push(file);
        items.push({ name, step, time, ...item });
      }
    }
    for (let start = 0; start < items.length; start += MOST_MEDIA) {
      const part = items.slice(start, start + MOST_MEDIA);
      if ((await ask(LogMediaDocument, { run: runId, items: part })) === null) continue;
      for (const item of part) {
        const reason = await ask(LogMediaDocument, { run: runId, items: [item] });
        if (reason !== null) refuse(['media item', item], reason);
      }
    }
    for (const file of files) store.drop(file);
  };

  const sendOther = async (record: JournalRecord): Promise<void> => {
    let reason: string | null = null;
    if (record[0] === 'run') await begin(record[1]);
    else if (record[0] === 'parameters')
      reason = await ask(AddParametersDocument, { run: runId, parameters: record[1] });
    else if (record[0] === 'describe') reason = await ask(DescribeRunDocument, { input: { ...record[1], id: runId } });
    else if (record[0] === 'define')
      reason = await ask(DefineMetricsDocument, { run: runId, definitions: [record[1]] });
    else if (record[0] === 'alert') {
      const [, , level, title, text, id] = record;
      const shown = { title: title.slice(0, LONGEST_TITLE), text: text.slice(0, LONGEST_TEXT) };
      reason = await ask(RaiseAlertDocument, { run: runId, id, level, ...shown });
    } else if (record[0] === 'artifact') {
      aside.forgetOlder(record);
      await sendFile(record);
    } else if (record[0] === 'register' && aside.holdsFilesOf(record[1].artifactName)) {
      aside.add(record, 'it waits for its files');
    } else if (record[0] === 'register') {
      reason = await tellRegistry(RegisterVersionDocument, { input: { ...record[1], runId } });
    } else if (record[0] === 'use') {
      reason = await tellRegistry(UseVersionDocument, { run: runId, version: record[1] });
    } else if (record[0] === 'end') {
      await retryAside();
      reason = await ask(FinishRunDocument, { run: runId, state: record[1], message: record[2] });
      move({ ended: true });
    }
    if (reason !== null) refuse(record, reason);
  };

  return {
    create,
    async sendSome() {
      const { records, end, damaged } = store.read(store.position().offset);
      if (records.length === 0 && damaged === 0) return false;
      let nextLine = store.position().next_line ?? 0;
      for (const group of groupsOf(records)) {
        await sendPoints(group.filter((record) => record[0] === 'metrics'));
        nextLine = await sendLines(
          group.filter((record) => record[0] === 'line'),
          nextLine,
        );
        await sendMedia(group.filter((record) => record[0] === 'media'));
        const last = group.at(-1);
        if (last !== undefined) await sendOther(last);
        if (last?.[0] === 'run') nextLine = store.position().next_line ?? 0;
      }
      move({ offset: end, next_line: nextLine, damaged: store.position().damaged + damaged });
      return true;
    },
    retryAside,
    async heartbeat() {
      if (store.position().created) await ask(HeartbeatDocument, { run: runId });
    },
    async settleServer() {
      const { server } = store.position();
      if (server === '' || server === transport.url) return;
      const { run } = await transport.ask(FindKeptDocument, { id: runId });
      if (run?.endedAt != null) return move({});
      here = new Set(run?.artifacts.map(({ name }) => name));
      earlierServer = server;
      store.restart();
    },
    goesOn: () => move({ next_line: 0 }),
    ended: () => store.position().ended,
    elsewhere: () => (earlierServer === null ? null : { server: earlierServer, files: [...gone].sort() }),
  };
}
