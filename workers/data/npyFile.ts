import { badInput } from '../../src/contracts/errors.ts';
import { npyHeader } from '../math/npyHeader.ts';

type NpyArray = Float32Array | Float64Array | Int32Array | Uint32Array;

function descriptorOf(values: NpyArray): '<f4' | '<f8' | '<i4' | '<u4' {
  if (values instanceof Float32Array) return '<f4';
  if (values instanceof Float64Array) return '<f8';
  return values instanceof Int32Array ? '<i4' : '<u4';
}

/**
 * A NumPy `.npy` file, version 1.0 (numpy.lib.format): `numpy.load` reads it. `values` is row-major with the given shape.
 */
export function encodeNpy(values: NpyArray, shape: readonly number[]): Uint8Array {
  const size = shape.reduce((product, length) => product * length, 1);
  if (size !== values.length) throw new Error(`internal: ${values.length} values, shape (${shape.join(', ')})`);
  const header = npyHeader(descriptorOf(values), shape);
  const file = new Uint8Array(header.length + values.byteLength);
  file.set(header);
  file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), header.length);
  return file;
}

/** A table of numbers as a `.npy` file holds it. */
export interface NpyTable {
  rows: number;
  columns: number;
  /** (rows, columns) Row-major. */
  values: Float32Array | Float64Array;
}

/**
 * Reads a `.npy` file (version 1 or 2) of a table in single or double precision, little-endian, row-major. Throws BAD_INPUT,
 * which calls it `name`, for anything else.
 */
export function decodeNpyTable(bytes: Uint8Array, name: string): NpyTable {
  const refuse = (what: string) =>
    badInput(`${name}: ${what}; expected a .npy file of a table of floats, as numpy.save writes it`, name);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNumpy = bytes.length > 12 && bytes[0] === 0x93 && String.fromCharCode(...bytes.subarray(1, 6)) === 'NUMPY';
  if (!isNumpy) throw refuse('it does not begin as one');
  const isLong = bytes[6]! > 1;
  const start = (isLong ? 12 : 10) + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  if (start > bytes.length) throw refuse('its header is cut off');
  const header = new TextDecoder('latin1').decode(bytes.subarray(isLong ? 12 : 10, start));
  const type = /'descr': *'([^']*)'/.exec(header)?.[1];
  const shape = /'shape': *\(([^)]*)\)/.exec(header)?.[1];
  if (type !== '<f4' && type !== '<f8') throw refuse(`its numbers are ${type ?? 'unknown'}`);
  if (!/'fortran_order': *False/.test(header)) throw refuse('it is in Fortran order');
  const extents = /^ *(\d+), *(\d+),? *$/.exec(shape ?? '');
  if (extents === null) throw refuse(`its shape is (${shape ?? ''})`);
  const [rows, columns] = [Number(extents[1]), Number(extents[2])];
  const size = type === '<f4' ? 4 : 8;
  if (bytes.length - start !== rows * columns * size) {
    throw refuse(`its shape is (${rows}, ${columns}), but it has ${bytes.length - start} bytes of numbers`);
  }
  // a copy: numbers need not be aligned in the file (a Buffer's slice would be none)
  const { buffer } = new Uint8Array(bytes.subarray(start));
  return { rows, columns, values: type === '<f4' ? new Float32Array(buffer) : new Float64Array(buffer) };
}
