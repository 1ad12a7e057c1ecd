const POLYNOMIAL = 0x82f63b78;

/** Four tables, for four bytes at a time. */
const TABLES = makeTables();

function makeTables(): Uint32Array[] {
  const tables = Array.from({ length: 4 }, () => new Uint32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[0]![byte] = value >>> 0;
  }
  for (let byte = 0; byte < 256; byte++) {
    for (let table = 1; table < 4; table++) {
      const before = tables[table - 1]![byte]!;
      tables[table]![byte] = ((before >>> 8) ^ tables[0]![before & 255]!) >>> 0;
    }
  }
  return tables;
}

/** The CRC-32C (Castagnoli; RFC 3720, appendix B.4) of bytes from `start` to before `end`, as an unsigned number. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  const [first, second, third, fourth] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let crc = ~before;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc = fourth[crc & 255]! ^ third[(crc >>> 8) & 255]! ^ second[(crc >>> 16) & 255]! ^ first[crc >>> 24]!;
  }
  for (; at < end; at++) crc = first[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A CRC-32C as TFRecord and LevelDB write it: rotated by 15 bits, plus a constant. */
export function maskedCrc32c(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
