import type {
  AlertLevel,
  CreateRunInput,
  LogLevel,
  MediaKind,
  MetricDefinitionInput,
  RegisterVersionInput,
  RunState,
  UpdateRunInput,
} from '../generated/api.ts';

/** A metric's value as JSON has it: NaN and the infinities are words. */
export type WireValue = number | 'NaN' | 'Infinity' | '-Infinity';

export interface KeptMedia {
  index: number;
  kind: MediaKind;
  caption: string;
  metadata: Record<string, unknown>;
  sha256?: string;
  type?: string;
  /** The name under which its content is kept beside the journal. */
  file?: string;
}

export interface JournalHeader {
  mode: 'online' | 'offline';
  server: string;
  /** Whether the program asked to go on with a run that is there. */
  resume?: boolean;
}

/** One line of a journal, the same as the Python client's. Times are milliseconds since 1970. */
export type JournalRecord =
  | ['run', CreateRunInput & { id: string }, JournalHeader]
  | ['metrics', step: number, time: number, numbers: Record<string, WireValue>]
  | ['line', time: number, level: LogLevel, text: string]
  | ['media', name: string, step: number, time: number, items: KeptMedia[]]
  | ['alert', time: number, level: AlertLevel, title: string, text: string, id: string]
  | ['parameters', Record<string, unknown>]
  | ['describe', Omit<UpdateRunInput, 'id'>]
  | ['define', MetricDefinitionInput]
  | ['artifact', name: string, file: string, mediaType: string]
  | ['register', Omit<RegisterVersionInput, 'runId'>]
  | ['use', version: string]
  | ['end', RunState, message: string | null];

/** Up to where a journal is sent; the keys are those of the Python client's `.sent` file. */
export interface Position {
  offset: number;
  next_line: number | null;
  created: boolean;
  refused: number;
  ended: boolean;
  /** Lines that were no records, as a damaged disk leaves them: what stood in them is lost. */
  damaged: number;
  /** The server that has it; another one has nothing of it yet. Empty where it was not written down. */
  server: string;
  /** Of the server, new with every restore from a backup. */
  epoch: string;
  /** Number in the run of the first line of output. */
  first_line: number;
}

export const START: Position = {
  offset: 0,
  next_line: null,
  created: false,
  refused: 0,
  ended: false,
  damaged: 0,
  server: '',
  epoch: '',
  first_line: 0,
};

const SHAPES: Record<JournalRecord[0], readonly string[]> = {
  run: ['object', 'object'],
  metrics: ['number', 'number', 'object'],
  line: ['number', 'string', 'string'],
  media: ['string', 'number', 'number', 'object'],
  alert: ['number', 'string', 'string', 'string', 'string'],
  parameters: ['object'],
  describe: ['object'],
  define: ['object'],
  artifact: ['string', 'string', 'string'],
  register: ['object'],
  use: ['string'],
  end: ['string'],
};

/** The record that a line of a journal holds; null where it is torn. Python writes NaN and the infinities bare. */
export function recordOf(line: string): JournalRecord | null {
  const value = parsed(line) ?? parsed(line.replace(/"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g, quoted));
  return isRecord(value) ? value : null;
}

function quoted(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is JournalRecord {
  if (!Array.isArray(value)) return false;
  const shape = Object.entries(SHAPES).find(([kind]) => kind === value[0])?.[1];
  return shape?.every((type, place) => value[place + 1] !== null && typeof value[place + 1] === type) ?? false;
}
