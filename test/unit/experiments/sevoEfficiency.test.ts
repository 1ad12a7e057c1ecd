import { expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type GivenContext, type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-24x30'), { folders: [], cacheFolder: null });
const openTensorBackend = lastBackend(1);

async function run(parameters: object, over: GivenContext = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, { openTensorBackend, ...over });
  await experimentOf('sevo-efficiency')(context);
  return recorded;
}

const seriesOf = (recorded: Recorded, name: string): Map<number, number> =>
  new Map(recorded.metrics.filter((one) => one.name === name).map(({ step, value }) => [step, value]));

test.each(['mf-bpr', 'gru4rec', 'sasrec', 'bert4rec', 'stosa'])(
  '%s is timed without and with SEvo, and ratios are of the epochs after the first',
  async (backbone) => {
    const recorded = await run({ backbone, epochs: 1, turns: 1 });
    for (const [phase, metric] of [
      ['train', 'time/epoch'],
      ['rank', 'time/rank'],
    ]) {
      const [plain, sevo] = ['plain', 'sevo'].map((way) => {
        const series = seriesOf(recorded, `${way}/${metric}`);
        expect([...series.keys()], `${way}/${metric}`).toEqual([1, 2]);
        return series.get(2)!;
      });
      expect(seriesOf(recorded, `time-ratio/${phase}`).get(0)).toBeCloseTo(sevo! / plain!, 12);
    }
  },
);

test('ways take turns in alternating order, and the fastest epoch counts', async () => {
  const whole = await run({ backbone: 'mf-bpr', epochs: 2, turns: 2 });
  const order = whole.metrics.filter(({ name, step }) => /time.epoch/.test(name) && step % 3 === 1);
  expect(order.map(({ name, step }) => `${name.split('/')[0]} ${step}`)).toEqual([
    'plain 1',
    'sevo 1',
    'sevo 4',
    'plain 4',
  ]);
  const [plain, sevo] = ['plain', 'sevo'].map((way) => {
    const series = seriesOf(whole, `${way}/time/epoch`);
    return Math.min(...[2, 3, 5, 6].map((epoch) => series.get(epoch)!));
  });
  expect(seriesOf(whole, 'time-ratio/train').get(0)).toBeCloseTo(sevo! / plain!, 12);
  expect(whole.checkpoints).toEqual([]);
});

test.each(['lightgcn', 'sr-gnn', 'lessr', 'maerec'])(
  '%s, with its graph inside, has no way with SEvo',
  async (backbone) => {
    const recorded = await run({ backbone, epochs: 1, turns: 1 });
    expect(seriesOf(recorded, 'plain/time/epoch').size).toBe(2);
    expect(recorded.metrics.some(({ name }) => name.startsWith('sevo/') || name.startsWith('time-ratio/'))).toBe(false);
  },
);
