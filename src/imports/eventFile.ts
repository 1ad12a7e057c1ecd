import { closeSync, openSync, readSync } from 'node:fs';
import { crc32c, maskedCrc32c } from './crc32c.ts';

/** Read at once. */
const CHUNK_BYTES = 1 << 20;
/** A longer record is taken for a broken length whose check happens to fit. */
const LONGEST_RECORD = 1 << 30;
const HEADER = 12;
const FOOTER = 4;

/** Where a file could be read no further. */
export interface Tear {
  /** Place of the record that is not whole. */
  at: number;
  why: string;
}

/**
 * The records of a TFRecord file (TensorFlow, `lib/io/record_writer.h`): length, masked CRC-32C of the length, content,
 * masked CRC-32C of the content. It can be read again while it grows.
 */
export class RecordFile {
  /** Why the last reading ended before the end of the file; null when all was read. */
  tear: Tear | null = null;
  private offset = 0;

  constructor(readonly path: string) {}

  /** Records from where the last reading ended. The content lies in a buffer that the next record may change. */
  *read(): Generator<Uint8Array, void, undefined> {
    this.tear = null;
    const file = openSync(this.path, 'r');
    try {
      yield* this.readOpen(file);
    } finally {
      closeSync(file);
    }
  }

  private *readOpen(file: number): Generator<Uint8Array, void, undefined> {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    /** Bytes of the buffer that hold the file from `offset` on, and those of them that were used. */
    let held = 0;
    let used = 0;
    const fill = (wanted: number): boolean => {
      if (held - used >= wanted) return true;
      buffer.copyWithin(0, used, held);
      held -= used;
      used = 0;
      if (wanted > buffer.length) {
        // grows with what is there, so that a broken length takes no memory
        const larger = Buffer.allocUnsafe(Math.min(Math.max(wanted, buffer.length), buffer.length * 2));
        buffer.copy(larger, 0, 0, held);
        buffer = larger;
      }
      while (held < buffer.length) {
        const read = readSync(file, buffer, held, buffer.length - held, this.offset + held);
        if (read === 0) break;
        held += read;
      }
      if (held >= wanted) return true;
      return held === buffer.length ? fill(wanted) : false;
    };
    for (;;) {
      if (!fill(HEADER)) {
        if (held - used > 0) this.tear = { at: this.offset, why: 'the file ends within a record' };
        return;
      }
      const low = buffer.readUInt32LE(used);
      const length = low + buffer.readUInt32LE(used + 4) * 2 ** 32;
      if (maskedCrc32c(crc32c(buffer, used, used + 8)) !== buffer.readUInt32LE(used + 8) || length > LONGEST_RECORD) {
        this.tear = { at: this.offset, why: 'the length of a record is damaged' };
        return;
      }
      if (!fill(HEADER + length + FOOTER)) {
        this.tear = { at: this.offset, why: 'the file ends within a record' };
        return;
      }
      const start = used + HEADER;
      if (maskedCrc32c(crc32c(buffer, start, start + length)) !== buffer.readUInt32LE(start + length)) {
        this.tear = { at: this.offset, why: 'the content of a record is damaged' };
        return;
      }
      yield buffer.subarray(start, start + length);
      used = start + length + FOOTER;
      this.offset += HEADER + length + FOOTER;
    }
  }
}
