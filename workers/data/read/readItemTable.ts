import { badLine } from './badLine.ts';
import type { ReadOptions } from './readOptions.ts';
import { plainName } from './tableColumns.ts';
import { splitQuoted, tableFields } from './tableFields.ts';
import { textLines } from './textLines.ts';

/** What is known of an item beside who met it. */
export interface ItemInfo {
  title: string;
  genres: readonly string[];
}

interface ItemColumns {
  id: number;
  title: number;
  genres: number | null;
  count: number;
  separator: string;
  genreSeparator: RegExp;
}

const NAMES = {
  id: ['itemid', 'movieid', 'gameid', 'animeid', 'animeids', 'asin', 'productid', 'appid', 'item', 'id'],
  title: ['title', 'movietitle', 'name', 'gamename', 'productname', 'appname'],
  genres: ['genres', 'genre', 'class', 'categories', 'category', 'tags'],
} as const;

/** `id::title::genre|genre`: the `movies.dat` of MovieLens, without a header. */
const MOVIES_DAT: ItemColumns = { id: 0, title: 1, genres: 2, count: 3, separator: '::', genreSeparator: /\|/ };

function columnsOf(header: string, path: string): ItemColumns {
  const separator = ['\t', ',', ';'].find((candidate) => header.includes(candidate)) ?? ',';
  const raw = header.split(separator);
  const names = raw.map(plainName);
  const find = (what: keyof typeof NAMES): number =>
    NAMES[what].map((name) => names.indexOf(name)).find((index) => index !== -1) ?? -1;
  const [id, title, genres] = [find('id'), find('title'), find('genres')];
  if (id === -1 || title === -1) {
    throw badLine(path, 1, `the columns ${names.join(', ')}`, 'a header with an item id and a title or name');
  }
  const isRecbole = /:token_seq\s*$/.test(raw[genres] ?? '');
  return {
    id,
    title,
    genres: genres === -1 ? null : genres,
    count: names.length,
    separator,
    genreSeparator: isRecbole ? / / : /\||, /,
  };
}

function fieldsOf(text: string, { separator, count }: ItemColumns): string[] {
  if (separator === '::' || !text.includes('"')) return text.split(separator);
  const to = tableFields(count);
  splitQuoted(text, separator, to);
  // a title may hold a lone quote: then the quotes were none
  if (to.count !== count) return text.split(separator);
  return Array.from(to.starts, (start, column) => to.bytes.toString('utf8', start, to.ends[column]));
}

/**
 * Titles and genres by item id: `movies.dat` of MovieLens (`id::title::genre|genre`, Latin-1), or a CSV or TSV with a header
 * that has an item id and a title, RecBole's `.item` among them. Text is read as UTF-8, lines that are none as Latin-1. Throws
 * DATA_ERROR for a header without these columns and, with file and line, for lines with another number of fields.
 */
export async function readItemTable(
  path: string,
  options: Pick<ReadOptions, 'maximumBytes' | 'bytes'> = {},
): Promise<ReadonlyMap<string, ItemInfo>> {
  const items = new Map<string, ItemInfo>();
  let columns: ItemColumns | null = null;
  for await (const { text, line } of textLines(path, 'auto', options)) {
    if (text === null) continue;
    if (columns === null) {
      columns = text.includes('::') ? MOVIES_DAT : columnsOf(text, path);
      if (columns !== MOVIES_DAT) continue;
    }
    const fields = fieldsOf(text, columns);
    if (fields.length !== columns.count) {
      throw badLine(path, line, `${fields.length} fields`, `${columns.count} fields`);
    }
    const genres = columns.genres === null ? '' : (fields[columns.genres] ?? '');
    items.set(fields[columns.id]!, {
      title: fields[columns.title]!.trim(),
      genres: genres.split(columns.genreSeparator).filter((genre) => genre !== '' && genre !== '(no genres listed)'),
    });
  }
  if (items.size === 0) throw badLine(path, 1, 'no items', 'one item a line');
  return items;
}
