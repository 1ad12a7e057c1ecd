import type { TrainingPart } from '#workers/data/split/trainingPart.ts';

/** (items) How many different users have each item in their training part. */
export function itemPopularity({ dataset, trainEnd }: TrainingPart): Uint32Array {
  const users = new Uint32Array(dataset.itemCount);
  const lastUser = new Int32Array(dataset.itemCount).fill(-1);
  for (let user = 0; user < dataset.userCount; user++) {
    for (let at = dataset.offsets[user]!; at < trainEnd[user]!; at++) {
      const item = dataset.items[at]!;
      if (lastUser[item] === user) continue;
      lastUser[item] = user;
      users[item]!++;
    }
  }
  return users;
}
