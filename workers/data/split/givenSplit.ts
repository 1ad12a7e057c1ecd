import { badInput } from '#src/base/contracts/errors.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import type { OrderedSplit } from './orderedSplit.ts';
import { splitByPart } from './splitByPart.ts';

/** The split that a dataset came with. Throws BAD_INPUT for a dataset without parts. */
export function givenSplit(dataset: SequenceDataset): OrderedSplit {
  if (dataset.parts !== undefined) return splitByPart(dataset, dataset.parts);
  throw badInput(
    `dataset "${dataset.name}" came without a split. Import its parts: warren data import NAME --train FILE --test FILE, or choose another split`,
    'dataset.split',
  );
}
