import type { TrainingPart } from '../data/split/trainingPart.ts';
import { incidence } from './incidence.ts';

/** (items, items) In how many users' training each two items are: A'A of the binary matrix A, its diagonal included. */
export function coOccurrences(training: TrainingPart): Float64Array {
  const { itemCount } = training.dataset;
  const { userOffsets, userItems, itemOffsets, itemUsers } = incidence(training);
  const counts = new Float64Array(itemCount * itemCount);
  // Item by item: one row of counts fits the first-level cache, the whole matrix none.
  for (let item = 0; item < itemCount; item++) {
    const row = counts.subarray(item * itemCount, (item + 1) * itemCount);
    for (let at = itemOffsets[item]!; at < itemOffsets[item + 1]!; at++) {
      const user = itemUsers[at]!;
      for (let other = userOffsets[user]!; other < userOffsets[user + 1]!; other++) row[userItems[other]!]!++;
    }
  }
  return counts;
}
