import type { MediaKind } from '../generated/api.ts';
import { type CanvasPixels, type Pixels, pngOf } from './png.ts';
import { plainJson } from './values.ts';

const MOST_BINS = 512;
/** Characters of a text that need no content of their own; of a longer one so many stand in its metadata. */
const SHORT_TEXT = 5_000;

/** A thing to look at as it goes to the server; `content` is null where the metadata is all of it. */
export interface Packed {
  kind: MediaKind;
  caption: string;
  metadata: Record<string, unknown>;
  content: Uint8Array<ArrayBuffer> | null;
  type: string;
}

export interface Caption {
  caption?: string;
}

/** What all things to look at have in common: bytes, taken when they are made. */
export class Media {
  constructor(readonly packed: Packed) {}
}

/** A picture: the bytes of a file, its path (in Node), a canvas's ImageData, or rows of pixels. */
export class Image extends Media {
  constructor(data: string | Uint8Array | Pixels | CanvasPixels, { caption = '' }: Caption = {}) {
    if (typeof data === 'string' || data instanceof Uint8Array) {
      const content = bytesOf(data);
      super({ kind: 'image', caption, metadata: {}, content, type: pictureType(content) });
    } else {
      const { content, width, height } = pngOf(data);
      super({ kind: 'image', caption, metadata: { width, height }, content, type: 'image/png' });
    }
  }
}

/** Rows under column names. */
export class Table extends Media {
  readonly columns: readonly string[];
  readonly data: readonly (readonly unknown[])[];

  constructor({
    columns,
    data = [],
    caption = '',
  }: { columns: readonly string[]; data?: readonly (readonly unknown[])[] } & Caption) {
    const wrong = data.find((row) => row.length !== columns.length);
    if (wrong) throw new RangeError(`Table: a row has ${wrong.length} cells, ${columns.length} columns are declared`);
    const metadata = { columns: columns.slice(0, 100), rows: data.length };
    super({ kind: 'table', caption, metadata, content: json({ columns, data }), type: 'application/json' });
    this.columns = columns;
    this.data = data;
  }
}

/** Counts of values in bins: of numbers, or of counts and edges that are there already. */
export class Histogram extends Media {
  constructor(
    values: ArrayLike<number> | { counts: readonly number[]; edges: readonly number[] },
    { bins = 64, caption = '' }: Caption & { bins?: number } = {},
  ) {
    if (!(Number.isInteger(bins) && bins >= 1 && bins <= MOST_BINS)) {
      throw new RangeError(`Histogram: bins is ${bins}, expected 1 to ${MOST_BINS}`);
    }
    const { counts, edges } = 'counts' in values ? values : counted(values, bins);
    if (edges.length !== counts.length + 1 || counts.length < 1 || counts.length > MOST_BINS) {
      throw new RangeError(
        `Histogram: ${counts.length} counts and ${edges.length} edges; expected one edge more, and 1 to ${MOST_BINS} counts`,
      );
    }
    super({ kind: 'histogram', caption, metadata: { edges, counts }, content: null, type: '' });
  }
}

/** A page. Scripts in it do not run when it is shown. */
export class Html extends Media {
  constructor(text: string, { caption = '' }: Caption = {}) {
    super({ kind: 'html', caption, metadata: {}, content: encoded(text), type: 'text/html' });
  }
}

/** Plain text. */
export class Text extends Media {
  constructor(text: string, { caption = '' }: Caption = {}) {
    const metadata = { text: text.slice(0, SHORT_TEXT) };
    super({
      kind: 'text',
      caption,
      metadata,
      content: text.length > SHORT_TEXT ? encoded(text) : null,
      type: 'text/plain',
    });
  }
}

/** Sound: the bytes of a WAV, MP3, Ogg or FLAC file, or its path (in Node). */
export class Audio extends Media {
  constructor(data: string | Uint8Array, { caption = '', type = 'audio/wav' }: Caption & { type?: string } = {}) {
    super({ kind: 'audio', caption, metadata: {}, content: bytesOf(data), type });
  }
}

/** Moving pictures: the bytes of an MP4 or WebM file, or its path (in Node). */
export class Video extends Media {
  constructor(data: string | Uint8Array, { caption = '', type = 'video/mp4' }: Caption & { type?: string } = {}) {
    super({ kind: 'video', caption, metadata: {}, content: bytesOf(data), type });
  }
}

interface ChartOptions extends Caption {
  kind?: 'vegaLite' | 'plotly' | 'echarts';
  table?: Table | null;
}

/** A chart as JSON: a Vega-Lite specification, a Plotly figure, or an ECharts option. */
export class Chart extends Media {
  /** What it was drawn from, which is logged with it. */
  readonly table: Table | null;

  constructor(
    spec: Readonly<Record<string, unknown>>,
    { caption = '', kind = chartKind(spec), table = null }: ChartOptions = {},
  ) {
    super({ kind, caption, metadata: {}, content: json(spec), type: 'application/json' });
    this.table = table;
  }
}

/** The thing to look at that a logged value is: a text is one, too. Null for all else. */
export function mediaOf(value: unknown): Media | null {
  if (typeof value === 'string') return new Text(value);
  return value instanceof Media ? value : null;
}

function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof data !== 'string') return new Uint8Array(data);
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) throw new TypeError('a browser reads no files: give the bytes as a Uint8Array');
  return new Uint8Array(fs.readFileSync(data));
}

/** The type that the first bytes of a picture say. */
function pictureType(content: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(content.subarray(0, 1000));
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp';
  return start.includes('<svg') ? 'image/svg+xml' : 'image/png';
}

function chartKind(spec: Readonly<Record<string, unknown>>): 'vegaLite' | 'plotly' | 'echarts' {
  if (String(spec.$schema ?? '').includes('vega') || 'mark' in spec) return 'vegaLite';
  if (Array.isArray(spec.data)) return 'plotly';
  return 'series' in spec ? 'echarts' : 'vegaLite';
}

/** As numpy.histogram: bins of one width, the last one closed. What is not finite is left out. */
export function counted(values: ArrayLike<number>, bins: number): { counts: number[]; edges: number[] } {
  const finite = Array.from(values).filter(Number.isFinite);
  let low = finite.reduce((least, value) => Math.min(least, value), finite[0] ?? 0);
  let high = finite.reduce((most, value) => Math.max(most, value), finite[0] ?? 1);
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const width = (high - low) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const value of finite) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { counts, edges: [...counts.map((_, i) => low + i * width), high] };
}

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return encoded(JSON.stringify(plainJson(value)));
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
