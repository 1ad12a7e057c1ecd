import { WarrenError } from '../../src/contracts/errors.ts';
import { assertNever } from '../../src/lib/assertNever.ts';
import type { Interactions } from './interactions.ts';
import type { LocatedDataset } from './locateDataset.ts';
import { readSequences } from './readSequences.ts';
import { readTable } from './readTable.ts';
import type { TableColumns } from './tableColumns.ts';

/** `user item rating time`, separated by spaces: the files of LEPORID. */
const USER_ITEM_RATING_TIME: TableColumns = { user: 0, item: 1, rating: 2, time: 3, count: 4, separator: ' ' };

/** Reads the file of a dataset in its format. Throws DATA_ERROR for bad files, and for data without a time order. */
export async function readInteractions({ name, path, format }: LocatedDataset): Promise<Interactions> {
  switch (format) {
    case 'sequences':
      return readSequences(path);
    case 'table':
      return readTable(path);
    case 'user-item-rating-time':
      return readTable(path, USER_ITEM_RATING_TIME);
    case 'unordered':
      throw new WarrenError(
        'DATA_ERROR',
        `dataset "${name}" (${path}) has no time order, so the last interaction of a user, which leave-one-out tests on, is unknown. Choose a dataset with times`,
        { path: 'dataset.name' },
      );
    default:
      return assertNever(format);
  }
}
