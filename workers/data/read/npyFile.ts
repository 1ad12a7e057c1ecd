const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];

type NpyArray = Float32Array | Float64Array | Int32Array | Uint32Array;

function descriptorOf(values: NpyArray): '<f4' | '<f8' | '<i4' | '<u4' {
  if (values instanceof Float32Array) return '<f4';
  if (values instanceof Float64Array) return '<f8';
  return values instanceof Int32Array ? '<i4' : '<u4';
}

/** What stands before the row-major values of a NumPy `.npy` file, version 1.0 (numpy.lib.format); a multiple of 64 bytes. */
function npyHeader(descriptor: '<f4' | '<f8' | '<i4' | '<u4', shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const fields = `{'descr': '${descriptor}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const unpadded = MAGIC.length + 2 + fields.length + 1;
  const header = `${fields}${' '.repeat((64 - (unpadded % 64)) % 64)}\n`;
  const bytes = new Uint8Array(MAGIC.length + 2 + header.length);
  bytes.set(MAGIC);
  new DataView(bytes.buffer).setUint16(MAGIC.length, header.length, true);
  bytes.set(new TextEncoder().encode(header), MAGIC.length + 2);
  return bytes;
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
