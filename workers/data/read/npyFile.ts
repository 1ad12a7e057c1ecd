import { npyHeader } from '#workers/math/npyHeader.ts';

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
