import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes that are written at once. */
const CHUNK_BYTES = 1 << 20;
/** A record of one number is much shorter. */
const RECORD_BYTES = 512;
const VERSION = 'brain.Event:2';

/** CRC-32C a byte at a time (RFC 3720, appendix B.4), which owes nothing to what reads the file. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0x82f63b78 : 0);
  return value;
});

/** TensorFlow's masked checksum (`lib/hash/crc32c.h`). */
function masked(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255]!;
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** A whole number from 0 to below 2^31 as protobuf's varint. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** A field of bytes with their length. */
function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(content.length)]), content]);
}

function number64(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(9, (number << 3) | 1);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function number32(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(5, (number << 3) | 5);
  bytes.writeFloatLE(value, 1);
  return bytes;
}

/** One scalar of one tag, as PyTorch and tensorboardX write it: `Event` with a `Summary` of a `simple_value`. */
export interface ScalarEvent {
  tag: string;
  step: number;
  value: number;
  /** Seconds since 1970. */
  wallTime: number;
}

/** Writes an event file of TensorBoard's: TFRecords of `Event` messages (tensorflow/core/util/event.proto). */
export function writeEventFile(path: string, events: Iterable<ScalarEvent>): void {
  const file = openSync(path, 'w');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let held = 0;
  const record = (message: Buffer) => {
    if (held + RECORD_BYTES > CHUNK_BYTES) {
      writeSync(file, chunk, 0, held);
      held = 0;
    }
    const start = held;
    chunk.writeBigUInt64LE(BigInt(message.length), start);
    chunk.writeUInt32LE(masked(chunk.subarray(start, start + 8)), start + 8);
    chunk.set(message, start + 12);
    held = chunk.writeUInt32LE(masked(message), start + 12 + message.length);
  };
  try {
    record(Buffer.concat([number64(1, 1.7e9), field(3, Buffer.from(VERSION))]));
    for (const { tag, step, value, wallTime } of events) {
      const summary = field(1, Buffer.concat([field(1, Buffer.from(tag)), number32(2, value)]));
      record(Buffer.concat([number64(1, wallTime), Buffer.from([2 << 3, ...varint(step)]), field(5, summary)]));
    }
    writeSync(file, chunk, 0, held);
  } finally {
    closeSync(file);
  }
}
