import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WarrenError } from '../../src/contracts/errors.ts';
import { coerceError } from '../../src/lib/coerceError.ts';
import { stableHash } from '../../src/lib/stableHash.ts';
import type { DatasetSelection } from '../../src/catalog/datasetSelection.ts';
import { isGenerated, parseGeneratedName } from '../../src/catalog/generatedDatasets.ts';
import { CACHE_VERSION, decodeCache, encodeCache } from './cacheFile.ts';
import { coreFilter } from './coreFilter.ts';
import { fingerprint } from './fingerprint.ts';
import { generateMarkov } from './generateMarkov.ts';
import { groupByUser, type SequenceRows } from './groupByUser.ts';
import type { Interactions } from './interactions.ts';
import { type LocatedDataset, locateDataset } from './locateDataset.ts';
import { readInteractions } from './readInteractions.ts';
import type { SequenceDataset } from './sequenceDataset.ts';
import { sourceChecksum } from './sourceChecksum.ts';
import { writeAtomically } from './writeAtomically.ts';

export interface LoadOptions {
  /** Searched in this order. */
  folders: readonly string[];
  /** Where preprocessed datasets are kept between loads; null to read the file every time. */
  cacheFolder: string | null;
  /** Told what went wrong without keeping the data from being loaded: a damaged cache, a folder that cannot be written. */
  warn?: (text: string) => void;
}

/** All that preprocessing does before users are cut: fingerprint, then the k-core. */
function preprocess(interactions: Interactions, name: string, core: number): SequenceDataset {
  const all = groupByUser(interactions, coreFilter(interactions, 0));
  const described = { name, fingerprint: fingerprint(all) };
  if (core <= 1) return { ...described, ...all };
  const rows = groupByUser(interactions, coreFilter(interactions, core));
  if (rows.items.length === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${name}": its ${core}-core is empty (${all.userCount} users, ${all.itemCount} items, ${all.items.length} interactions before). Choose a smaller core`,
      { path: 'dataset.core' },
    );
  }
  return { ...described, ...rows };
}

/** The first users of a dataset; items keep their numbers, met or not. */
function firstUsers(dataset: SequenceDataset, maximumUsers: number | null): SequenceDataset {
  if (maximumUsers === null || maximumUsers >= dataset.userCount) return dataset;
  const rows: Partial<SequenceRows> = {
    offsets: dataset.offsets.slice(0, maximumUsers + 1),
    items: dataset.items.slice(0, dataset.offsets[maximumUsers]!),
    userCount: maximumUsers,
    userIds: dataset.userIds.slice(0, maximumUsers),
  };
  return { ...dataset, ...rows };
}

async function readCached(path: string, warn: (text: string) => void): Promise<SequenceDataset | null> {
  const file = await readFile(path).catch(() => null);
  if (file === null) return null;
  const dataset = decodeCache(file);
  if (dataset === null) warn(`the cached dataset ${path} is damaged: it is made again`);
  return dataset;
}

async function loadFile(located: LocatedDataset, core: number, options: LoadOptions): Promise<SequenceDataset> {
  const { name, path, format } = located;
  const { cacheFolder, warn = () => undefined } = options;
  if (cacheFolder === null || format === 'unordered') return preprocess(await readInteractions(located), name, core);
  const checksum = await sourceChecksum(path, cacheFolder);
  const key = stableHash({ version: CACHE_VERSION, checksum, format, core });
  const cachePath = join(cacheFolder, 'datasets', `${key}.bin`);
  const cached = await readCached(cachePath, warn);
  if (cached !== null) return { ...cached, name };
  const dataset = preprocess(await readInteractions(located), name, core);
  await writeAtomically(cachePath, encodeCache(dataset)).catch((thrown: unknown) => {
    warn(`dataset "${name}" could not be kept in ${cacheFolder}: ${coerceError(thrown).message}`);
  });
  return dataset;
}

/**
 * Loads a dataset as `selection` says: reads it (or generates it: `generated/…`), filters it to its `core`-core, repeated
 * until stable, and then keeps the first `maximumUsers` users, so that item numbers stay. The fingerprint is that of the
 * data as read. A second load of the same file comes from a binary cache, keyed by the file's sha256 and the preprocessing.
 * Throws DATA_ERROR for datasets that are not found and files that are not right, BAD_INPUT for malformed generated names.
 */
export async function loadSequenceDataset(selection: DatasetSelection, options: LoadOptions): Promise<SequenceDataset> {
  const { name, core, maximumUsers } = selection;
  if (isGenerated(name)) {
    const { users, items, seed } = parseGeneratedName(name);
    return firstUsers(preprocess(generateMarkov(users, items, seed), name, core), maximumUsers);
  }
  const located = locateDataset(name, options.folders);
  return firstUsers(await loadFile(located, core, options), maximumUsers);
}
