import { WarrenError } from '#src/base/contracts/errors.ts';
import type { FileReader } from '#src/catalog/readers.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Interactions } from '../prepare/interactions.ts';
import type { LocatedDataset } from '../load/locateDataset.ts';
import { readImpressions } from './readImpressions.ts';
import { readItemBlocks } from './readItemBlocks.ts';
import { readJson } from './readJson.ts';
import type { ReadOptions } from './readOptions.ts';
import { readSequences } from './readSequences.ts';
import { readTable } from './readTable.ts';
import type { TableColumns } from './tableColumns.ts';

/** Tables without a header, by their format. */
const HEADLESS = {
  'user-item-rating-time': { user: 0, item: 1, rating: 2, time: 3, count: 4, separator: ' ' },
  'movielens-dat': { user: 0, item: 1, rating: 2, time: 3, count: 4, separator: '::' },
  'movielens-tabs': { user: 0, item: 1, rating: 2, time: 3, count: 4, separator: '\t' },
  'amazon-ratings': { user: 0, item: 1, rating: 2, time: 3, count: 4, separator: ',' },
} as const satisfies Record<string, TableColumns>;

/** Reads a file with a reader by name; `options` count before what the reader knows. Throws as `readTable` does. */
export function readWith({ form, settings }: FileReader, path: string, options: ReadOptions): Promise<Interactions> {
  const { time, ...others } = settings;
  // a map of one's own is of all columns, not beside those of the reader
  const mapping = Object.keys(options.mapping ?? {}).length > 0 ? options.mapping : settings.mapping;
  const rule = options.time ?? (options.mapping?.time === undefined ? time : undefined);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const all: ReadOptions = {
    ...others,
    ...given,
    ...(mapping === undefined ? {} : { mapping }),
    ...(rule === undefined ? {} : { time: rule }),
  };
  switch (form) {
    case 'table':
      return readTable(path, null, all);
    case 'pairs':
      return readTable(path, null, { header: false, mapping: { user: '1', item: '2' }, time: 'line', ...all });
    case 'sequences':
      return readSequences(path, all);
    case 'json':
      return readJson(path, all);
    case 'item-blocks':
      return readItemBlocks(path, all);
    case 'impressions':
      return readImpressions(path, all);
    default:
      return assertNever(form);
  }
}

/**
 * Reads the file of a dataset in its format. Throws DATA_ERROR for bad files, for data without a time order unless
 * `needsTime` is off, and for formats that hold no interactions.
 */
export async function readInteractions(
  { name, path, format }: LocatedDataset,
  options: ReadOptions = {},
): Promise<Interactions> {
  switch (format) {
    case 'sequences':
      return readSequences(path, options);
    case 'table':
      return readTable(path, null, options);
    case 'json-lines':
      return readJson(path, options);
    case 'user-item-rating-time':
    case 'movielens-dat':
    case 'movielens-tabs':
    case 'amazon-ratings':
      return readTable(path, HEADLESS[format], options);
    case 'unordered':
      if (options.needsTime === false) return readTable(path, null, options);
      throw new WarrenError(
        'DATA_ERROR',
        `dataset "${name}" (${path}) has no time order, so the last interaction of a user, which leave-one-out tests on, is unknown. Choose a dataset with times, or --set dataset.split=random-by-user`,
        { path: 'dataset.name' },
      );
    default:
      throw new WarrenError('DATA_ERROR', `dataset "${name}" (${path}) holds ${HOLDS[format]}, not interactions`, {
        path: 'dataset.name',
      });
  }
}

const HOLDS = { series: 'labelled time series', prices: 'daily prices', text: 'labelled texts' } as const;
