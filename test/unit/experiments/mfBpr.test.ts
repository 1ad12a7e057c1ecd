import { expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import {
  type GivenContext,
  cancellationWhen,
  lastValues,
  type Recorded,
  recordingContext,
} from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const PARAMETERS = { dimension: 8, epochs: 12, evaluateEvery: 3, checkpointEvery: 5 };

async function run(
  parameters: Record<string, unknown> = {},
  over: GivenContext = {},
  dataset = DATASET,
): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(dataset, { ...PARAMETERS, ...parameters }, over);
  await experimentOf('mf-bpr')(context);
  return recorded;
}

/** What must not depend on the clock. */
function numbers(recorded: Recorded) {
  return recorded.metrics.filter(({ name }) => !name.startsWith('time/'));
}

test('streams metrics by epoch, tests at the last step, and leaves embeddings', async () => {
  const recorded = await run();
  const steps = (name: string): number[] =>
    recorded.metrics.filter((metric) => metric.name === name).map(({ step }) => step);
  expect(steps('train/loss')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(steps('valid/ndcg@10')).toEqual([3, 6, 9, 12]);
  expect(steps('valid/hr@10')).toEqual([3, 6, 9, 12]);
  for (const cutoff of [5, 10]) expect(steps(`test/ndcg@${cutoff}`)).toEqual([12]);
  expect(recorded.checkpoints.map(({ step }) => step)).toEqual([5, 10]);
  expect(recorded.progress).toEqual(Array.from({ length: 12 }, (_, index) => (index + 1) / 12));
  expect([...recorded.artifacts.keys()]).toEqual([
    'per-user-ranks.npy',
    'per-user-ranks.json',
    'item-embeddings.npy',
    'user-embeddings.npy',
    'items.csv',
  ]);
  expect(Buffer.from(recorded.artifacts.get('item-embeddings.npy')!).toString('latin1')).toContain("'shape': (60, 8)");
  expect([...recorded.timings.keys()]).toEqual(['train', 'evaluate']);
});

test('a seed decides every number, and another seed gives others', async () => {
  expect(numbers(await run())).toEqual(numbers(await run()));
  expect(numbers(await run({}, { seed: 2 }))).not.toEqual(numbers(await run()));
});

test.each([{}, { patience: 1, epochs: 60 }])(
  'goes on from each checkpoint to the same numbers to the bit: %o',
  async (parameters) => {
    const whole = await run(parameters);
    expect(whole.checkpoints.length).toBeGreaterThan(0);
    for (const checkpoint of whole.checkpoints) {
      const resumed = await run(parameters, { checkpoint });
      expect(numbers(resumed)).toEqual(
        numbers(whole).filter(({ step }) => step > checkpoint.step || step === lastStep(whole)),
      );
      expect(resumed.artifacts).toEqual(whole.artifacts);
      expect(resumed.checkpoints).toEqual(whole.checkpoints.filter(({ step }) => step > checkpoint.step));
    }
  },
);

function lastStep(recorded: Recorded): number {
  return recorded.metrics.at(-1)!.step;
}

test('a checkpoint that cannot be used is said so, and training starts anew', async () => {
  const resumed = await run({}, { checkpoint: { step: 5, bytes: Uint8Array.of(1, 2, 3) } });
  expect(resumed.logs[0]).toMatch(/checkpoint of step 5 cannot be used: training starts anew/);
  expect(numbers(resumed)).toEqual(numbers(await run()));
});

test('stops early and tests the best embeddings', async () => {
  const stopped = await run({ epochs: 400, patience: 2, evaluateEvery: 2, regularization: 0, learningRate: 0.3 });
  const validations = stopped.metrics.filter(({ name }) => name === 'valid/ndcg@10');
  const best = validations.reduce((a, b) => (b.value > a.value ? b : a));
  expect(lastStep(stopped)).toBeLessThan(400);
  expect(validations.at(-1)!.step).toBe(best.step + 4);
  expect(stopped.notes.get('testedEpoch')).toBe(best.step);
  const until = await run({ epochs: best.step, patience: 0, evaluateEvery: 2, regularization: 0, learningRate: 0.3 });
  expect(stopped.artifacts).toEqual(until.artifacts);
});

test('learns: validation is far better after training than by chance', async () => {
  const values = lastValues(await run({ epochs: 40 }));
  expect(values['valid/hr@10']!).toBeGreaterThan(1.5 * (10 / 60));
  expect(values['train/loss']!).toBeLessThan(0.5);
});

test('excluding seen items never lowers a metric', async () => {
  const [all, unseen] = [lastValues(await run()), lastValues(await run({ excludeSeen: true }))];
  for (const name of Object.keys(all).filter((name) => /\/(mrr|ndcg|hr)@/.test(name))) {
    expect(unseen[name]!).toBeGreaterThanOrEqual(all[name]!);
  }
});

test('training that diverges ends with what to change', async () => {
  await expect(run({ learningRate: 10, initialDeviation: 10, regularization: 10, epochs: 50 })).rejects.toMatchObject({
    code: 'RUN_FAILED',
    message: expect.stringMatching(/diverged in epoch \d+: .*smaller learningRate.*Norms after it: users .*, items /),
  });
});

test('a cancellation is noticed inside an epoch', async () => {
  const large = await loadSequenceDataset(selectionOf('generated/markov-3000x500'), { folders: [], cacheFolder: null });
  let asked = 0;
  const { recorded, context } = recordingContext<unknown>(
    large,
    { ...PARAMETERS, epochs: 1000 },
    { cancellation: cancellationWhen(() => ++asked > 3) },
  );
  await expect(experimentOf('mf-bpr')(context)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(recorded.metrics).toEqual([]);
});

test('no validation and no checkpoints when not asked for', async () => {
  const recorded = await run({ evaluateEvery: 0, checkpointEvery: 0 });
  expect(recorded.checkpoints).toEqual([]);
  expect(recorded.metrics.some(({ name }) => name.startsWith('valid/'))).toBe(false);
});

test('says so when nobody can be evaluated', async () => {
  await expect(run({}, {}, datasetOf([[0, 1], [2]]))).rejects.toMatchObject({ code: 'DATA_ERROR' });
});
