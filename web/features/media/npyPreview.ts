/** What an `.npy` file says of itself, and its first numbers. */
export interface NpyPreview {
  /** NumPy's name of the type, such as `<f4`. */
  type: string;
  shape: number[];
  /** The first numbers in the order of the file; empty where the type is none that is shown. */
  values: number[];
}

const MOST_VALUES = 100;

/**
 * Reads the header of an `.npy` file and its first numbers.
 * @param bytes The file, or its beginning.
 * @throws Error that says why it is none.
 */
export function previewNpy(bytes: Uint8Array): NpyPreview {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNumpy = bytes.length > 12 && bytes[0] === 0x93 && String.fromCharCode(...bytes.subarray(1, 6)) === 'NUMPY';
  if (!isNumpy) throw new Error('it does not begin as an .npy file');
  const isLong = bytes[6]! > 1;
  const begin = isLong ? 12 : 10;
  const start = begin + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = new TextDecoder('latin1').decode(bytes.subarray(begin, start));
  const type = /'descr': *'([^']*)'/.exec(header)?.[1] ?? 'a structure';
  const shape = (/'shape': *\(([^)]*)\)/.exec(header)?.[1] ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  const read = READERS[type];
  if (read === undefined) return { type, shape, values: [] };
  const size = Number(type.slice(2));
  const total = shape.reduce((product, extent) => product * extent, 1);
  const count = Math.min(MOST_VALUES, total, Math.floor((bytes.length - start) / size));
  return { type, shape, values: Array.from({ length: Math.max(0, count) }, (_, i) => read(view, start + i * size)) };
}

const READERS: Record<string, (view: DataView, at: number) => number> = {
  '<f4': (view, at) => view.getFloat32(at, true),
  '<f8': (view, at) => view.getFloat64(at, true),
  '<i4': (view, at) => view.getInt32(at, true),
  '<u4': (view, at) => view.getUint32(at, true),
  '<i2': (view, at) => view.getInt16(at, true),
  '<u2': (view, at) => view.getUint16(at, true),
  '<i8': (view, at) => Number(view.getBigInt64(at, true)),
  '|i1': (view, at) => view.getInt8(at),
  '|u1': (view, at) => view.getUint8(at),
  '|b1': (view, at) => view.getUint8(at),
};
