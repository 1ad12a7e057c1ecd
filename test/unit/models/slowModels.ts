import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';

// The models again, from their formulas, on plain arrays and without any thought of speed.

/** Training sequences x_1 … x_{n-2}; all of it for users with fewer than three. */
export function slowTraining(dataset: SequenceDataset): number[][] {
  return Array.from({ length: dataset.userCount }, (_, user) => {
    const sequence = [...dataset.items.slice(dataset.offsets[user]!, dataset.offsets[user + 1]!)];
    return sequence.length < 3 ? sequence : sequence.slice(0, -2);
  });
}

export function slowPopularity(training: readonly number[][], itemCount: number): number[] {
  return Array.from({ length: itemCount }, (_, item) => training.flat().filter((other) => other === item).length);
}

export function slowItemKnn(
  training: readonly number[][],
  itemCount: number,
  { history, neighbours, shrinkage }: { history: readonly number[]; neighbours: number; shrinkage: number },
): number[] {
  const usersOf = (item: number): number[] =>
    training.flatMap((sequence, user) => (sequence.includes(item) ? [user] : []));
  const similarity = (a: number, b: number): number => {
    const [usersA, usersB] = [usersOf(a), usersOf(b)];
    const both = usersA.filter((user) => usersB.includes(user)).length;
    return both === 0 ? 0 : both / (Math.sqrt(usersA.length * usersB.length) + shrinkage);
  };
  const scores = new Array<number>(itemCount).fill(0);
  for (const item of new Set(history)) {
    const nearest = Array.from({ length: itemCount }, (_, other) => ({ other, value: similarity(item, other) }))
      .filter(({ other, value }) => other !== item && value > 0)
      .sort((a, b) => b.value - a.value || a.other - b.other)
      .slice(0, neighbours);
    for (const { other, value } of nearest) scores[other]! += value;
  }
  return scores;
}

export function slowMarkov(
  training: readonly number[][],
  itemCount: number,
  { last, smoothing }: { last: number; smoothing: number },
): number[] {
  const interactions = training.flat().length;
  const popularity = slowPopularity(training, itemCount);
  const pairs = training.flatMap((sequence) => sequence.slice(1).map((item, index) => [sequence[index], item]));
  const total = pairs.filter(([before]) => before === last).length;
  return Array.from({ length: itemCount }, (_, item) => {
    const share = popularity[item]! / interactions;
    if (total === 0) return share;
    const count = pairs.filter(([before, after]) => before === last && after === item).length;
    return (count + smoothing * share) / (total + smoothing);
  });
}

/** Rank of `target`, 1 the best: sorts all items by score, ties to the lowest item. */
export function slowRank(scores: readonly number[], target: number, excluded: readonly number[] = []): number {
  const order = scores
    .map((score, item) => ({ score, item }))
    .filter(({ item }) => item === target || !excluded.includes(item))
    .sort((a, b) => b.score - a.score || a.item - b.item);
  return order.findIndex(({ item }) => item === target) + 1;
}
