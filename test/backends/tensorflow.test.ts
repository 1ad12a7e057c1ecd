import { afterAll, describe, expect, test } from 'vitest';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { kindByName } from '#src/catalog/kinds.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { computeFailure } from '#workers/runtime/shared/computeFailure.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { tensorflowInUse } from '#workers/tensor/operations/tensorflowInUse.ts';
import { tf } from '#workers/tensor/tf.ts';
import { selectionOf } from '../unit/data/dataFiles.ts';
import { lastValues, type Recorded, recordingContext } from '../unit/experiments/recordingContext.ts';
import { tensorflowMissing } from './backends.ts';

const missing = tensorflowMissing();
if (missing !== null) console.warn(`skipped: ${missing}`);

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const SEQUENCES = { dimension: 8, epochs: 4, batchSize: 32, evaluateEvery: 2, checkpointEvery: 2, maximumLength: 12 };
const PAIRS = { dimension: 8, epochs: 4, batchSize: 256, evaluateEvery: 2, checkpointEvery: 2 };
const SMOOTHED = { optimizer: { smoothing: { beta: 0.9 } } };
const KINDS: [string, Record<string, unknown>][] = [
  ['sasrec', { ...SEQUENCES, heads: 2 }],
  ['sasrec', { ...SEQUENCES, ...SMOOTHED }],
  ['gru4rec', { ...SEQUENCES, hiddenSize: 12, samples: 'positions', loss: 'softmax' }],
  ['bert4rec', { ...SEQUENCES, heads: 2 }],
  ['lightgcn', PAIRS],
  ['dlr2', { ...PAIRS, channels: 4, tower: [16, 8] }],
  ['mf-bpr', { ...PAIRS, optimizer: { method: 'adamw' }, batchSize: 256 }],
];

let opened: OpenBackend | null = null;
afterAll(() => opened?.close());

async function run(kind: string, given: Record<string, unknown>, checkpoint: Recorded['checkpoints'][number] | null) {
  const parameters = parseParameters(kindByName(kind)!, given);
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    checkpoint,
    openTensorBackend: async () => (opened ??= await openBackend({ forced: 'tensorflow', threads: 2 })),
  });
  await experimentOf(kind)(context);
  return recorded;
}

/** What must not depend on the clock. */
function numbers(recorded: Recorded, after = 0) {
  return recorded.metrics.filter(
    ({ name, step }) => !/^(time|system)\//.test(name) && (step > after || name.startsWith('test/')),
  );
}

/** Tensors that the library itself holds. */
function held(): number {
  return tensorflowInUse()!.binding.getNumOfTensors();
}

describe.skipIf(missing !== null).each(KINDS)('%s %o on tensorflow', (kind, given) => {
  test('learns, goes on from a checkpoint to the same numbers, and leaves no tensor in the library', async () => {
    const whole = await run(kind, given, null);
    const losses = whole.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);
    expect(losses.at(-1)).toBeLessThan(losses[0]!);
    expect(lastValues(whole)['test/ndcg@10']).toBeGreaterThan(0);
    const [tensors, handles] = [tf.memory().numTensors, held()];
    const resumed = await run(kind, given, whole.checkpoints[0]!);
    expect(numbers(resumed)).toEqual(numbers(whole, whole.checkpoints[0]!.step));
    expect([tf.memory().numTensors, held()]).toEqual([tensors, handles]);
  });
});

test.skipIf(missing !== null)(
  'a tensor that the machine cannot hold is reported as too little memory, and the backend goes on',
  async () => {
    opened ??= await openBackend({ forced: 'tensorflow', threads: 2 });
    const before = held();
    let thrown: unknown = null;
    try {
      tf.tidy(() => tf.fill([2 ** 20, 2 ** 21], 1));
    } catch (error) {
      thrown = error;
    }
    expect(computeFailure(thrown).code).toBe('OUT_OF_MEMORY');
    expect(tf.tidy(() => tf.sum(tf.ones([4])).dataSync()[0])).toBe(4);
    expect(held()).toBe(before);
  },
);
