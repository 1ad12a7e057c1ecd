import { invariant } from '#src/base/lib/invariant.ts';

/** Numbers of the types of PostgreSQL's arrays that are sent in their binary form: no digits are written or read. */
const INT4 = 23;
const INT8 = 20;
const FLOAT8 = 701;

const TYPE_AT = 8;
const LENGTH_AT = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const TWO_32 = 2 ** 32;

function arrayOf(
  type: number,
  size: number,
  values: readonly number[],
  write: (bytes: Buffer, value: number, at: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + size));
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // no nulls
  bytes.writeInt32BE(type, TYPE_AT);
  if (values.length === 0) return bytes.subarray(0, LENGTH_AT);
  bytes.writeInt32BE(values.length, LENGTH_AT);
  bytes.writeInt32BE(1, 16); // the first index
  let at = HEADER_BYTES;
  for (const value of values) {
    bytes.writeInt32BE(size, at);
    write(bytes, value, at + LENGTH_BYTES);
    at += LENGTH_BYTES + size;
  }
  return bytes;
}

/** An `int4[]` parameter of a prepared statement. */
export function int4Array(values: readonly number[]): Buffer {
  return arrayOf(INT4, 4, values, (bytes, value, at) => bytes.writeInt32BE(value, at));
}

/** An `int8[]` parameter: whole numbers up to 2⁵³ on both sides of 0. */
export function int8Array(values: readonly number[]): Buffer {
  return arrayOf(INT8, 8, values, (bytes, value, at) => {
    const high = Math.floor(value / TWO_32);
    bytes.writeInt32BE(high, at);
    bytes.writeUInt32BE(value - high * TWO_32, at + 4);
  });
}

/** A `float8[]` parameter, NaN and infinite numbers too. */
export function float8Array(values: readonly number[]): Buffer {
  return arrayOf(FLOAT8, 8, values, (bytes, value, at) => bytes.writeDoubleBE(value, at));
}

const READERS: Readonly<Record<number, (bytes: DataView, at: number) => number>> = {
  [INT4]: (bytes, at) => bytes.getInt32(at),
  [INT8]: (bytes, at) => bytes.getInt32(at) * TWO_32 + bytes.getUint32(at + 4),
  [FLOAT8]: (bytes, at) => bytes.getFloat64(at),
};

/**
 * The numbers of an `int4[]`, `int8[]` (up to 2⁵³ on both sides of 0) or `float8[]` of one dimension in its binary form, which
 * `array_send` makes; null for NULL.
 */
export function readNullableNumbers({ buffer, byteOffset, byteLength }: Uint8Array): (number | null)[] {
  const bytes = new DataView(buffer, byteOffset, byteLength);
  const type = bytes.getInt32(TYPE_AT);
  const read = READERS[type];
  invariant(read !== undefined, `an array of numbers, not of type ${type}`);
  if (bytes.getInt32(0) === 0) return [];
  let at = HEADER_BYTES;
  return Array.from({ length: bytes.getInt32(LENGTH_AT) }, () => {
    const size = bytes.getInt32(at);
    at += LENGTH_BYTES;
    if (size < 0) return null;
    const value = read(bytes, at);
    at += size;
    return value;
  });
}

/** As `readNullableNumbers`, for arrays without NULL. */
export function readNumbers(bytes: Uint8Array): number[] {
  const values = readNullableNumbers(bytes);
  invariant(
    values.every((value) => value !== null),
    'an array without NULL',
  );
  return values;
}
