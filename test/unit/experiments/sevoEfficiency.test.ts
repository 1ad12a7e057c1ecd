import { expect, test } from 'vitest';
import { presetByName } from '#src/catalog/kinds.ts';
import { sevoEfficiencyKind } from '#src/catalog/kinds/sevoEfficiency.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-24x30'), { folders: [], cacheFolder: null });
const openTensorBackend = lastBackend(1);

async function run(parameters: object, over: Partial<ExperimentContext<unknown>> = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, { openTensorBackend, ...over });
  await experimentOf('sevo-efficiency')(context);
  return recorded;
}

const seriesOf = (recorded: Recorded, name: string): Map<number, number> =>
  new Map(recorded.metrics.filter((one) => one.name === name).map(({ step, value }) => [step, value]));

test('every backbone is timed without and with SEvo, and ratios are of the epochs after the first', async () => {
  const recorded = await run({ epochs: 1, turns: 1 });
  const logs: number[] = [];
  for (const backbone of ['mf-bpr', 'gru4rec', 'sasrec', 'bert4rec', 'stosa']) {
    for (const [phase, metric] of [
      ['train', 'time/epoch'],
      ['rank', 'time/rank'],
    ]) {
      const [plain, sevo] = ['plain', 'sevo'].map((way) => {
        const series = seriesOf(recorded, `${backbone}/${way}/${metric}`);
        expect([...series.keys()], `${backbone}/${way}/${metric}`).toEqual([1, 2]);
        return series.get(2)!;
      });
      const ratio = seriesOf(recorded, `${backbone}/time-ratio/${phase}`).get(0)!;
      expect(ratio).toBeCloseTo(sevo! / plain!, 12);
      if (phase === 'train') logs.push(Math.log(ratio));
    }
  }
  const mean = Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length);
  expect(seriesOf(recorded, 'time-ratio/train').get(0)).toBeCloseTo(mean, 12);
  expect(seriesOf(recorded, 'lightgcn/plain/time/epoch').size).toBe(2);
  expect([...recorded.artifacts.keys()].sort()).toEqual(
    ['inference-time', 'training-time'].flatMap((name) =>
      ['csv', 'json', 'png', 'svg'].map((type) => `${name}.${type}`),
    ),
  );
});

test('ways take turns in alternating order, the fastest epoch counts, and an interrupted run goes on', async () => {
  const parameters = { backbones: ['mf-bpr', 'lightgcn'], epochs: 2, turns: 2 };
  const whole = await run(parameters);
  const order = whole.metrics.filter(({ name, step }) => /mf-bpr.*time.epoch/.test(name) && step % 3 === 1);
  expect(order.map(({ name, step }) => `${name.split('/')[1]} ${step}`)).toEqual([
    'plain 1',
    'sevo 1',
    'sevo 4',
    'plain 4',
  ]);
  const [plain, sevo] = ['plain', 'sevo'].map((way) => {
    const series = seriesOf(whole, `mf-bpr/${way}/time/epoch`);
    return Math.min(...[2, 3, 5, 6].map((epoch) => series.get(epoch)!));
  });
  expect(seriesOf(whole, 'mf-bpr/time-ratio/train').get(0)).toBeCloseTo(sevo! / plain!, 12);
  expect(whole.checkpoints.length).toBe(6);
  const resumed = await run(parameters, { checkpoint: whole.checkpoints[3]! });
  for (const name of ['mf-bpr/plain/time/epoch', 'mf-bpr/sevo/time/rank', 'mf-bpr/time-ratio/train']) {
    expect(seriesOf(resumed, name)).toEqual(seriesOf(whole, name));
  }
  expect(resumed.logs.join()).toMatch(/first 4 ways were timed by an earlier attempt/);
});

test('Figure 3 has a preset for each dataset, with the hyper-parameters of it', () => {
  for (const name of ['beauty', 'toys', 'tools', 'ml-1m']) {
    expect(presetByName(sevoEfficiencyKind, `sevo/figure-3-${name}`).parameters).toEqual({ settings: name });
  }
  expect(() => parseParameters(sevoEfficiencyKind, { backbones: ['sasrec', 'sasrec'] })).toThrow(/each once/);
  expect(() => parseParameters(sevoEfficiencyKind, { backbones: ['sr-gnn'] })).toThrow(/parameters\.backbones/);
});
