import type { Shares } from '#src/catalog/datasetSelection.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import type { TrainingPart } from './trainingPart.ts';

/**
 * A split that cuts every user's sequence in three, as places in the dataset: nothing is copied. User `u` trains on
 * `items[offsets[u] .. trainEnd[u]]`, validates on `[trainEnd[u] .. validationEnd[u]]` and is tested on
 * `[validationEnd[u] .. offsets[u + 1]]`; any of them may be empty.
 */
export interface OrderedSplit extends TrainingPart {
  /** (users) */
  validationEnd: Uint32Array;
}

/** Keeps products such as 0.7 · 10 from falling below the whole number that they are. */
const ROUNDING = 1e-9;

/** Of n interactions: how many train, and how many train or validate. */
export function lengthsOf(length: number, { train, validation }: Shares): { training: number; known: number } {
  const training = Math.min(length, Math.max(1, Math.floor(length * train + ROUNDING)));
  return { training, known: Math.max(training, Math.floor(length * (train + validation) + ROUNDING)) };
}

/**
 * The first `train` of each user's interactions, in order of time, for training, the next `validation` for validation, the
 * rest for testing (LEPORID, Section 5.1: 70 %, 10 %, 20 %). Of n interactions floor(train · n), but at least one, train,
 * and floor((train + validation) · n) train or validate.
 */
export function ratioByTime(dataset: SequenceDataset, shares: Shares): OrderedSplit {
  const { offsets, userCount } = dataset;
  const trainEnd = new Uint32Array(userCount);
  const validationEnd = new Uint32Array(userCount);
  for (let user = 0; user < userCount; user++) {
    const start = offsets[user]!;
    const { training, known } = lengthsOf(offsets[user + 1]! - start, shares);
    trainEnd[user] = start + training;
    validationEnd[user] = start + known;
  }
  return { dataset, trainEnd, validationEnd };
}

/** The first place of `times[start .. end)`, which are sorted, that is not before `moment`. */
function firstFrom(times: Float64Array, range: { start: number; end: number }, moment: number): number {
  let { start, end } = range;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (times[middle]! < moment) start = middle + 1;
    else end = middle;
  }
  return start;
}

/**
 * One moment for all users: what lies before it trains, what lies before a second one validates, the rest is for testing.
 * The moments are the times at places floor(train · n) and floor((train + validation) · n) of all n times in order, so
 * that interactions of one moment are never divided and a part may come out a little smaller than its share. Throws
 * BAD_INPUT for data without a clock that users share.
 */
export function globalTime(
  dataset: SequenceDataset,
  { train, validation }: Shares,
): OrderedSplit & { trainBefore: number; validationBefore: number } {
  const { offsets, times, userCount } = dataset;
  if (times === undefined) {
    throw badInput(
      `dataset "${dataset.name}" does not say when its interactions took place, so the split global-time cannot be made. Choose leave-one-out or ratio-by-time`,
      'dataset.split',
    );
  }
  const sorted = times.slice().sort();
  const moment = (share: number): number =>
    sorted[Math.floor(sorted.length * share + ROUNDING)] ?? Number.POSITIVE_INFINITY;
  const trainBefore = moment(train);
  const validationBefore = moment(train + validation);
  const trainEnd = new Uint32Array(userCount);
  const validationEnd = new Uint32Array(userCount);
  for (let user = 0; user < userCount; user++) {
    const range = { start: offsets[user]!, end: offsets[user + 1]! };
    trainEnd[user] = firstFrom(times, range, trainBefore);
    validationEnd[user] = firstFrom(times, range, validationBefore);
  }
  return { dataset, trainEnd, validationEnd, trainBefore, validationBefore };
}
