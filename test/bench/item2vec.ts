import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { readEnvironment } from '#src/base/platform/environment.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import type { WordVectorSettings } from '#workers/features/wordVectorPlan.ts';
import { WordVectors } from '#workers/features/wordVectors.ts';
import type { BenchResult } from './benchResult.ts';
import { measure } from './measure.ts';
import { pythonPeer, timingOf } from './pythonPeer.ts';

const RUNS = 5;
/** word2vec's own reading of a window, so that both count the same pairs. */
const SETTINGS: WordVectorSettings = {
  ...{ model: 'skip-gram', window: 3, shrinkWindow: true, negatives: 3, dimension: 32, weightDecay: 0 },
  ...{ epochs: RUNS + 1, learningRate: 0.025, finalLearningRate: 1e-4, subsample: 0, negativePower: 0.75 },
};

const reply = z.object({ seconds: z.array(z.number()), gensim: z.string() });

/** Seconds of an epoch of skip-gram over ML-1M (generated data where it is missing) beside gensim's, on one and two threads. */
export async function item2vecBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'item2vec', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const dataset = await corpus();
  const tokens = dataset.items.length;
  const speed = (seconds: number): string => `${(tokens / seconds / 1e6).toFixed(2)} million words a second`;
  result.notes.push(
    `${dataset.name}: ${tokens} words of ${dataset.itemCount}, (#ws, #ns, d) = (3, 3, 32), windows shrunk`,
  );
  for (const threads of [1, Math.min(2, availableParallelism())]) {
    const key = `${dataset.name} ${threads} threads`;
    const training = await WordVectors.open(
      { offsets: dataset.offsets, tokens: dataset.items, words: dataset.itemCount },
      SETTINGS,
      { seed: 1, threads, lossEvery: 0 },
    );
    try {
      const timing = await measure(() => void training.epoch(), RUNS);
      result.ours[key] = timing.median;
      result.spread[key] = timing.spread;
      result.notes.push(`${key}: ${speed(timing.median)}`);
    } finally {
      await training.close();
    }
    const peer = gensim(dataset, threads);
    if ('reason' in peer) {
      result.notes.push(`no gensim peer (python3-gensim): ${peer.reason}`);
      continue;
    }
    const { seconds, gensim: version } = reply.parse(peer.printed);
    const theirs = timingOf(seconds);
    result.peers[`${key}/gensim`] = theirs.median;
    result.spread[`${key}/gensim`] = theirs.spread;
    result.ratios[`${key}/gensim`] = result.ours[key]! / theirs.median;
    result.notes.push(`${key}, gensim ${version}: ${speed(theirs.median)}`);
  }
  return result;
}

function gensim(dataset: SequenceDataset, threads: number): ReturnType<typeof pythonPeer> {
  const { dimension, window, negatives } = SETTINGS;
  const { userCount: rowCount, itemCount: columnCount, offsets, items: columns } = dataset;
  const matrix = { rowCount, columnCount, offsets, columns, values: new Float64Array(0) };
  return pythonPeer('item2vec.py', { matrix, parameters: [dimension, window, negatives, 1, RUNS, threads] });
}

async function corpus(): Promise<SequenceDataset> {
  const { dataFolders } = readEnvironment();
  const load = (name: string) =>
    loadSequenceDataset(datasetSelectionSchema.parse({ name }), { folders: dataFolders, cacheFolder: null });
  return load('ml-1m').catch(() => load('generated/markov-large'));
}
