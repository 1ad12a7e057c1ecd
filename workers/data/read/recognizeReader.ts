import { FILE_READERS, type FileReader } from '#src/catalog/readers.ts';
import { openText } from './containers/openText.ts';
import { isBlockHeading } from './readItemBlocks.ts';
import type { ReadOptions } from './readOptions.ts';
import { isKnownName } from './tableColumns.ts';
import { looksLikeTime } from './tableDialect.ts';

const BEGINNING_BYTES = 256 << 10;
const SAMPLE_LINES = 500;

const named = (name: string): FileReader => FILE_READERS.find((reader) => reader.name === name)!;

/** The first whole lines of a file. */
async function beginning(path: string, options: ReadOptions): Promise<{ text: string; lines: string[] }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of openText(path, options)) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes >= BEGINNING_BYTES) break;
  }
  const text = Buffer.concat(parts)
    .toString('utf8', 0, BEGINNING_BYTES)
    .replace(/^\uFEFF/, '');
  const lines = text.split(/\r?\n/).slice(0, SAMPLE_LINES + 1);
  if (lines.length > 1) lines.pop();
  return { text, lines: lines.filter((line) => line.trim() !== '') };
}

/** What lines of words without a separator but blanks are: pairs, sequences, or a table. */
function ofWords(rows: readonly (readonly string[])[]): string {
  const width = rows[0]!.length;
  const isEven = rows.every((row) => row.length === width);
  if (isEven && width === 2) return 'pairs';
  const users = new Set(rows.map(([user]) => user));
  // one line a user: a user who comes twice has a line for each interaction
  if (users.size < rows.length) return 'table';
  return isEven && width > 2 && rows.every((row) => looksLikeTime(row.at(-1)!)) ? 'table' : 'sequences';
}

/** The reader whose files look like this one; a map that is given tells of a table or of JSON. */
export async function recognizeReader(path: string, options: ReadOptions): Promise<FileReader> {
  const { text, lines } = await beginning(path, options);
  const [first = '', second = ''] = lines;
  if (/^\s*[[{]/.test(text)) return named('json');
  if (isBlockHeading(first) && (isBlockHeading(second) || /[,\t;]/.test(second))) return named('item-blocks');
  if (Object.keys(options.mapping ?? {}).length > 0 || options.header !== undefined || options.separator !== undefined)
    return named('table');
  if (/^[^\t]+\t[^\t]+\t[^\t]+\t[^\t]*\t(\S+-[01] ?)+$/.test(first)) return named('mind');
  if (/^[^,]+,("[^"]+"|[^,]+),(purchase|play),[\d.]+,0$/.test(first)) return named('steam-200k');
  if (first.split(/[,;|\t ]|::/).filter(isKnownName).length >= 2 || /:token\b/.test(first)) return named('table');
  if (lines.every((line) => /^\d+::\d+::[\d.]+::\d+$/.test(line))) return named('movielens-dat');
  if (/[,;|]|::/.test(first)) return named('table');
  const rows = lines.map((line) => line.trim().split(/\s+/));
  if (rows.every((row) => row.length === 1)) return named('table');
  // words of a header, or a text with blanks between tabs
  const isWords =
    rows.every((row) => row.every((word) => word.length <= 64)) && !lines.every((line) => line.includes('\t'));
  const isPairs = rows.every((row) => row.length === 2) && rows.every((row) => /^\d+$/.test(row[0]!));
  if (!isWords && !isPairs) return named('table');
  return named(ofWords(rows));
}
