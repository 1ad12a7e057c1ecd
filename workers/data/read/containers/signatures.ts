/** What a file is, by its first bytes. */
export type Container = 'gzip' | 'bzip2' | 'xz' | 'zstd' | 'zip' | 'tar' | 'parquet' | 'arrow' | 'arrow stream';

const startsWith = (bytes: Buffer, ...wanted: readonly number[]): boolean =>
  wanted.every((byte, at) => bytes[at] === byte);
const hasText = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** So many bytes tell every container from others. */
export const SIGNATURE_BYTES = 512;

/** The container that begins with these bytes; null for text and for everything else. */
export function containerOf(bytes: Buffer): Container | null {
  if (startsWith(bytes, 0x1f, 0x8b)) return 'gzip';
  if (hasText(bytes, 'BZh') && (hasText(bytes, '1AY&SY', 4) || startsWith(bytes.subarray(4), 0x17, 0x72, 0x45)))
    return 'bzip2';
  if (startsWith(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)) return 'xz';
  if (startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd)) return 'zstd';
  if (hasText(bytes, 'PK\x03\x04') || hasText(bytes, 'PK\x05\x06')) return 'zip';
  if (hasText(bytes, 'ustar', 257)) return 'tar';
  if (hasText(bytes, 'PAR1')) return 'parquet';
  if (hasText(bytes, 'ARROW1')) return 'arrow';
  // a message without a body, whose length is that of a small schema
  if (startsWith(bytes, 0xff, 0xff, 0xff, 0xff) && bytes[6] === 0 && bytes[7] === 0) return 'arrow stream';
  return null;
}

const OTHERS: readonly (readonly [is: (bytes: Buffer) => boolean, words: string])[] = [
  [(b) => hasText(b, '7z\xbc\xaf\x27\x1c'), 'a 7z archive. Unpack it, or pack it as .zip or .tar.gz'],
  [(b) => hasText(b, 'Rar!'), 'a RAR archive. Unpack it, or pack it as .zip or .tar.gz'],
  [(b) => startsWith(b, 0x04, 0x22, 0x4d, 0x18), 'an LZ4 file. Unpack it with: lz4 -d'],
  [(b) => startsWith(b, 0x1f, 0x9d), 'a file of compress (.Z). Unpack it with: uncompress'],
  [
    (b) => hasText(b, 'SQLite format 3'),
    "an SQLite database. Write its table as CSV: sqlite3 -header -csv FILE 'select …'",
  ],
  [(b) => startsWith(b, 0xd0, 0xcf, 0x11, 0xe0), 'an old Excel or Office file. Save the sheet as CSV'],
  [
    (b) => startsWith(b, 0x89, 0x48, 0x44, 0x46),
    "an HDF5 file. Write its table as Parquet: pandas.read_hdf(…).to_parquet('FILE.parquet')",
  ],
  [(b) => hasText(b, 'MATLAB 5.0'), 'a MATLAB file. Write its table as CSV'],
  [
    (b) => b[0] === 0x80 && b[1]! >= 2 && b[1]! <= 5,
    "a Python pickle, which would have to be executed. Write the table as Parquet: frame.to_parquet('FILE.parquet')",
  ],
  [(b) => startsWith(b, 0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59), 'a NumPy array. Write it as a table: numpy.savetxt'],
  [(b) => hasText(b, 'FEA1'), 'a Feather file of version 1. Write it as version 2 or as Parquet'],
  [(b) => hasText(b, 'ORC'), 'an ORC file. Write it as Parquet'],
  [(b) => hasText(b, 'Obj\x01'), 'an Avro file. Write it as Parquet'],
  [(b) => hasText(b, 'SEQ\x06'), 'a Hadoop sequence file. Write it as Parquet'],
  [(b) => hasText(b, 'RDX'), 'an R workspace. Write the table as CSV: write.csv(…, row.names = FALSE)'],
  [(b) => hasText(b, '%PDF'), 'a PDF'],
  [(b) => hasText(b, '\x89PNG') || startsWith(b, 0xff, 0xd8, 0xff), 'a picture'],
  [(b) => hasText(b, 'version https://git-lfs'), 'a pointer of Git LFS, not the file. Fetch it with: git lfs pull'],
  [
    (b) => /^\s*<(!doctype html|html)/i.test(b.toString('latin1', 0, 64)),
    'a page of HTML, such as a sign-in, not the data. Download it again',
  ],
  [(b) => /^\s*<\?xml/i.test(b.toString('latin1', 0, 64)), 'XML. Write its rows as CSV or JSON'],
];

/** What else the file is, with what to do; null where it may be text, as with an `encoding` that has NUL bytes. */
export function otherFileOf(bytes: Buffer, encoding: string | undefined): string | null {
  const known = OTHERS.find(([is]) => is(bytes));
  if (known !== undefined) return known[1];
  const isUtf16 = startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff);
  if (isUtf16 || /^utf-?16/i.test(encoding ?? '')) return null;
  const zeros = bytes.reduce((count, byte) => count + Number(byte === 0), 0);
  if (zeros === 0) return null;
  const odd = bytes.reduce((count, byte, at) => count + Number(byte === 0 && at % 2 === 1), 0);
  if (zeros > bytes.length / 3 && (odd === 0 || odd === zeros)) {
    return `UTF-16 text without a mark of its order of bytes. Say which: --encoding ${odd === 0 ? 'utf-16be' : 'utf-16le'}`;
  }
  return 'no text: it has NUL bytes, and is of none of the kinds that are read';
}
