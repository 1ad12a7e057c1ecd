import { describe, expect, test } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { EmbeddingQueries, EmbeddingScores } from '#workers/evaluation/embeddings/embeddingQueries.ts';
import { embeddingRankingReference } from '#workers/evaluation/embeddings/embeddingRankingReference.ts';
import { parallelEmbeddingRanking } from '#workers/evaluation/embeddings/parallelEmbeddingRanking.ts';
import type { RankedUsers } from '#workers/evaluation/ranking/rankedUsers.ts';
import { targetPlace } from '#workers/evaluation/ranking/targetPlace.ts';
import { topItems } from '../ranking/topNMetrics.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';

const withKernels = test.skipIf(!kernelsAreBuilt() && process.env.CI !== 'true');

interface Case {
  model: EmbeddingScores;
  queries: EmbeddingQueries;
}

/** Whole numbers make sums exact and ties many; with `whole` false values are normal floats. */
function randomCase(round: number, { whole, scale = 1 }: { whole: boolean; scale?: number }): Case {
  const generator = randomGenerator(round, 'embedding ranking');
  const dimension = 1 + generator.nextInt(whole ? 5 : 70);
  const [userCount, itemCount] = [1 + generator.nextInt(70) * scale, 1 + generator.nextInt(60) * scale];
  const value = () => (whole ? generator.nextInt(5) - 2 : generator.normal());
  const table = (rows: number) => Float32Array.from({ length: rows * dimension }, value);
  const count = generator.nextInt(80 * scale);
  const seen = Array.from({ length: count }, () =>
    Array.from({ length: generator.nextInt(9) }, () => generator.nextInt(itemCount)),
  );
  return {
    model: { users: table(userCount), items: table(itemCount), dimension },
    queries: {
      users: Uint32Array.from({ length: count }, () => generator.nextInt(userCount)),
      targets: Uint32Array.from({ length: count }, () => generator.nextInt(itemCount)),
      excluded: round % 3 === 0 ? null : (query) => seen[query]!,
      listLength: 1 + generator.nextInt(20),
    },
  };
}

function bySorting({ model, queries }: Case): RankedUsers {
  const { users, items, dimension } = model;
  const itemCount = items.length / dimension;
  const found: RankedUsers = {
    ranks: new Int32Array(queries.users.length),
    bestRanks: new Int32Array(queries.users.length),
    worstRanks: new Int32Array(queries.users.length),
    listLength: queries.listLength,
    lists: new Int32Array(queries.users.length * queries.listLength).fill(-1),
  };
  for (const [query, user] of queries.users.entries()) {
    const scores = Float64Array.from({ length: itemCount }, (_, item) => {
      let sum = 0;
      for (let d = 0; d < dimension; d++) sum += users[user * dimension + d]! * items[item * dimension + d]!;
      return sum;
    });
    const target = queries.targets[query]!;
    const excluded = [...new Set(Array.from(queries.excluded?.(query) ?? []))].filter((item) => item !== target);
    const { rank, best, worst } = targetPlace(scores, target, excluded);
    found.ranks[query] = rank;
    found.bestRanks[query] = best;
    found.worstRanks[query] = worst;
    const list = topItems(scores, itemCount).filter((item) => !excluded.includes(item));
    found.lists.set(list.slice(0, queries.listLength), query * queries.listLength);
  }
  return found;
}

describe('embeddingRankingReference', () => {
  test('lists and ranks as sorting all scores does, ties and exclusions included', () => {
    for (let round = 0; round < 60; round++) {
      const made = randomCase(round, { whole: true });
      expect(embeddingRankingReference(made.model, made.queries), `round ${round}`).toEqual(bySorting(made));
    }
  });

  test('refuses queries for what is not there', () => {
    const model = { users: new Float32Array(4), items: new Float32Array(6), dimension: 2 };
    const query = { excluded: null, listLength: 1 };
    const run = (users: number[], targets: number[], listLength = 1) =>
      embeddingRankingReference(model, {
        ...query,
        listLength,
        users: Uint32Array.from(users),
        targets: Uint32Array.from(targets),
      });
    expect(() => run([2], [0])).toThrow(/query 0: there are 2 users, got 2/);
    expect(() => run([0], [3])).toThrow(/there are 3 items, got 3/);
    expect(() => run([0], [0], 0)).toThrow(/at least 1 item/);
  });

  test('a target whose score is not a number has no rank', () => {
    const model = { users: Float32Array.of(1), items: Float32Array.of(Number.NaN, 1), dimension: 1 };
    const queries = { users: Uint32Array.of(0), targets: Uint32Array.of(0), excluded: null, listLength: 2 };
    const { ranks, lists } = embeddingRankingReference(model, queries);
    expect([...ranks]).toEqual([0]);
    expect([...lists]).toEqual([1, -1]);
  });
});

describe('parallelEmbeddingRanking', () => {
  withKernels(
    'has the bits of the reference implementation, whole numbers and floats, any number of threads',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 24; round++) {
        const made = randomCase(round, { whole: round % 2 === 0, scale: round % 5 === 0 ? 4 : 1 });
        const found = await parallelEmbeddingRanking(made.model, made.queries, 1 + (round % 3));
        expect(found, `round ${round}`).toEqual(embeddingRankingReference(made.model, made.queries));
      }
    },
  );

  withKernels('knows no difference between the two zeros, and passes over what is not a number', async () => {
    const model = {
      users: Float32Array.of(1),
      items: Float32Array.of(-0, 0, Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
      dimension: 1,
    };
    const queries = {
      users: Uint32Array.of(0, 0, 0),
      targets: Uint32Array.of(1, 2, 4),
      excluded: null,
      listLength: 7,
    };
    const found = await parallelEmbeddingRanking(model, queries, 1);
    expect([...found.lists.subarray(0, 7)]).toEqual([4, 0, 1, 6, 3, -1, -1]);
    expect([...found.ranks]).toEqual([3, 0, 1]);
    expect(found).toEqual(embeddingRankingReference(model, queries));
  });

  withKernels('stops when it is told to', async () => {
    const { model, queries } = randomCase(5, { whole: false, scale: 60 });
    let reached = 0;
    const stop = (done: number) => {
      if (done === 0) return;
      reached = done;
      throw new WarrenError('CANCELLED', 'the run was cancelled');
    };
    const users = new Uint32Array(400_000);
    const many = { ...queries, users, targets: users, excluded: null, betweenQueries: stop };
    await expect(parallelEmbeddingRanking(model, many, 1)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(reached).toBeLessThan(users.length / 2);
  });
});
