/** A message that is not what its wire format says. */
export class MalformedMessage extends Error {}

/**
 * Reads fields of a protobuf message in the order in which they were written, by number and wire type: for a few fields of
 * large messages without their descriptions. `next` moves to a field; the reader of its type, or `skip`, must follow.
 */
export class MessageReader {
  /** Number of the current field. */
  field = 0;
  /** 0 varint, 1 eight bytes, 2 bytes with their length, 5 four bytes. */
  wire = 0;
  private at: number;

  constructor(
    private readonly bytes: Uint8Array,
    start = 0,
    private readonly end = bytes.length,
    private readonly view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ) {
    this.at = start;
  }

  /** Whether there is a further field. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const key = this.varint();
    this.field = key < 2 ** 31 ? key >> 3 : Math.floor(key / 8);
    this.wire = key & 7;
    return true;
  }

  private take(count: number): number {
    const start = this.at;
    if (start + count > this.end) throw new MalformedMessage(`a field of ${count} bytes goes beyond its message`);
    this.at = start + count;
    return start;
  }

  /** A whole number of up to 64 bits without sign; beyond 2^53 it is rounded. */
  varint(): number {
    if (this.at < this.end && this.bytes[this.at]! < 128) return this.bytes[this.at++]!;
    let value = 0;
    for (let factor = 1, count = 0; count < 10; count++, factor *= 128) {
      const byte = this.bytes[this.take(1)]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new MalformedMessage('a number of more than ten bytes');
  }

  /** A whole number of 64 bits with sign; beyond 2^53 either way it is rounded. */
  int64(): number {
    const start = this.at;
    const value = this.varint();
    if (value < 2 ** 63) return value;
    this.at = start;
    let exact = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.take(1)]!;
      exact |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, exact));
    }
  }

  double(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  float(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  /** Bytes, without a copy. */
  data(): Uint8Array {
    const length = this.varint();
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  text(): string {
    const length = this.varint();
    const start = this.take(length);
    if (length < 64) return this.shortText(start, start + length);
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, length).toString('utf8');
  }

  /** As `toString` for what is most often a few ASCII letters. */
  private shortText(start: number, end: number): string {
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at]!;
      if (byte > 127) return Buffer.from(this.bytes.subarray(start, end)).toString('utf8');
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** The message in this field. */
  message(): MessageReader {
    const length = this.varint();
    const start = this.take(length);
    return new MessageReader(this.bytes, start, start + length, this.view);
  }

  /** Numbers of a repeated field, packed or one at a time; of more than `most` one more than that. */
  numbers(read: (reader: MessageReader) => number, into: number[], most: number): void {
    if (this.wire !== 2) {
      const number = read(this);
      if (into.length <= most) into.push(number);
      return;
    }
    const packed = this.message();
    while (packed.at < packed.end && into.length <= most) into.push(read(packed));
  }

  skip(): void {
    if (this.wire === 0) this.varint();
    else if (this.wire === 1) this.take(8);
    else if (this.wire === 2) this.take(this.varint());
    else if (this.wire === 5) this.take(4);
    else throw new MalformedMessage(`a field of wire type ${this.wire}`);
  }
}
