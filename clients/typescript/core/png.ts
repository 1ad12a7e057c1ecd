/** Rows of cells: gray values, or arrays of 1 to 4 channels. Whole numbers from 0 to 255, or floats from 0 to 1. */
export type Pixels = readonly (readonly (number | readonly number[])[])[];

/** Pixels one after another, as a canvas has them: 4 channels of 0 to 255. */
export interface CanvasPixels {
  data: ArrayLike<number>;
  width: number;
  height: number;
}

const COLOR_TYPES = new Map([
  [1, 0],
  [2, 4],
  [3, 2],
  [4, 6],
]);
/** The longest stored block of a deflate stream. */
const LONGEST_BLOCK = 65_535;
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** A PNG of pixels, not compressed: no library is needed, and browsers have no synchronous one. @throws RangeError */
export function pngOf(pixels: Pixels | CanvasPixels): {
  content: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
} {
  const { width, height, channels, flat } =
    'data' in pixels ? { ...pixels, channels: 4, flat: pixels.data } : flatten(pixels);
  const colorType = COLOR_TYPES.get(channels);
  if (colorType === undefined || width < 1 || height < 1 || flat.length !== width * height * channels) {
    throw new RangeError(
      `Image: ${height} rows of ${width} cells of ${channels} channels are no picture; 1 to 4 channels, rows of one length`,
    );
  }
  const row = width * channels;
  const raw = new Uint8Array(height * (row + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < row; x++)
      raw[y * (row + 1) + 1 + x] = Math.max(0, Math.min(255, Math.round(flat[y * row + x] ?? 0)));
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, colorType], 8);
  const parts = [
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', stored(raw)),
    chunk('IEND', new Uint8Array(0)),
  ];
  return { content: joined(parts), width, height };
}

function flatten(rows: Pixels): { width: number; height: number; channels: number; flat: number[] } {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? [cell] : cell)));
  const flat = cells.flat(2);
  const isFraction = flat.some((value) => !Number.isInteger(value)) && flat.every((value) => value <= 1);
  const scaled = isFraction ? flat.map((value) => value * 255) : flat;
  return { width: cells[0]?.length ?? 0, height: cells.length, channels: cells[0]?.[0]?.length ?? 0, flat: scaled };
}

/** A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4). */
function stored(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [new Uint8Array([0x78, 0x01])];
  let [a, b] = [1, 0];
  for (let start = 0; start < data.length; start += LONGEST_BLOCK) {
    const part = data.subarray(start, start + LONGEST_BLOCK);
    const last = start + LONGEST_BLOCK >= data.length ? 1 : 0;
    parts.push(
      new Uint8Array([last, part.length & 255, part.length >> 8, ~part.length & 255, (~part.length >> 8) & 255]),
      part,
    );
    for (const byte of part) {
      a = (a + byte) % 65_521;
      b = (b + a) % 65_521;
    }
  }
  const sum = new Uint8Array(4);
  new DataView(sum.buffer).setUint32(0, b * 65_536 + a);
  return joined([...parts, sum]);
}

function chunk(kind: string, data: Uint8Array): Uint8Array {
  const whole = new Uint8Array(data.length + 12);
  const view = new DataView(whole.buffer);
  view.setUint32(0, data.length);
  whole.set(new TextEncoder().encode(kind), 4);
  whole.set(data, 8);
  let crc = 0xffffffff;
  for (const byte of whole.subarray(4, data.length + 8)) crc = (CRC_TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  view.setUint32(data.length + 8, ~crc >>> 0);
  return whole;
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
