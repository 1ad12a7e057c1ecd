import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AsyncBuffer, ParquetParsers } from 'hyparquet';
import type { ArchiveSource } from './archives.ts';
import { decodeLz4Frame } from './lz4Frame.ts';

type Row = Readonly<Record<string, unknown>>;

const ROWS_A_BLOCK = 65_536;

/** Times as milliseconds since 1970, whatever the unit in the file. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value: bigint) => Number(value),
  timestampFromMicroseconds: (value: bigint) => Number(value) / 1e3,
  timestampFromNanoseconds: (value: bigint) => Number(value) / 1e6,
  dateFromDays: (days: number) => days * 86_400_000,
};

async function* parquetBlocks({ path, bytes }: ArchiveSource): AsyncGenerator<Row[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const descriptor = bytes === null ? openSync(path, 'r') : null;
  try {
    const file = descriptor === null ? inMemory(bytes!) : onDisk(descriptor);
    const metadata = await parquetMetadataAsync(file);
    let start = 0;
    for (const group of metadata.row_groups) {
      const groupEnd = start + Number(group.num_rows);
      while (start < groupEnd) {
        const rowEnd = Math.min(start + ROWS_A_BLOCK, groupEnd);
        const rows = await parquetReadObjects({
          file,
          metadata,
          compressors,
          parsers: PARSERS,
          rowStart: start,
          rowEnd,
        });
        yield rows;
        start = rowEnd;
      }
    }
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function inMemory(bytes: Uint8Array): AsyncBuffer {
  const { buffer } = new Uint8Array(bytes);
  return { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) };
}

function onDisk(descriptor: number): AsyncBuffer {
  const byteLength = fstatSync(descriptor).size;
  const slice = (start: number, end = byteLength): ArrayBuffer => {
    const part = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
    for (let read = 0; read < part.length; ) {
      const more = readSync(descriptor, part, read, part.length - read, start + read);
      if (more === 0) throw new RangeError('the file ends too early');
      read += more;
    }
    return part.buffer;
  };
  return { byteLength, slice };
}

async function* arrowBlocks({ path, bytes }: ArchiveSource): AsyncGenerator<Row[]> {
  const { CompressionType, setCompressionCodec, tableFromIPC } = await import('@uwdata/flechette');
  const { decompress } = await import('fzstd');
  setCompressionCodec(CompressionType.ZSTD, {
    encode: unsupported,
    decode: (data: Uint8Array) => decompress(data).slice(),
  });
  setCompressionCodec(CompressionType.LZ4_FRAME, { encode: unsupported, decode: decodeLz4Frame });
  const table = tableFromIPC(new Uint8Array(bytes ?? (await readFile(path))), { useBigInt: true });
  const columns = table.names.map((name) => ({ name, column: table.getChild(name) }));
  for (let start = 0; start < table.numRows; start += ROWS_A_BLOCK) {
    const count = Math.min(ROWS_A_BLOCK, table.numRows - start);
    yield Array.from({ length: count }, (_, row) =>
      Object.fromEntries(columns.map(({ name, column }) => [name, column.at(start + row)])),
    );
  }
}

function unsupported(): never {
  throw new Error('internal: nothing is written as Arrow');
}

function isNested(value: unknown): boolean {
  if (value === null || typeof value !== 'object' || value instanceof Date) return false;
  return !(value instanceof Uint8Array);
}

/** A value as the readers of text know it. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return String(value);
}

function csvField(value: unknown): string {
  const text = textOf(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** JSON in which whole numbers of 64 bits keep their digits. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    if (value instanceof Uint8Array) return JSON.stringify(textOf(value));
    return `[${Array.from(value as ArrayLike<unknown>, jsonOf).join(',')}]`;
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`);
  return `{${members.join(',')}}`;
}

/**
 * The rows of a Parquet or Arrow file as text for the other readers: a CSV with a header, or one JSON object a line where a
 * column holds lists. Times are milliseconds since 1970, whole numbers of 64 bits keep their digits.
 */
export async function* columnText(kind: 'parquet' | 'arrow', source: ArchiveSource): AsyncGenerator<Buffer> {
  let names: string[] | null = null;
  let isJson = false;
  for await (const rows of kind === 'parquet' ? parquetBlocks(source) : arrowBlocks(source)) {
    const lines: string[] = [];
    if (names === null && rows.length > 0) {
      names = Object.keys(rows[0]!);
      isJson = rows.some((row) => Object.values(row).some(isNested));
      if (!isJson) lines.push(names.map(csvField).join(','));
    }
    for (const row of rows) lines.push(isJson ? jsonOf(row) : names!.map((name) => csvField(row[name])).join(','));
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`);
  }
}
