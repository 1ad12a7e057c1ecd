import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import type { DatasetFile, DatasetFormat } from '#src/catalog/datasetInfo.ts';
import { allDatasets, knownDataset } from '#src/catalog/datasets.ts';
import { GENERATED_EXAMPLES } from '#src/catalog/generatedDatasets.ts';

export interface LocatedDataset {
  /** The name as the catalog spells it, or as it was asked for. */
  name: string;
  path: string;
  format: DatasetFormat;
  /** The file with the part to test on, of series that come in two; null where it is not beside the other. */
  testPath?: string | null;
}

const FORMATS: Readonly<Record<string, DatasetFormat>> = {
  '.txt': 'sequences',
  '.csv': 'table',
  '.tsv': 'table',
  '.inter': 'table',
  '.jsonl': 'json-lines',
};

/** Files of a name: those that the catalog gives, then those that carry an alias. */
function filesOf(name: string): readonly DatasetFile[] {
  const known = knownDataset(name);
  return known === undefined ? namedFiles(name) : [...known.files, ...(known.aliases ?? []).flatMap(namedFiles)];
}

/** Files by which an unknown name may be meant: its own, with every extension, and those with `-sequences` and `-ratings`. */
function namedFiles(name: string): readonly DatasetFile[] {
  const asIs = Object.keys(FORMATS).find((extension) => name.replace(/\.gz$/, '').endsWith(extension));
  if (asIs !== undefined) return [{ name: name.replace(/\.gz$/, ''), format: FORMATS[asIs]! }];
  const stems = [
    ['', ['.txt', '.csv', '.tsv', '.inter', '.jsonl']],
    ['-sequences', ['.txt']],
    ['-ratings', ['.csv', '.tsv']],
  ] as const;
  const files = stems.flatMap(([suffix, extensions]) =>
    extensions.map((extension) => ({ name: `${name}${suffix}${extension}`, format: FORMATS[extension]! })),
  );
  return [...files, ...seriesFiles(name)];
}

/** The two parts of labelled series, as the UCR archive and its copies call them. */
function seriesFiles(name: string): readonly DatasetFile[] {
  return SERIES_PARTS.flatMap(([train, test]) =>
    ['.tsv', '.ts', '.txt'].map((extension) => ({
      name: `${name}${train}${extension}`,
      test: `${name}${test}${extension}`,
      format: 'series' as const,
    })),
  );
}

const SERIES_PARTS = [
  ['_TRAIN', '_TEST'],
  ['-train', '-test'],
] as const;
const SERIES_PART = /(_TRAIN|_TEST)$/;

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The file in a folder, or in its subfolder of the dataset's name, plain or gzipped; null where there is none. */
function fileIn(folder: string, name: string, fileName: string): string | null {
  for (const path of [join(folder, fileName), join(folder, name, fileName)]) {
    for (const candidate of [path, `${path}.gz`]) if (isFile(candidate)) return candidate;
  }
  return null;
}

function find(name: string, folder: string, files: readonly DatasetFile[]): LocatedDataset | null {
  for (const { name: fileName, format, test } of files) {
    const path = fileIn(folder, name, fileName);
    if (path === null) continue;
    return { name, path, format, ...(test === undefined ? {} : { testPath: fileIn(folder, name, test) }) };
  }
  return null;
}

/**
 * The file with titles and genres of a dataset's items, by the names that the catalog gives, otherwise `NAME.item`,
 * `NAME-items.csv`, `NAME-items.tsv`, `NAME-movies.csv` or `NAME-movies.dat`; null where there is none.
 */
export function locateItemTable(name: string, folders: readonly string[]): string | null {
  const known = knownDataset(name);
  const names =
    known?.itemFiles ?? ['.item', '-items.csv', '-items.tsv', '-movies.csv', '-movies.dat'].map((end) => name + end);
  for (const folder of folders) {
    for (const fileName of names) {
      const path = fileIn(folder, known?.name ?? name, fileName);
      if (path !== null) return path;
    }
  }
  return null;
}

/** The name of a file of a format that is read by its extension, plain or gzipped, without that extension; null for others. */
export function readableStem(fileName: string): string | null {
  return /^(.+?)(\.txt|\.csv|\.tsv|\.inter|\.jsonl)(\.gz)?$/.exec(fileName)?.[1] ?? null;
}

/** Names by which the files of the folders could be asked for: known datasets that are there, and other readable files. */
function namesIn(folders: readonly string[]): string[] {
  const names = allDatasets().filter((dataset) =>
    folders.some((folder) => find(dataset.name, folder, filesOf(dataset.name)) !== null),
  );
  const taken = new Set(
    allDatasets().flatMap(({ name, itemFiles = [] }) => [...filesOf(name).map((file) => file.name), ...itemFiles]),
  );
  const others: string[] = [];
  for (const folder of folders) {
    let entries: string[] = [];
    try {
      entries = readdirSync(folder);
    } catch {
      // a folder that is not there holds nothing
    }
    for (const entry of entries) {
      const stem = readableStem(entry);
      if (stem !== null && !taken.has(entry.replace(/\.gz$/, ''))) others.push(stem.replace(SERIES_PART, ''));
    }
  }
  return [...names.map((dataset) => dataset.name), ...others];
}

/**
 * Finds the file of a dataset by its name: a known dataset by the names of its files, any other `NAME` or `group/NAME`
 * as `NAME.txt`, `.csv`, `.tsv`, `.inter`, `.jsonl`, `NAME-sequences.txt` or `NAME-ratings.csv`, gzipped or plain, in a folder or in
 * its subfolder `NAME`. The first folder that has it wins. Throws DATA_ERROR where none has it, with the folders searched and
 * names that are near, and for names that would leave the folders.
 */
export function locateDataset(name: string, folders: readonly string[]): LocatedDataset {
  if (name.split(/[/\\]/).some((part) => part === '..' || part === '.' || part === '')) {
    throw new WarrenError('DATA_ERROR', `dataset "${name}": expected NAME or group/NAME`, { path: 'dataset.name' });
  }
  const canonical = knownDataset(name)?.name ?? name;
  for (const folder of folders) {
    const found = find(canonical, folder, filesOf(canonical));
    if (found !== null) return found;
  }
  const known = knownDataset(name);
  const searched = folders.length === 0 ? 'no folder was searched (set WARREN_DATA)' : `searched ${folders.join(', ')}`;
  const files = filesOf(canonical)
    .slice(0, 3)
    .map((file) => file.name);
  const remedy =
    known === undefined
      ? didYouMean(name, [...namesIn(folders), ...GENERATED_EXAMPLES, ...allDatasets().map((dataset) => dataset.name)])
      : ` Its home is ${known.home}${known.downloads.length > 0 ? `; fetch it with: warren data download ${known.name}` : ''}.`;
  throw new WarrenError(
    'DATA_ERROR',
    `dataset "${name}" was not found: ${searched} for ${files.join(', ')}, gzipped or plain.${remedy}`,
    { path: 'dataset.name' },
  );
}

/** Names of the known datasets and other readable files that are in the folders. */
export function datasetsPresent(folders: readonly string[]): string[] {
  return [...new Set(namesIn(folders))].sort();
}
