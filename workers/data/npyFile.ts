const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];

type NpyArray = Float32Array | Float64Array | Int32Array | Uint32Array;

function descriptorOf(values: NpyArray): string {
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
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const fields = `{'descr': '${descriptorOf(values)}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const unpadded = MAGIC.length + 2 + fields.length + 1;
  const header = `${fields}${' '.repeat((64 - (unpadded % 64)) % 64)}\n`;
  const start = MAGIC.length + 2 + header.length;
  const file = new Uint8Array(start + values.byteLength);
  file.set(MAGIC);
  new DataView(file.buffer).setUint16(MAGIC.length, header.length, true);
  file.set(new TextEncoder().encode(header), MAGIC.length + 2);
  file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
  return file;
}
