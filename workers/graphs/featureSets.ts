import { sparseFromTriplets } from '../math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';

/** Sets of features, one a node: row r of a matrix whose stored entries are the members, whatever their values. */
export type FeatureSets = Pick<SparseMatrix, 'rowCount' | 'columnCount' | 'offsets' | 'columns'>;

/** The part of each user's sequence, from its first item to before `ends[user]`, that is looked at. */
export interface SequencePart {
  dataset: SequenceDataset;
  /** (users) */
  ends: Uint32Array;
}

/** (users, items) 1 where the user met the item in the part, however often. Its transpose has the users of each item. */
export function interactionMatrix({ dataset, ends }: SequencePart): SparseMatrix {
  const { userCount, itemCount, offsets, items } = dataset;
  let total = 0;
  for (let user = 0; user < userCount; user++) total += ends[user]! - offsets[user]!;
  const rows = new Uint32Array(total);
  const columns = new Uint32Array(total);
  let count = 0;
  for (let user = 0; user < userCount; user++) {
    for (let at = offsets[user]!; at < ends[user]!; at++) {
      rows[count] = user;
      columns[count++] = items[at]!;
    }
  }
  const met = sparseFromTriplets({ rowCount: userCount, columnCount: itemCount, rows, columns });
  return { ...met, values: met.values.fill(1) };
}
