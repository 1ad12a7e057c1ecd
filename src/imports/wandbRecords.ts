import { parseLooseJson } from './looseNumbers.ts';
import { MessageReader } from './protobuf.ts';

// Field numbers of wandb/proto/wandb_internal.proto.

/** A name, with the names of what it lies in, and its value. */
export interface WandbItem {
  path: string[];
  value: unknown;
}

export interface WandbRunRecord {
  id: string;
  entity: string;
  project: string;
  name: string;
  notes: string;
  group: string;
  jobType: string;
  host: string;
  tags: string[];
  config: WandbItem[];
  startedMs: number | null;
}

export type WandbRecord =
  | { type: 'run'; run: WandbRunRecord }
  | { type: 'history'; step: number | null; items: WandbItem[] }
  | { type: 'summary'; items: WandbItem[] }
  | { type: 'config'; items: WandbItem[] }
  | { type: 'stats'; timeMs: number; items: WandbItem[] }
  | { type: 'output'; error: boolean; timeMs: number; text: string }
  | { type: 'exit'; code: number };

/** A record of a run; null for kinds that say nothing of interest here. @throws MalformedMessage. */
export function readWandbRecord(bytes: Uint8Array): WandbRecord | null {
  const reader = new MessageReader(bytes);
  let record: WandbRecord | null = null;
  while (reader.next()) {
    const { field, wire } = reader;
    if (wire !== 2) reader.skip();
    else if (field === 2) record = readHistory(reader.message());
    else if (field === 3) record = { type: 'summary', items: readItems(reader.message()) };
    else if (field === 4 || field === 13) record = readOutput(reader.message());
    else if (field === 5) record = { type: 'config', items: readItems(reader.message()) };
    else if (field === 7) record = readStats(reader.message());
    else if (field === 17) record = { type: 'run', run: readRun(reader.message()) };
    else if (field === 18) record = { type: 'exit', code: readExit(reader.message()) };
    else reader.skip();
  }
  return record;
}

function readItem(reader: MessageReader): WandbItem {
  const item: WandbItem = { path: [], value: undefined };
  let key = '';
  while (reader.next()) {
    const { field, wire } = reader;
    if (field === 1 && wire === 2) key = reader.text();
    else if (field === 2 && wire === 2) item.path.push(reader.text());
    else if (field === 4 && wire === 0) item.value = reader.varint() !== 0;
    else if (field === 5 && wire === 0) item.value = reader.int64();
    else if (field === 6 && wire === 1) item.value = reader.double();
    else if (field === 7 && wire === 2) item.value = reader.text();
    else if ((field === 16 || field === 8) && wire === 2) item.value = parsed(reader.text());
    else reader.skip();
  }
  if (item.path.length === 0) item.path = [key];
  return item;
}

function parsed(text: string): unknown {
  try {
    return parseLooseJson(text);
  } catch {
    return undefined;
  }
}

function readItems(reader: MessageReader): WandbItem[] {
  const items: WandbItem[] = [];
  while (reader.next()) {
    if (reader.field === 1 && reader.wire === 2) items.push(readItem(reader.message()));
    else reader.skip();
  }
  return items;
}

function readHistory(reader: MessageReader): WandbRecord {
  const items: WandbItem[] = [];
  let step: number | null = null;
  while (reader.next()) {
    if (reader.field === 1 && reader.wire === 2) items.push(readItem(reader.message()));
    else if (reader.field === 2 && reader.wire === 2) step = readNumber(reader.message(), 1);
    else reader.skip();
  }
  return { type: 'history', step, items };
}

/** A whole number in a field of a message; 0 where it is left out. */
function readNumber(reader: MessageReader, field: number): number {
  let value = 0;
  while (reader.next()) {
    if (reader.field === field && reader.wire === 0) value = reader.int64();
    else reader.skip();
  }
  return value;
}

const readExit = (reader: MessageReader): number => readNumber(reader, 1);

/** Seconds and nanoseconds, as Unix milliseconds. */
function readTime(reader: MessageReader): number {
  let [seconds, nanoseconds] = [0, 0];
  while (reader.next()) {
    if (reader.field === 1 && reader.wire === 0) seconds = reader.int64();
    else if (reader.field === 2 && reader.wire === 0) nanoseconds = reader.int64();
    else reader.skip();
  }
  return seconds * 1000 + Math.round(nanoseconds / 1e6);
}

function readOutput(reader: MessageReader): WandbRecord {
  const output = { type: 'output' as const, error: true, timeMs: 0, text: '' };
  while (reader.next()) {
    if (reader.field === 1 && reader.wire === 0) output.error = reader.varint() === 0;
    else if (reader.field === 2 && reader.wire === 2) output.timeMs = readTime(reader.message());
    else if (reader.field === 3 && reader.wire === 2) output.text = reader.text();
    else reader.skip();
  }
  return output;
}

function readStats(reader: MessageReader): WandbRecord {
  const stats = { type: 'stats' as const, timeMs: 0, items: [] as WandbItem[] };
  while (reader.next()) {
    if (reader.field === 2 && reader.wire === 2) stats.timeMs = readTime(reader.message());
    else if (reader.field === 3 && reader.wire === 2) stats.items.push(readItem(reader.message()));
    else reader.skip();
  }
  return stats;
}

function readRun(reader: MessageReader): WandbRunRecord {
  const run: WandbRunRecord = {
    id: '',
    entity: '',
    project: '',
    name: '',
    notes: '',
    group: '',
    jobType: '',
    host: '',
    tags: [],
    config: [],
    startedMs: null,
  };
  const texts: Readonly<Record<number, 'id' | 'entity' | 'project' | 'name' | 'notes' | 'group' | 'jobType' | 'host'>> =
    {
      1: 'id',
      2: 'entity',
      3: 'project',
      6: 'group',
      7: 'jobType',
      8: 'name',
      9: 'notes',
      13: 'host',
    };
  while (reader.next()) {
    const { field, wire } = reader;
    const name = texts[field];
    if (wire !== 2) reader.skip();
    else if (name !== undefined) run[name] = reader.text();
    else if (field === 4) run.config = readItems(reader.message());
    else if (field === 10) run.tags.push(reader.text());
    else if (field === 17) run.startedMs = readTime(reader.message());
    else reader.skip();
  }
  return run;
}
