import { describe, expect, test } from 'vitest';
import { kindByName } from '#src/catalog/kinds.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { slowItemKnn, slowMarkov, slowPopularity, slowRank, slowTraining } from '../models/slowModels.ts';
import { cancellationWhen, lastValues, recordingContext } from './recordingContext.ts';

async function metricsOf(kind: string, dataset: ReturnType<typeof datasetOf>, parameters: Record<string, unknown>) {
  const { recorded, context } = recordingContext<unknown>(dataset, parameters);
  await experimentOf(kind)(context);
  return { metrics: lastValues(recorded), recorded };
}

function randomDataset(round: number) {
  const generator = randomGenerator(round, 'experiment test');
  const itemCount = 25;
  return datasetOf(
    Array.from({ length: 30 }, () =>
      Array.from({ length: 1 + generator.nextInt(9) }, () => generator.nextInt(itemCount)),
    ),
    itemCount,
  );
}

const SLOW = {
  popularity: (training: number[][], items: number) => slowPopularity(training, items),
  'item-knn': (training: number[][], items: number, history: number[]) =>
    slowItemKnn(training, items, { history, neighbours: 4, shrinkage: 1 }),
  markov: (training: number[][], items: number, history: number[]) =>
    slowMarkov(training, items, { last: history.at(-1)!, smoothing: 2 }),
};
const PARAMETERS = { popularity: {}, 'item-knn': { neighbours: 4, shrinkage: 1 }, markov: { smoothing: 2 } };

describe.each(['popularity', 'item-knn', 'markov'] as const)('%s', (kind) => {
  test.each([false, true])(
    'has the metrics of the slow reference implementation, seen items excluded: %s',
    async (excludeSeen) => {
      for (let round = 0; round < 5; round++) {
        const dataset = randomDataset(round);
        const training = slowTraining(dataset);
        const ranks: number[] = [];
        for (let user = 0; user < dataset.userCount; user++) {
          const sequence = [...dataset.items.slice(dataset.offsets[user]!, dataset.offsets[user + 1]!)];
          if (sequence.length < 3) continue;
          const history = sequence.slice(0, -1);
          const scores = SLOW[kind](training, dataset.itemCount, history);
          ranks.push(slowRank(scores, sequence.at(-1)!, excludeSeen ? history : []));
        }
        const mean = (gain: (rank: number) => number): number =>
          ranks.reduce((sum, rank) => sum + gain(rank), 0) / ranks.length;
        const { metrics, recorded } = await metricsOf(kind, dataset, {
          ...PARAMETERS[kind],
          excludeSeen,
          cutoffs: [3, 10],
        });
        for (const cutoff of [3, 10]) {
          expect(metrics[`test/hr@${cutoff}`]).toBeCloseTo(
            mean((rank) => Number(rank <= cutoff)),
            10,
          );
          expect(metrics[`test/mrr@${cutoff}`]).toBeCloseTo(
            mean((rank) => (rank <= cutoff ? 1 / rank : 0)),
            10,
          );
          expect(metrics[`test/ndcg@${cutoff}`]).toBeCloseTo(
            mean((rank) => (rank <= cutoff ? 1 / Math.log2(rank + 1) : 0)),
            10,
          );
        }
        expect(recorded.notes.get('evaluatedUsers')).toBe(ranks.length);
        expect(recorded.metrics.every(({ step }) => step === 0)).toBe(true);
      }
    },
  );

  test('says so when nobody can be evaluated', async () => {
    await expect(metricsOf(kind, datasetOf([[0, 1], [2]]), {})).rejects.toMatchObject({
      code: 'DATA_ERROR',
      message: expect.stringMatching(/none of its 2 users has three interactions/),
    });
  });

  test('stops when cancelled', async () => {
    const { context, recorded } = recordingContext<unknown>(
      randomDataset(1),
      {},
      { cancellation: cancellationWhen(() => true) },
    );
    await expect(experimentOf(kind)(context)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(recorded.metrics).toEqual([]);
  });
});

describe('what else is reported', () => {
  test('lists, groups of users, ties, and the rank of every user', async () => {
    const dataset = randomDataset(3);
    const { metrics, recorded } = await metricsOf('markov', dataset, { cutoffs: [5, 10] });
    for (const name of ['coverage@10', 'novelty@5', 'popularity-bias@10', 'gini@5', 'f1@5', 'map@10', 'tail/ndcg@10']) {
      expect(metrics).toHaveProperty([`test/${name}`]);
    }
    const groups = recorded.notes.get('userGroups') as Record<string, number>;
    const evaluated = recorded.notes.get('evaluatedUsers') as number;
    expect(groups.tail).toBe(Math.ceil(evaluated / 4));
    for (const kind of ['length-', 'target-']) {
      const sizes = Object.entries(groups).filter(([name]) => name.startsWith(kind));
      expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBe(evaluated);
      const weighted = sizes.reduce((sum, [name, size]) => sum + size * metrics[`test/${name}/ndcg@10`]!, 0);
      expect(weighted / evaluated).toBeCloseTo(metrics['test/ndcg@10']!, 12);
    }
    expect(recorded.notes.get('tieShare')).toHaveProperty(['@10']);
    const { users, cutoffs } = JSON.parse(Buffer.from(recorded.artifacts.get('per-user-ranks.json')!).toString());
    const file = recorded.artifacts.get('per-user-ranks.npy')!;
    const ranks = new Int32Array(file.slice(-4 * users.length * cutoffs.length).buffer);
    expect(users).toHaveLength(evaluated);
    const hits = users.filter((_: string, user: number) => ranks[2 * user + 1]! >= 1 && ranks[2 * user + 1]! <= 10);
    expect(hits.length / evaluated).toBeCloseTo(metrics['test/hr@10']!, 12);
  });

  test('seen items can be those of the training part alone', async () => {
    const dataset = randomDataset(4);
    const hitRate = async (parameters: Record<string, unknown>) =>
      (await metricsOf('popularity', dataset, { cutoffs: [25], ...parameters })).metrics['test/mrr@25']!;
    const [all, training, both] = [
      await hitRate({}),
      await hitRate({ excludeSeen: true, seenItems: 'training' }),
      await hitRate({ excludeSeen: true }),
    ];
    expect(training).toBeGreaterThan(all);
    expect(both).toBeGreaterThan(training);
  });
});

test('on data with Markov structure: Markov over item neighbours over popularity', async () => {
  const dataset = await loadSequenceDataset(selectionOf('generated/markov-600x200'), {
    folders: [],
    cacheFolder: null,
  });
  const ndcg = async (kind: string): Promise<number> => (await metricsOf(kind, dataset, {})).metrics['test/ndcg@10']!;
  const [popularity, itemKnn, markov] = [await ndcg('popularity'), await ndcg('item-knn'), await ndcg('markov')];
  expect(itemKnn).toBeGreaterThan(1.3 * popularity);
  expect(markov).toBeGreaterThan(1.3 * itemKnn);
});

describe('registry', () => {
  test('every experiment checks its parameters before it starts', async () => {
    const dataset = randomDataset(1);
    await expect(metricsOf('markov', dataset, { smoothing: -1 })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('parameters.smoothing'),
    });
    await expect(metricsOf('markov', dataset, { smooothing: 1 })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('an unknown kind gets the near names', () => {
    expect(() => experimentOf('item-nn')).toThrow(/no experiment of kind "item-nn"\. Did you mean "item-knn"\?/);
    expect(() => experimentOf('external')).toThrow(/no experiment of kind "external"/);
    expect(kindByName('external').kind).toBe('external');
  });
});
