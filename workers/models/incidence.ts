import { type TrainingPart, trainingItems } from '../data/split/trainingPart.ts';

/** Who met what in training, each pair once, from both sides. */
export interface Incidence {
  /** (users + 1) Distinct training items of each user. */
  userOffsets: Uint32Array;
  userItems: Uint32Array;
  /** (items + 1) Users of each item. */
  itemOffsets: Uint32Array;
  itemUsers: Uint32Array;
}

export function incidence(split: TrainingPart): Incidence {
  const { userCount, itemCount, items } = split.dataset;
  const userOffsets = new Uint32Array(userCount + 1);
  const userItems = new Uint32Array(items.length);
  const itemOffsets = new Uint32Array(itemCount + 1);
  const lastUser = new Int32Array(itemCount).fill(-1);
  let written = 0;
  for (let user = 0; user < userCount; user++) {
    for (const item of trainingItems(split, user)) {
      if (lastUser[item] === user) continue;
      lastUser[item] = user;
      userItems[written++] = item;
      itemOffsets[item + 1]!++;
    }
    userOffsets[user + 1] = written;
  }
  for (let item = 0; item < itemCount; item++) itemOffsets[item + 1]! += itemOffsets[item]!;
  const next = itemOffsets.slice();
  const itemUsers = new Uint32Array(written);
  for (let user = 0; user < userCount; user++) {
    for (let i = userOffsets[user]!; i < userOffsets[user + 1]!; i++) itemUsers[next[userItems[i]!]!++] = user;
  }
  return { userOffsets, userItems, itemOffsets, itemUsers };
}

/** The same with users as items and items as users. */
export function transposed({ userOffsets, userItems, itemOffsets, itemUsers }: Incidence): Incidence {
  return { userOffsets: itemOffsets, userItems: itemUsers, itemOffsets: userOffsets, itemUsers: userItems };
}
