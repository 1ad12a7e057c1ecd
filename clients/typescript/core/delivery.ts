import {
  AddParametersDocument,
  CreateRunDocument,
  type CreateRunInput,
  type CreateRunMutation,
  DefineMetricsDocument,
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
import type { JournalRecord, KeptMedia, Position, WireValue } from './records.ts';
import { Refused, Unreachable } from './failures.ts';
import type { Transport } from './transport.ts';
import { warn } from './warn.ts';

const MOST_LINES = 2000;
const MOST_MEDIA = 200;
const MOST_RECORDS = 5000;
const LONGEST_LINE = 20_000;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 10_000;
/** The server may take the same request later: a token is given or a deleted run restored. */
const WAITS = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/** The run has ended at the server: somebody cancelled it, or finished it elsewhere. */
export class RunEnded extends Error {}

/** Where records wait until the server has them: files, or a page's memory. */
export interface RecordStore extends AsideStore {
  /** Whole records from an offset on, and the offset after them. */
  read(offset: number): { records: JournalRecord[]; end: number };
  position(): Position;
  move(position: Position): void;
  /** A content that a record names; null where it is gone, which it is once the server has it. */
  content(file: string): Promise<Blob | null>;
  /** Keeps a record that the server refuses for good. */
  refuse(record: unknown, reason: string): void;
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
}

type Metrics = Extract<JournalRecord, ['metrics', ...unknown[]]>;

/**
 * Takes records to the server. The API keeps the first of two points with one name and step and of two lines with one
 * number, so that a request whose answer was lost is sent again without harm.
 * @param project Of the run, instead of the one that its program named.
 */
export function deliveryOf(store: RecordStore, transport: Transport, runId: string, project?: string): Delivery {
  const contents = new Set<string>();
  const aside = asideList(store);
  const move = (changes: Partial<Position>): void => store.move({ ...store.position(), ...changes });

  const refuse = (record: unknown, reason: string): void => {
    if (store.position().refused === 0) warn(`the server refuses a record: ${reason}`);
    store.refuse(record, reason);
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

  const sendContent = async (item: KeptMedia): Promise<boolean> => {
    const { sha256, file, type = 'application/octet-stream' } = item;
    if (file === undefined || sha256 === undefined || contents.has(sha256)) return true;
    const content = await store.content(file);
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
        if (!(await sendContent({ ...item, ...(file && { file }), ...(type && { type }) }))) continue;
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
    if (record[0] === 'run') await create(project === undefined ? record[1] : { ...record[1], project });
    else if (record[0] === 'parameters')
      reason = await ask(AddParametersDocument, { run: runId, parameters: record[1] });
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
      const { records, end } = store.read(store.position().offset);
      if (records.length === 0) return false;
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
      move({ offset: end, next_line: nextLine });
      return true;
    },
    retryAside,
    async heartbeat() {
      if (store.position().created) await ask(HeartbeatDocument, { run: runId });
    },
  };
}

/** Records that may travel together: a group ends with what must keep its place, or when it is large. */
function groupsOf(records: JournalRecord[]): JournalRecord[][] {
  const groups: JournalRecord[][] = [[]];
  for (const record of records) {
    const group = groups.at(-1) ?? [];
    group.push(record);
    if (!['metrics', 'line', 'media'].includes(record[0]) || group.length >= MOST_RECORDS) groups.push([]);
  }
  return groups;
}

function columnsOf(records: Metrics[]) {
  const columns = new Map<string, { name: string; steps: number[]; values: WireValue[]; times: number[] }>();
  for (const [, step, time, numbers] of records) {
    for (const [name, value] of Object.entries(numbers)) {
      const column = columns.get(name) ?? { name, steps: [], values: [], times: [] };
      columns.set(name, column);
      column.steps.push(step);
      column.values.push(value);
      column.times.push(time);
    }
  }
  return [...columns.values()];
}

/** The reason of a refusal that stands for good. @throws what may pass, RunEnded, and defects */
function judged(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  if (WAITS.has(error.code)) throw new Unreachable(error.message);
  if (error.code === 'CONFLICT') throw new RunEnded(error.message);
  return error.message;
}
