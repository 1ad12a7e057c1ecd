import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';
import type { DatasetSelection, SplitName } from '#src/catalog/datasetSelection.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { isGenerated, parseGeneratedName } from '#src/catalog/generatedDatasets.ts';
import { CACHE_VERSION, decodeCache, encodeCache } from './cacheFile.ts';
import { generateInteractions } from '../generate/generateInteractions.ts';
import { type LocatedDataset, locateDataset } from './locateDataset.ts';
import { type Preprocessing, preprocess } from '../prepare/preprocess.ts';
import { readInteractions } from '../read/readInteractions.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { sourceChecksum } from './sourceChecksum.ts';
import { writeAtomically } from './writeAtomically.ts';

export interface LoadOptions {
  /** Searched in this order. */
  folders: readonly string[];
  /** Where preprocessed datasets are kept between loads; null to read the file every time. */
  cacheFolder: string | null;
  /** Told what went wrong without keeping the data from being loaded: a damaged cache, a folder that cannot be written. */
  warn?: (text: string) => void;
  /** The data is only to be counted: a time order is not needed. Off. */
  countOnly?: boolean;
}

/** The first users of a dataset; items keep their numbers, met or not. */
function firstUsers(dataset: SequenceDataset, maximumUsers: number | null): SequenceDataset {
  if (maximumUsers === null || maximumUsers >= dataset.userCount) return dataset;
  const end = dataset.offsets[maximumUsers]!;
  return {
    ...dataset,
    offsets: dataset.offsets.slice(0, maximumUsers + 1),
    items: dataset.items.slice(0, end),
    ...(dataset.times === undefined ? {} : { times: dataset.times.slice(0, end) }),
    ...(dataset.parts === undefined ? {} : { parts: dataset.parts.slice(0, end) }),
    userCount: maximumUsers,
    userIds: dataset.userIds.slice(0, maximumUsers),
  };
}

async function readCached(path: string, warn: (text: string) => void): Promise<SequenceDataset | null> {
  const file = await readFile(path).catch(() => null);
  if (file === null) return null;
  const dataset = decodeCache(file);
  if (dataset === null) warn(`the cached dataset ${path} is damaged: it is made again`);
  return dataset;
}

/** Splits that can be made of data whose order nothing tells. */
const ORDERLESS: readonly SplitName[] = ['random-by-item', 'random-by-user', 'given'];

/** What of a selection decides what is read and kept, and with it the cache entry. */
function reading(selection: DatasetSelection, countOnly: boolean) {
  const { core, coreRule, minimumRating, duplicates, maximumLength, lenient, split } = selection;
  const how: Preprocessing = { core, coreRule, minimumRating, duplicates, maximumLength };
  return { how, options: { lenient, needsTime: !ORDERLESS.includes(split) && !countOnly } };
}

async function loadFile(
  located: LocatedDataset,
  selection: DatasetSelection,
  options: LoadOptions,
): Promise<SequenceDataset> {
  const { name, path, format } = located;
  const { cacheFolder, warn = () => undefined } = options;
  const read = reading(selection, options.countOnly === true);
  const whole = { ...read.options, wholeLines: knownDataset(name) !== undefined && !read.options.lenient };
  const fresh = async () => preprocess(await readInteractions(located, whole), name, read.how);
  if (cacheFolder === null || (format === 'unordered' && read.options.needsTime)) return fresh();
  const checksum = await sourceChecksum(path, cacheFolder);
  const key = stableHash({ version: CACHE_VERSION, checksum, format, ...read });
  const cachePath = join(cacheFolder, 'datasets', `${key}.bin`);
  const cached = await readCached(cachePath, warn);
  if (cached !== null) return { ...cached, name };
  const dataset = await fresh();
  await writeAtomically(cachePath, encodeCache(dataset)).catch((thrown: unknown) => {
    warn(`dataset "${name}" could not be kept in ${cacheFolder}: ${coerceError(thrown).message}`);
  });
  return dataset;
}

/** What a person should know of the data before trusting its numbers. */
function warnings({ name, preparation, userCount }: SequenceDataset): string[] {
  if (preparation === undefined) return [];
  const { skippedLines, ties } = preparation;
  const count = (value: number): string => value.toLocaleString('en');
  const texts: string[] = [];
  if (skippedLines !== null) {
    const [first] = skippedLines.first;
    texts.push(
      `dataset "${name}": ${count(skippedLines.count)} lines were skipped, the first line ${first?.line}: ${first?.reason}`,
    );
  }
  if (ties !== null && ties.lastItems > 0) {
    texts.push(
      `dataset "${name}": the last interaction of ${count(ties.lastItems)} of ${count(userCount)} users shares its time with the one before it; their order is that of the file`,
    );
  }
  return texts;
}

/**
 * Loads a dataset as `selection` says: reads it (or generates it: `generated/…`), preprocesses it (`preprocess`), and then
 * keeps the first `maximumUsers` users, so that item numbers stay. The fingerprint is that of the data as read. A second
 * load of the same file comes from a binary cache, keyed by the file's sha256, the preprocessing and how it is read.
 * Throws DATA_ERROR for datasets that are not found and files that are not right, BAD_INPUT for malformed generated names.
 */
export async function loadSequenceDataset(selection: DatasetSelection, options: LoadOptions): Promise<SequenceDataset> {
  const { name, maximumUsers } = selection;
  if (isGenerated(name)) {
    const { how } = reading(selection, false);
    return firstUsers(preprocess(generateInteractions(parseGeneratedName(name)), name, how), maximumUsers);
  }
  const located = locateDataset(name, options.folders);
  const dataset = await loadFile(located, selection, options);
  for (const text of warnings(dataset)) options.warn?.(text);
  return firstUsers(dataset, maximumUsers);
}
