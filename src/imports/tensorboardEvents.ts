import { MalformedMessage, MessageReader } from './protobuf.ts';

// Field numbers of tensorflow/core/util/event.proto, framework/summary.proto, framework/tensor.proto and, for
// hyperparameters, tensorboard/plugins/hparams/plugin_data.proto.

// Bytes of a record become many more in memory. What is beyond is none of what summaries show.
const MOST_NUMBERS = 1 << 20;
const MOST_TEXTS = 1 << 14;
const MOST_VALUES = 1 << 18;

/** A tensor as far as summaries use them. */
export interface Tensor {
  shape: number[];
  numbers: number[];
  texts: Uint8Array[];
}

export interface Histogram {
  minimum: number;
  maximum: number;
  /** Right edges of the bins. */
  limits: number[];
  counts: number[];
}

export interface SummaryValue {
  tag: string;
  plugin: string;
  /** What the plugin says of itself; empty for most. */
  pluginContent: Uint8Array | null;
  number: number | null;
  image: Uint8Array | null;
  audio: Uint8Array | null;
  histogram: Histogram | null;
  tensor: Tensor | null;
  /** Its tensor or histogram has more numbers or texts than are read. */
  tooLarge: boolean;
}

export interface SummaryEvent {
  /** Unix seconds. */
  wallTime: number;
  step: number;
  values: SummaryValue[];
}

/** An event of an event file. @throws MalformedMessage. */
export function readEvent(bytes: Uint8Array): SummaryEvent {
  const event: SummaryEvent = { wallTime: 0, step: 0, values: [] };
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    if (reader.field === 1 && reader.wire === 1) event.wallTime = reader.double();
    else if (reader.field === 2 && reader.wire === 0) event.step = reader.int64();
    else if (reader.field === 5 && reader.wire === 2) readSummary(reader.message(), event.values);
    else reader.skip();
  }
  return event;
}

function readSummary(reader: MessageReader, values: SummaryValue[]): void {
  while (reader.next()) {
    if (reader.field === 1 && reader.wire === 2) values.push(readValue(reader.message()));
    else reader.skip();
    if (values.length > MOST_VALUES) throw new MalformedMessage(`it has more than ${MOST_VALUES} values`);
  }
}

function readValue(reader: MessageReader): SummaryValue {
  const value: SummaryValue = {
    tag: '',
    plugin: '',
    pluginContent: null,
    number: null,
    image: null,
    audio: null,
    histogram: null,
    tensor: null,
    tooLarge: false,
  };
  while (reader.next()) {
    const { field, wire } = reader;
    if (field === 1 && wire === 2) value.tag = reader.text();
    else if (field === 2 && wire === 5) value.number = reader.float();
    else if (field === 4 && wire === 2) value.image = bytesOf(reader.message(), 4);
    else if (field === 5 && wire === 2) value.histogram = readHistogram(reader.message());
    else if (field === 6 && wire === 2) value.audio = bytesOf(reader.message(), 4);
    else if (field === 8 && wire === 2) value.tensor = readTensor(reader.message());
    else if (field === 9 && wire === 2) readMetadata(reader.message(), value);
    else reader.skip();
  }
  const { tensor, histogram } = value;
  const numbers = Math.max(tensor?.numbers.length ?? 0, histogram?.limits.length ?? 0, histogram?.counts.length ?? 0);
  value.tooLarge = numbers > MOST_NUMBERS || (tensor?.texts.length ?? 0) > MOST_TEXTS;
  return value;
}

/** The bytes of one field of a message; of several, the last. */
function bytesOf(reader: MessageReader, field: number): Uint8Array | null {
  let found: Uint8Array | null = null;
  while (reader.next()) {
    if (reader.field === field && reader.wire === 2) found = reader.data();
    else reader.skip();
  }
  return found;
}

function readMetadata(reader: MessageReader, value: SummaryValue): void {
  while (reader.next()) {
    if (reader.field !== 1 || reader.wire !== 2) {
      reader.skip();
      continue;
    }
    const plugin = reader.message();
    while (plugin.next()) {
      if (plugin.field === 1 && plugin.wire === 2) value.plugin = plugin.text();
      else if (plugin.field === 2 && plugin.wire === 2) value.pluginContent = plugin.data();
      else plugin.skip();
    }
  }
}

function readHistogram(reader: MessageReader): Histogram {
  const histogram: Histogram = { minimum: 0, maximum: 0, limits: [], counts: [] };
  while (reader.next()) {
    const { field, wire } = reader;
    if (field === 1 && wire === 1) histogram.minimum = reader.double();
    else if (field === 2 && wire === 1) histogram.maximum = reader.double();
    else if (field === 6) reader.numbers((numbers) => numbers.double(), histogram.limits, MOST_NUMBERS);
    else if (field === 7) reader.numbers((numbers) => numbers.double(), histogram.counts, MOST_NUMBERS);
    else reader.skip();
  }
  return histogram;
}

/** Bytes of an entry of `tensor_content`, and how to read one, by TensorFlow's number of the type. */
const CONTENT: Readonly<Record<number, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  1: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  2: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  3: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  4: { bytes: 1, read: (view, at) => view.getUint8(at) },
  9: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  14: { bytes: 2, read: (view, at) => bfloat(view.getUint16(at, true)) },
  19: { bytes: 2, read: (view, at) => half(view.getUint16(at, true)) },
};

const FLOAT16 = 19;

function readTensor(reader: MessageReader): Tensor {
  const tensor: Tensor = { shape: [], numbers: [], texts: [] };
  let type = 0;
  let content: Uint8Array | null = null;
  while (reader.next()) {
    const { field, wire } = reader;
    if (field === 1 && wire === 0) type = reader.varint();
    else if (field === 2 && wire === 2) readShape(reader.message(), tensor.shape);
    else if (field === 4 && wire === 2) content = reader.data();
    else if (field === 5) reader.numbers((numbers) => numbers.float(), tensor.numbers, MOST_NUMBERS);
    else if (field === 6) reader.numbers((numbers) => numbers.double(), tensor.numbers, MOST_NUMBERS);
    else if (field === 7 || field === 10) reader.numbers((numbers) => numbers.int64(), tensor.numbers, MOST_NUMBERS);
    else if (field === 11) reader.numbers((numbers) => numbers.varint(), tensor.numbers, MOST_NUMBERS);
    else if (field === 13) {
      const decode = type === FLOAT16 ? half : bfloat;
      reader.numbers((numbers) => decode(numbers.varint() % 65_536), tensor.numbers, MOST_NUMBERS);
    } else if (field === 8 && wire === 2 && tensor.texts.length <= MOST_TEXTS) tensor.texts.push(reader.data());
    else reader.skip();
  }
  const kind = CONTENT[type];
  if (content !== null && kind !== undefined) {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    const end = Math.min(content.length, (MOST_NUMBERS + 1) * kind.bytes);
    for (let at = 0; at + kind.bytes <= end; at += kind.bytes) tensor.numbers.push(kind.read(view, at));
  }
  return tensor;
}

function readShape(reader: MessageReader, shape: number[]): void {
  while (reader.next()) {
    if (reader.field !== 2 || reader.wire !== 2) {
      reader.skip();
      continue;
    }
    const dimension = reader.message();
    let size = 0;
    while (dimension.next()) {
      if (dimension.field === 1 && dimension.wire === 0) size = dimension.int64();
      else dimension.skip();
    }
    shape.push(size);
  }
}

const scratch = new DataView(new ArrayBuffer(4));

function bfloat(bits: number): number {
  scratch.setUint32(0, bits * 65_536);
  return scratch.getFloat32(0);
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

export interface HyperparameterSession {
  parameters: Record<string, unknown>;
  /** How the session ended; null where this does not say so. */
  status: 'SUCCEEDED' | 'FAILED' | null;
}

/** What the plugin `hparams` says of a run. @throws MalformedMessage. */
export function readHyperparameters(content: Uint8Array): HyperparameterSession {
  const session: HyperparameterSession = { parameters: {}, status: null };
  const reader = new MessageReader(content);
  while (reader.next()) {
    if (reader.field === 3 && reader.wire === 2) readSessionStart(reader.message(), session.parameters);
    else if (reader.field === 4 && reader.wire === 2) {
      const end = reader.message();
      while (end.next()) {
        if (end.field === 1 && end.wire === 0) {
          const status = end.varint();
          session.status = status === 1 ? 'SUCCEEDED' : status === 2 ? 'FAILED' : null;
        } else end.skip();
      }
    } else reader.skip();
  }
  return session;
}

function readSessionStart(reader: MessageReader, parameters: Record<string, unknown>): void {
  while (reader.next()) {
    if (reader.field !== 1 || reader.wire !== 2) {
      reader.skip();
      continue;
    }
    const entry = reader.message();
    let name = '';
    let value: unknown = null;
    while (entry.next()) {
      if (entry.field === 1 && entry.wire === 2) name = entry.text();
      else if (entry.field === 2 && entry.wire === 2) value = readAnyValue(entry.message());
      else entry.skip();
    }
    if (name !== '') parameters[name] = value;
  }
}

/** A number, text or truth value of google/protobuf/struct.proto. */
function readAnyValue(reader: MessageReader): unknown {
  let value: unknown = null;
  while (reader.next()) {
    if (reader.field === 2 && reader.wire === 1) value = reader.double();
    else if (reader.field === 3 && reader.wire === 2) value = reader.text();
    else if (reader.field === 4 && reader.wire === 0) value = reader.varint() !== 0;
    else reader.skip();
  }
  return value;
}
