const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];

/** What stands before the row-major values of a NumPy `.npy` file, version 1.0 (numpy.lib.format); a multiple of 64 bytes. */
export function npyHeader(descriptor: '<f4' | '<f8' | '<i4' | '<u4', shape: readonly number[]): Uint8Array {
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
