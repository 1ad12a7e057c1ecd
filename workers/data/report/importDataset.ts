import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { DatasetFormat } from '#src/catalog/datasetInfo.ts';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { allDatasets } from '#src/catalog/datasets.ts';
import { GENERATED_PREFIX } from '#src/catalog/generatedDatasets.ts';
import { badInput, WarrenError } from '#src/contracts/errors.ts';
import type { SkippedLines } from '../read/badLines.ts';
import type { Interactions } from '../prepare/interactions.ts';
import { readInteractions } from '../read/readInteractions.ts';
import { readItemTable } from '../read/readItemTable.ts';
import { sourceChecksum } from '../load/sourceChecksum.ts';
import type { ColumnMapping } from '../read/tableColumns.ts';
import { writeAtomically } from '../load/writeAtomically.ts';

export interface ImportRequest {
  name: string;
  /** Read in this order, as one dataset. */
  files: readonly string[];
  /** Where it is kept, as `NAME.inter`. */
  folder: string;
  mapping: ColumnMapping;
  lenient: boolean;
  /** Put it in the place of an import of the same name. */
  replace: boolean;
  /** A file with titles of the items, kept beside it. */
  items: string | null;
}

export interface ImportResult {
  path: string;
  interactions: number;
  /** Bad lines that were left out, by file. */
  skipped: { file: string; lines: SkippedLines }[];
}

const ROWS_A_PART = 65_536;

function formatOf(file: string, mapping: ColumnMapping): DatasetFormat {
  const name = basename(file).replace(/\.gz$/, '');
  if (/\.(jsonl|ndjson|json)$/.test(name)) return 'json-lines';
  if (/\.dat$/.test(name) && Object.keys(mapping).length === 0) return 'movielens-dat';
  return /\.txt$/.test(name) && Object.keys(mapping).length === 0 ? 'sequences' : 'table';
}

function checkName(name: string): void {
  const parsed = datasetSelectionSchema.safeParse({ name });
  if (!parsed.success || name.split('/').some((part) => part === '' || part.startsWith('.'))) {
    throw badInput(`"${name}": expected a name of letters, digits and . _ -, such as my-shop or shops/berlin`, 'name');
  }
  const wanted = name.toLowerCase();
  const taken = allDatasets().some(
    ({ name: known, aliases = [] }) => known.toLowerCase() === wanted || aliases.includes(wanted),
  );
  if (taken || name.startsWith(GENERATED_PREFIX)) {
    throw badInput(`"${name}" is the name of a known dataset. Choose another`, 'name');
  }
}

function field(text: string): string {
  return /["\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of the files as RecBole's `.inter`, in parts, so that no more than a part is in memory as text. */
function* interParts(all: readonly Interactions[], time: 'timestamp' | 'order' | null): Generator<Buffer> {
  const rated = all.every(({ ratings }) => ratings);
  const header = ['user_id:token', 'item_id:token'];
  if (rated) header.push('rating:float');
  if (time !== null) header.push(`${time}:float`);
  let text = `${header.join('\t')}\n`;
  let rows = 0;
  for (const { users, items, times, ratings, userIds, itemIds } of all) {
    for (let i = 0; i < users.length; i++) {
      text += `${field(userIds[users[i]!]!)}\t${field(itemIds[items[i]!]!)}`;
      if (rated) text += `\t${Number(ratings![i]!.toPrecision(7))}`;
      // without times the order of the lines is the order
      if (time !== null) text += `\t${times === null ? rows : times[i]!}`;
      text += '\n';
      if (++rows % ROWS_A_PART !== 0) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}

/** What tells the order of all files: a clock, a place in the user's order, or (null) nothing. */
function orderOf(all: readonly Interactions[], files: readonly string[], formats: readonly DatasetFormat[]) {
  const kinds = all.map(({ times, clock }, place) =>
    times !== null ? (clock === true ? 'timestamp' : 'order') : formats[place] === 'sequences' ? 'order' : null,
  );
  const other = kinds.findIndex((kind) => kind !== kinds[0]);
  if (other !== -1) {
    throw badInput(
      `${files[0]} and ${files[other]} do not tell the order alike: both need times, or both the same columns`,
      'files',
    );
  }
  return kinds[0] ?? null;
}

/**
 * Registers files as a dataset of one's own: reads them, strictly unless told otherwise, and keeps them as one table
 * `NAME.inter` (RecBole) in `folder`, with a record of where they came from. Nothing is left behind where a file is refused.
 * Throws BAD_INPUT for names that are taken or malformed, CONFLICT where there is such an import already, and as the
 * readers do.
 */
export async function importDataset(request: ImportRequest): Promise<ImportResult> {
  const { name, files, folder, mapping, lenient, items } = request;
  checkName(name);
  if (files.length === 0) throw badInput('no files were given', 'files');
  const path = join(folder, `${name}.inter`);
  if (!request.replace && (await stat(path).catch(() => null)) !== null) {
    throw new WarrenError('CONFLICT', `${path} is there already. Replace it with --replace, or choose another name`, {
      path: 'name',
    });
  }
  const formats = files.map((file) => formatOf(file, mapping));
  const all: Interactions[] = [];
  for (const [place, file] of files.entries()) {
    all.push(
      await readInteractions({ name, path: file, format: formats[place]! }, { mapping, lenient, needsTime: false }),
    );
  }
  const time = orderOf(all, files, formats);
  if (items !== null) await readItemTable(items);

  const skipped = all.flatMap(({ skipped: lines }, place) =>
    lines === undefined || lines.count === 0 ? [] : [{ file: files[place]!, lines }],
  );
  const sources = await Promise.all(files.map(async (file) => ({ file, sha256: await sourceChecksum(file, null) })));
  const record = { name, sources, mapping, lenient, skipped };
  await mkdir(dirname(path), { recursive: true });
  if (items !== null) await keepItems(items, join(folder, name));
  await writeAtomically(join(folder, `${name}.import.json`), [Buffer.from(`${JSON.stringify(record, null, 2)}\n`)]);
  await writeAtomically(path, interParts(all, time));
  return { path, interactions: all.reduce((sum, { items: met }) => sum + met.length, 0), skipped };
}

async function keepItems(items: string, stem: string): Promise<void> {
  const gz = items.endsWith('.gz') ? '.gz' : '';
  const extension = extname(items.replace(/\.gz$/, ''));
  const end =
    extension === '.item'
      ? '.item'
      : extension === '.dat'
        ? '-movies.dat'
        : extension === '.csv'
          ? '-items.csv'
          : '-items.tsv';
  const target = `${stem}${end}${gz}`;
  const temporary = `${target}.tmp`;
  try {
    await copyFile(items, temporary);
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}
