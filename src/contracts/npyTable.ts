import { badInput } from './errors.ts';

/** A table of numbers as a `.npy` file holds it. */
export interface NpyTable {
  rows: number;
  columns: number;
  /** (rows, columns) Row-major. */
  values: Float32Array | Float64Array;
}

/**
 * Reads a `.npy` file (version 1 or 2) of a table in single or double precision, little-endian, row-major; with `integers`
 * one of 32-bit integers, too, as doubles. Throws BAD_INPUT, which calls it `name`, for anything else.
 */
export function decodeNpyTable(
  bytes: Uint8Array,
  name: string,
  { integers = false }: { integers?: boolean } = {},
): NpyTable {
  const kind = integers ? 'numbers' : 'floats';
  const refuse = (what: string) =>
    badInput(`${name}: ${what}; expected a .npy file of a table of ${kind}, as numpy.save writes it`, name);
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
  const size = type === '<f8' ? 8 : 4;
  if (bytes.length - start !== rows * columns * size) {
    throw refuse(`its shape is (${rows}, ${columns}), but it has ${bytes.length - start} bytes of numbers`);
  }
  // a copy: numbers need not be aligned in the file (a Buffer's slice would be none)
  const { buffer } = new Uint8Array(bytes.subarray(start));
  if (type === '<i4') return { rows, columns, values: Float64Array.from(new Int32Array(buffer)) };
  return { rows, columns, values: type === '<f4' ? new Float32Array(buffer) : new Float64Array(buffer) };
}
