import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { ialsLoss, type IalsModel, ridgeOf, solveIalsRows } from '#workers/models/ials.ts';
import { incidence } from '#workers/models/incidence.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from '../experiments/recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const OPTIONS = { unobservedWeight: 0.3, regularization: 0.2, frequencyExponent: 0.7 };

let threads: NumericThreads;
beforeAll(async () => {
  threads = await NumericThreads.open(2);
});
afterAll(() => threads.close());

/** The objective pair by pair, over the number of pairs that met. */
function plainLoss(
  { users, items, dimension }: IalsModel,
  met: readonly ReadonlySet<number>[],
  itemCount: number,
): number {
  let [loss, pairs] = [0, 0];
  const product = (a: Float64Array, i: number, b: Float64Array, j: number): number => {
    let sum = 0;
    for (let d = 0; d < dimension; d++) sum += a[i * dimension + d]! * b[j * dimension + d]!;
    return sum;
  };
  for (const [user, known] of met.entries()) {
    pairs += known.size;
    for (let item = 0; item < itemCount; item++) {
      const score = product(users, user, items, item);
      loss += OPTIONS.unobservedWeight * score ** 2 + (known.has(item) ? (1 - score) ** 2 : 0);
    }
    loss += ridgeOf(known.size, itemCount, OPTIONS) * product(users, user, users, user);
  }
  for (let item = 0; item < itemCount; item++) {
    const users = met.filter((known) => known.has(item)).length;
    loss += ridgeOf(users, met.length, OPTIONS) * product(items, item, items, item);
  }
  return loss / pairs;
}

// dimension 5: an odd number of doubles; nobody trains on item 6
test('rows are where the objective is flat, and it is that of sums over pairs', () => {
  const split = leaveOneOut(
    datasetOf(
      [
        [0, 1, 2, 0, 5],
        [2, 3, 0, 4, 5],
        [4, 1, 5, 6],
        [1, 5],
        [3, 4, 6],
      ],
      7,
    ),
  );
  const met = incidence(split);
  const byUser = { offsets: met.userOffsets, columns: met.userItems.subarray(0, met.userOffsets.at(-1)) };
  const byItem = { offsets: met.itemOffsets, columns: met.itemUsers };
  const generator = randomGenerator(1, 'ials');
  const dimension = 5;
  const items = Float64Array.from({ length: 7 * dimension }, () => generator.normal());
  const users = solveIalsRows(threads, { meetings: byUser, others: items, dimension, options: OPTIONS });
  const known = Array.from(
    { length: 5 },
    (_, user) => new Set(byUser.columns.subarray(byUser.offsets[user], byUser.offsets[user + 1])),
  );
  const lossAt = (rows: Float64Array): number => plainLoss({ users: rows, items, dimension }, known, 7);
  expect(ialsLoss({ users, items, dimension }, { byUser, byItem }, OPTIONS)).toBeCloseTo(lossAt(users), 12);
  for (let round = 0; round < 5; round++) {
    const direction = users.map(() => generator.normal());
    const moved = (step: number): number => lossAt(users.map((value, at) => value + step * direction[at]!));
    expect((moved(1e-5) - moved(-1e-5)) / 2e-5).toBeCloseTo(0, 8);
    expect(moved(0.1)).toBeGreaterThan(lossAt(users));
  }
  const solved = solveIalsRows(threads, { meetings: byItem, others: users, dimension, options: OPTIONS });
  expect([...solved.subarray(6 * dimension)]).toEqual([0, 0, 0, 0, 0]);
});

async function run(parameters: Record<string, unknown>, over: GivenContext = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, { dimension: 8, ...parameters }, over);
  await experimentOf('ials')(context);
  return recorded;
}

const numbers = ({ metrics }: Recorded) => metrics.filter(({ name }) => !/^(time|system)\//.test(name));

test('goes on from each checkpoint to the same bits, never raises its loss, and ranks above chance', async () => {
  const parameters = { epochs: 6, checkpointEvery: 2, patience: 5, init: { method: 'normal', deviation: 0.1 } };
  const whole = await run(parameters);
  expect(whole.checkpoints.length).toBeGreaterThan(1);
  for (const checkpoint of whole.checkpoints) {
    const resumed = await run(parameters, { checkpoint });
    const later = numbers(whole).filter(({ name, step }) => step > checkpoint.step || name.startsWith('test/'));
    expect(numbers(resumed)).toEqual(later);
    expect(resumed.artifacts).toEqual(whole.artifacts);
  }
  const losses = whole.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);
  for (const [at, loss] of losses.slice(1).entries()) expect(loss).toBeLessThanOrEqual(losses[at]!);
  expect(lastValues(whole)['test/hr@10']).toBeGreaterThan(1.5 * (10 / 60));
});

test('refuses patience without validations', async () => {
  await expect(run({ evaluateEvery: 0, patience: 2 })).rejects.toMatchObject({ code: 'BAD_INPUT' });
});
