import { badInput } from '#src/base/contracts/errors.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/**
 * (examples) The fold, from 0, of each example in a stratified `folds`-fold cross-validation: the examples of each class are
 * shuffled and dealt out one by one, each class going on where the one before it ended, so that folds differ by at most one
 * example of any class, and by at most one in size. Throws BAD_INPUT for fewer than two folds or more than examples.
 */
export function stratifiedFolds(labels: ArrayLike<number>, folds: number, generator: RandomGenerator): Uint32Array {
  if (!Number.isInteger(folds) || folds < 2 || folds > labels.length) {
    throw badInput(
      `folds: received ${folds}, expected a whole number from 2 to ${labels.length}, the number of examples`,
    );
  }
  const classes = new Map<number, number[]>();
  for (let example = 0; example < labels.length; example++) {
    const label = labels[example]!;
    const members = classes.get(label);
    if (members === undefined) classes.set(label, [example]);
    else members.push(example);
  }
  const foldOf = new Uint32Array(labels.length);
  let dealt = 0;
  for (const [, members] of [...classes].sort(([a], [b]) => a - b)) {
    generator.shuffle(members);
    for (const example of members) foldOf[example] = dealt++ % folds;
  }
  return foldOf;
}
