import { expect, test } from 'vitest';
import { embeddingRankingReference } from '#workers/evaluation/embeddings/embeddingRankingReference.ts';
import { sampledRanks } from '#workers/evaluation/ranking/sampledRanks.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

test('among all other items a target has the rank that it has over all items, ties included', () => {
  const generator = randomGenerator(1, 'sampled ranks');
  const value = (): number => generator.nextInt(3) - 1;
  const model = {
    users: Float32Array.from({ length: 20 * 3 }, value),
    items: Float32Array.from({ length: 30 * 3 }, value),
    dimension: 3,
  };
  const users = Uint32Array.from({ length: 20 }, (_, user) => user);
  const targets = Uint32Array.from({ length: 20 }, () => generator.nextInt(30));
  const others = Array.from(targets, (target) =>
    Uint32Array.from({ length: 30 }, (_, item) => item).filter((item) => item !== target),
  );
  const { ranks } = embeddingRankingReference(model, { users, targets, excluded: null, listLength: 1 });
  expect(sampledRanks(model, { users, targets, candidates: others })).toEqual(ranks);
});

test('only the candidates count', () => {
  const model = { users: Float32Array.of(1), items: Float32Array.of(3, 2, 1, 2), dimension: 1 };
  const ask = (target: number, candidates: number[]): number =>
    sampledRanks(model, {
      users: Uint32Array.of(0),
      targets: Uint32Array.of(target),
      candidates: [Uint32Array.from(candidates)],
    })[0]!;
  expect([ask(2, []), ask(2, [0]), ask(3, [1, 2]), ask(1, [2, 3])]).toEqual([1, 2, 2, 1]);
});
