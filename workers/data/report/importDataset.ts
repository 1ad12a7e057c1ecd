import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { allDatasets } from '#src/catalog/datasets.ts';
import { GENERATED_PREFIX } from '#src/catalog/generatedDatasets.ts';
import { addedReaders } from '#src/catalog/modules/addedContent.ts';
import { FILE_READERS } from '#src/catalog/readers.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { ImportSummary } from '#src/base/contracts/importSummary.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { checkEncoding } from '../read/containers/toUtf8.ts';
import { PART_COLUMN } from '../read/tableColumns.ts';
import { readItemTable } from '../read/readItemTable.ts';
import { readWith } from '../read/readInteractions.ts';
import type { ReadOptions } from '../read/readOptions.ts';
import { readOwn } from '../read/readOwn.ts';
import { UNTAKEN } from '../read/readTable.ts';
import { recognizeReader } from '../read/recognizeReader.ts';
import { checkTimeFormat } from '../read/timeColumn.ts';
import { sourceChecksum } from '../load/sourceChecksum.ts';
import { writeAtomically } from '../load/writeAtomically.ts';
import { importSummary, type ReadFile } from './importSummary.ts';

export interface ImportRequest {
  name: string;
  /** Read in this order, as one dataset; those to train on, where it comes with a split. */
  files: readonly string[];
  /** The other parts of a split that the dataset comes with; empty where it comes with none. */
  parts: readonly { part: 'valid' | 'test'; file: string }[];
  /** Where it is kept, as `NAME.inter`. */
  folder: string;
  /** The reader, by name; null to recognize it by the content of each file. */
  format: string | null;
  /** How the files are read, where the reader does not know better. */
  options: Omit<ReadOptions, 'maximumBytes' | 'wholeLines' | 'bytes' | 'needsTime' | 'emptyLists'>;
  /** Put it in the place of an import of the same name. */
  replace: boolean;
  /** Only tell what would be kept. */
  dryRun: boolean;
  /** A file with titles of the items, kept beside it. */
  items: string | null;
}

export interface ImportResult {
  /** Null where nothing was kept. */
  path: string | null;
  summary: ImportSummary;
}

const ROWS_A_PART = 65_536;

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
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of the files as RecBole's `.inter`, in parts, so that no more than a part is in memory as text. */
function* interParts(all: readonly ReadFile[], time: Order): Generator<Buffer> {
  const rated = all.every(({ interactions }) => interactions.ratings);
  const header = ['user_id:token', 'item_id:token'];
  if (rated) header.push('rating:float');
  if (time !== null) header.push(`${time}:float`);
  const hasParts = all.some(({ part }) => part !== 'train');
  if (hasParts) header.push(PART_COLUMN);
  let text = `${header.join('\t')}\n`;
  let rows = 0;
  for (const { interactions, part } of all) {
    const { users, items, times, ratings, userIds, itemIds, understanding } = interactions;
    const perSecond = understanding?.perSecond ?? 1;
    // an order is that of all lines, over all files
    const isClock = time === 'timestamp';
    const [userFields, itemFields] = [userIds.map(field), itemIds.map(field)];
    for (let i = 0; i < users.length; i++) {
      text += `${userFields[users[i]!]!}\t${itemFields[items[i]!]!}`;
      if (rated) text += `\t${Number.isNaN(ratings![i]!) ? '' : Number(ratings![i]!.toPrecision(7))}`;
      if (time !== null)
        text += `\t${times === null || (!isClock && interactions.clock === false && understanding?.columns.time === null) ? rows : perSecond === 1 || !isClock ? times[i]! : times[i]! / perSecond}`;
      if (hasParts) text += `\t${part}`;
      text += '\n';
      if (++rows % ROWS_A_PART !== 0) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}

/** What tells the order of all files: a clock, a place in the user's order, or (null) nothing. */
type Order = 'timestamp' | 'order' | null;

function orderOf(all: readonly ReadFile[]): Order {
  const kinds = all.map(({ interactions: { times, clock, understanding } }) => {
    if (times === null) return understanding?.times == null ? null : 'order';
    return clock === true ? 'timestamp' : 'order';
  });
  const scaled = all.map(({ interactions }) => interactions.understanding?.perSecond !== null);
  const other = kinds.findIndex(
    (kind, place) => kind !== kinds[0] || (kind === 'timestamp' && scaled[place] !== scaled[0]),
  );
  if (other !== -1) {
    throw badInput(
      `${all[0]?.file} and ${all[other]?.file} do not tell the order alike: both need times, or both the same columns`,
      'files',
    );
  }
  return kinds[0] ?? null;
}

/** Nothing tells the order, though a column looks as if it could: a person has to say. */
function refuseUntakenTime({ file, interactions }: ReadFile, options: ImportRequest['options']): void {
  const notes = interactions.understanding?.notes ?? [];
  const names = notes.filter((note) => note.startsWith(UNTAKEN)).map((note) => note.slice(UNTAKEN.length));
  if (interactions.understanding !== undefined)
    interactions.understanding.notes = notes.filter((note) => !note.startsWith(UNTAKEN));
  if (
    names.length === 0 ||
    options.time !== undefined ||
    options.mapping?.time === 'none' ||
    interactions.times !== null
  )
    return;
  throw new WarrenError(
    'DATA_ERROR',
    `${file}: no column is known as the time, but ${names.map((name) => `"${name}"`).join(' and ')} looks like one. Say --map …,time=${names[0]}, or --time none, or --time line where the lines are in order`,
    { path: file },
  );
}

async function readFile(
  file: string,
  part: ReadFile['part'],
  { format, options, parts }: ImportRequest,
): Promise<ReadFile> {
  let member: string | null = null;
  const all: ReadOptions = {
    ...options,
    needsTime: false,
    emptyLists: parts.length > 0,
    onMember: (name) => (member = name),
  };
  const own = addedReaders().find(({ name }) => name === format);
  if (own !== undefined) return { file, part, interactions: await readOwn(own, file, all), member };
  const reader = format === null ? await recognizeReader(file, all) : FILE_READERS.find(({ name }) => name === format);
  if (reader === undefined) {
    const names = [...FILE_READERS, ...addedReaders()].map(({ name }) => name);
    throw badInput(
      `"${format}" is no reader.${didYouMean(format ?? '', names)} There are ${names.join(', ')}`,
      '--format',
    );
  }
  const interactions = await readWith(reader, file, all);
  if (interactions.understanding !== undefined && !['table', 'json', 'pairs', 'sequences'].includes(reader.name)) {
    interactions.understanding.notes = [`read as ${reader.name}: ${reader.words}`, ...interactions.understanding.notes];
  }
  return { file, part, interactions, member };
}

const NO_ORDER =
  'no column tells the order: splits by time refuse this dataset, and kinds that need no order run with --set dataset.split=random-by-user. If the lines are in order: --time line';

/**
 * Registers files as a dataset of one's own: reads them, strictly unless told otherwise, and keeps them as one table
 * `NAME.inter` (RecBole) in `folder`, times in seconds, with a record of where they came from and what was understood of them.
 * Nothing is left behind where a file is refused. Throws BAD_INPUT for names that are taken or malformed and options that
 * there are not, CONFLICT where there is such an import already, and as the readers do.
 */
export async function importDataset(request: ImportRequest): Promise<ImportResult> {
  const { name, files, folder, options, items } = request;
  checkName(name);
  checkEncoding(options.encoding);
  checkTimeFormat(options.timeFormat ?? null);
  if (files.length === 0) throw badInput('no files were given', 'files');
  const path = join(folder, `${name}.inter`);
  if (!request.dryRun && !request.replace && (await stat(path).catch(() => null)) !== null) {
    throw new WarrenError('CONFLICT', `${path} is there already. Replace it with --replace, or choose another name`, {
      path: 'name',
    });
  }
  const all: ReadFile[] = [];
  const parts = [...files.map((file) => ({ part: 'train' as const, file })), ...request.parts];
  for (const { part, file } of parts) {
    const read = await readFile(file, part, request);
    refuseUntakenTime(read, options);
    all.push(read);
  }
  const order = orderOf(all);
  if (items !== null) await readItemTable(items);
  const summary: ImportSummary = { ...importSummary(all), ordered: order !== null };
  if (order === null && options.time !== 'none') summary.files[0]?.notes.push(NO_ORDER);
  if (request.dryRun) return { path: null, summary };

  const sources = await Promise.all(
    parts.map(async ({ part, file }) => ({ file, part, sha256: await sourceChecksum(file, null) })),
  );
  const record = { name, sources, format: request.format, options, summary };
  await mkdir(dirname(path), { recursive: true });
  if (items !== null) await keepItems(items, join(folder, name));
  await writeAtomically(join(folder, `${name}.import.json`), [Buffer.from(`${JSON.stringify(record, null, 2)}\n`)]);
  await writeAtomically(path, interParts(all, order));
  return { path, summary };
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
