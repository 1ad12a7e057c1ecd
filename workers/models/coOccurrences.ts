import type { TrainingPart } from '../data/split/trainingPart.ts';
import { incidence } from './incidence.ts';

/** (items, items) In how many users' training each two items are: A'A of the binary matrix A, its diagonal included. */
export function coOccurrences(training: TrainingPart): Float64Array {
  const { itemCount, userCount } = training.dataset;
  const { userOffsets, userItems } = incidence(training);
  const counts = new Float64Array(itemCount * itemCount);
  for (let user = 0; user < userCount; user++) {
    for (let a = userOffsets[user]!; a < userOffsets[user + 1]!; a++) {
      const row = userItems[a]! * itemCount;
      for (let b = userOffsets[user]!; b < userOffsets[user + 1]!; b++) counts[row + userItems[b]!]!++;
    }
  }
  return counts;
}
