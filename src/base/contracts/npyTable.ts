import { badInput, type WarrenError } from './errors.ts';

/** A table of numbers as a `.npy` file holds it. */
export interface NpyTable {
  rows: number;
  columns: number;
  /** (rows, columns) Row-major. */
  values: Float32Array | Float64Array;
}

/** What the beginning of a `.npy` file says of the table behind it. */
export interface NpyHeader {
  type: '<f4' | '<f8' | '<i4';
  rows: number;
  columns: number;
  /** Bytes before the numbers. */
  start: number;
  /** Bytes of the whole file, numbers included. */
  sizeBytes: number;
}

/** Bytes that hold the header of any file that `numpy.save` writes of a table. */
export const LONGEST_NPY_HEADER = 65_548;

/**
 * Reads the header of a `.npy` file (version 1 or 2) of a table in single or double precision, little-endian, row-major; with
 * `integers` one of 32-bit integers, too. Throws BAD_INPUT, which calls it `name`, for anything else.
 * @param bytes The file, or as much of its beginning as the header takes.
 */
export function decodeNpyHeader(
  bytes: Uint8Array,
  name: string,
  { integers = false }: { integers?: boolean } = {},
): NpyHeader {
  const refuse = (what: string) => refusal(name, what, integers);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNumpy = bytes.length > 12 && bytes[0] === 0x93 && String.fromCharCode(...bytes.subarray(1, 6)) === 'NUMPY';
  if (!isNumpy) throw refuse('it does not begin as one');
  const isLong = bytes[6]! > 1;
  const start = (isLong ? 12 : 10) + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  if (start > bytes.length) throw refuse('its header is cut off');
  const header = new TextDecoder('latin1').decode(bytes.subarray(isLong ? 12 : 10, start));
  const type = /'descr': *'([^']*)'/.exec(header)?.[1];
  const shape = /'shape': *\(([^)]*)\)/.exec(header)?.[1];
  if (type !== '<f4' && type !== '<f8' && !(integers && type === '<i4')) {
    throw refuse(`its numbers are ${type ?? 'unknown'}`);
  }
  if (!/'fortran_order': *False/.test(header)) throw refuse('it is in Fortran order');
  const extents = /^ *(\d+), *(\d+),? *$/.exec(shape ?? '');
  if (extents === null) throw refuse(`its shape is (${shape ?? ''})`);
  const [rows, columns] = [Number(extents[1]), Number(extents[2])];
  return { type, rows, columns, start, sizeBytes: start + rows * columns * (type === '<f8' ? 8 : 4) };
}

/**
 * Reads a whole `.npy` file, as `decodeNpyHeader` its header; 32-bit integers come as doubles. Throws BAD_INPUT, which calls it
 * `name`, also where the numbers are cut off.
 */
export function decodeNpyTable(bytes: Uint8Array, name: string, options: { integers?: boolean } = {}): NpyTable {
  const { type, rows, columns, start, sizeBytes } = decodeNpyHeader(bytes, name, options);
  if (bytes.length !== sizeBytes) {
    const found = `its shape is (${rows}, ${columns}), but it has ${bytes.length - start} bytes of numbers`;
    throw refusal(name, found, options.integers ?? false);
  }
  // a copy: numbers need not be aligned in the file (a Buffer's slice would be none)
  const { buffer } = new Uint8Array(bytes.subarray(start));
  if (type === '<i4') return { rows, columns, values: Float64Array.from(new Int32Array(buffer)) };
  return { rows, columns, values: type === '<f4' ? new Float32Array(buffer) : new Float64Array(buffer) };
}

function refusal(name: string, what: string, integers: boolean): WarrenError {
  const kind = integers ? 'numbers' : 'floats';
  return badInput(`${name}: ${what}; expected a .npy file of a table of ${kind}, as numpy.save writes it`, name);
}
