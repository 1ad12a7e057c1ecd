import { WarrenError } from '../../src/contracts/errors.ts';

export interface NpyMatrix {
  /** (rows, columns), row-major. */
  values: Float32Array | Float64Array;
  rows: number;
  columns: number;
}

/**
 * A matrix of floats from a NumPy `.npy` file, version 1 or 2 (numpy.lib.format). Throws DATA_ERROR, with `name`, for other
 * files, for those in Fortran's order, and for what is not a matrix of `<f4` or `<f8`.
 */
export function decodeNpyMatrix(bytes: Uint8Array, name: string): NpyMatrix {
  const refuse = (found: string): WarrenError =>
    new WarrenError('DATA_ERROR', `${name}: ${found}; expected a .npy file with a matrix of float32 or float64`, {
      path: name,
    });
  const isNpy =
    bytes.length >= 12 && bytes[0] === 0x93 && Buffer.from(bytes.subarray(1, 6)).toString('latin1') === 'NUMPY';
  if (!isNpy) throw refuse('no .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes[6] === 1 ? 10 : 12;
  const end = start + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (end > bytes.length) throw refuse('a header beyond the end of the file');
  const header = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  const type = /'descr':\s*'([^']+)'/.exec(header)?.[1];
  const shape = /'shape':\s*\((\d+),\s*(\d+)\s*,?\s*\)/.exec(header);
  if ((type !== '<f4' && type !== '<f8') || shape === null || !/'fortran_order':\s*False/.test(header)) {
    throw refuse(`the header ${header.trim()}`);
  }
  const [rows, columns] = [Number(shape[1]), Number(shape[2])];
  const width = type === '<f4' ? 4 : 8;
  if (bytes.length - end !== rows * columns * width)
    throw refuse(`${bytes.length - end} bytes for ${rows} × ${columns}`);
  const copy = bytes.slice(end).buffer;
  return { values: type === '<f4' ? new Float32Array(copy) : new Float64Array(copy), rows, columns };
}
