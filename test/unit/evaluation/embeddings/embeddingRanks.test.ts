import { expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { embeddingRanks } from '#workers/evaluation/embeddings/embeddingRanks.ts';
import { slowRank } from '#test/unit/models/slowModels.ts';

test('agrees with sorting all scores, ties, exclusions and limits included', () => {
  const generator = randomGenerator(1, 'ranks');
  for (let round = 0; round < 60; round++) {
    const dimension = 1 + generator.nextInt(9);
    const [userCount, itemCount] = [3, 2 + generator.nextInt(30)];
    // small whole numbers: sums are exact and ties are many
    const table = (rows: number): Float32Array =>
      Float32Array.from({ length: rows * dimension }, () => generator.nextInt(5) - 2);
    const [users, items] = [table(userCount), table(itemCount)];
    const targets = Uint32Array.from({ length: userCount }, () => generator.nextInt(itemCount));
    const seen = Array.from({ length: userCount }, () =>
      Uint32Array.from({ length: generator.nextInt(6) }, () => generator.nextInt(itemCount)),
    );
    const limit = 1 + generator.nextInt(12);
    const ranks = embeddingRanks(
      { users, items, dimension },
      {
        users: Uint32Array.of(2, 1, 0),
        targets,
        excluded: round % 2 === 0 ? null : (query) => seen[query]!,
        limit,
      },
    );
    const expected = [2, 1, 0].map((user, query) => {
      const scores = Array.from({ length: itemCount }, (_, item) => {
        let sum = 0;
        for (let d = 0; d < dimension; d++) sum += users[user * dimension + d]! * items[item * dimension + d]!;
        return sum;
      });
      const rank = slowRank(scores, targets[query]!, round % 2 === 0 ? [] : [...seen[query]!]);
      return rank <= limit ? rank : 0;
    });
    expect([...ranks]).toEqual(expected);
  }
});

test('items of equal embeddings rank by number', () => {
  const model = { dimension: 5, users: new Float32Array(5).fill(0.1), items: new Float32Array(20).fill(0.3) };
  const ranks = embeddingRanks(model, {
    users: Uint32Array.of(0, 0, 0, 0),
    targets: Uint32Array.of(0, 1, 2, 3),
    excluded: null,
    limit: 10,
  });
  expect([...ranks]).toEqual([1, 2, 3, 4]);
});
