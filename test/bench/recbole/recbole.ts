import { readFlags } from '../readFlags.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import type { BenchResult } from '../benchResult.ts';
import { wholeNumber } from '../wholeNumber.ts';
import { type Comparison, comparisonLines, meanLines, statisticsOf } from './comparison.ts';
import { ownRun, type RunTimes } from './ownRun.ts';
import { datasetOf, type Pair, PAIRS } from './pairs.ts';
import { type PeerTimes, recbolePython, recboleRun } from './recbolePeer.ts';

const OPTIONS = {
  /** Kinds, separated by commas; all where there are none. */
  models: { type: 'string', default: PAIRS.map(({ kind }) => kind).join(',') },
  dataset: { type: 'string', default: 'ml-100k' },
  /** Of both, in place of each pair's own. */
  epochs: { type: 'string' },
  /** Times RecBole by so many batches, scaled to an epoch, and leaves its metrics out. */
  batches: { type: 'string' },
  /** Runs of each, seeded 1, 2, …; what is fitted at once draws nothing and has one. */
  seeds: { type: 'string', default: '1' },
  threads: { type: 'string', default: '2' },
  json: { type: 'boolean', default: false },
} as const;
const DATASETS = ['ml-100k', 'amazon-beauty'];

interface Settings {
  epochs: number | null;
  batches: number | null;
  threads: number;
}

/**
 * Our kinds beside the models of RecBole with the same names: the same split (leave-one-out), settings, epochs and threads, one
 * after the other for each seed. An epoch's seconds, processor time of all threads, and how the test items are ranked among all
 * that the user has not seen.
 */
export async function recboleBench(flags: readonly string[]): Promise<BenchResult> {
  const values = readFlags(flags, OPTIONS);
  const pairs = values.models.split(',').map(pairOf);
  if (!DATASETS.includes(values.dataset))
    throw badInput(`--dataset: expected ${DATASETS.join(' or ')}, received "${values.dataset}"`, 'dataset');
  const settings: Settings = {
    epochs: values.epochs === undefined ? null : wholeNumber('epochs', values.epochs),
    batches: values.batches === undefined ? null : wholeNumber('batches', values.batches),
    threads: wholeNumber('threads', values.threads),
  };
  const seeds = wholeNumber('seeds', values.seeds);
  const peer = recbolePython();
  const result: BenchResult = { name: 'recbole', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const rows: Comparison[] = [];
  for (const pair of pairs) {
    const dataset = await datasetOf(pair, values.dataset);
    const ours: RunTimes[] = [];
    const theirs: PeerTimes[] = [];
    for (let seed = 1; seed <= (pair.epochs === null ? 1 : seeds); seed++) {
      ours.push(await ownRun({ kind: pair.kind, dataset, seed, ...oursOf(pair, dataset, settings) }));
      if ('reason' in peer) continue;
      const found = recboleRun(peer.python, dataset, { ...theirsOf(pair, settings), seed });
      if ('reason' in found) result.notes.push(`${pair.model}: RecBole did not run: ${found.reason}`);
      else theirs.push(found);
      console.error(`${pair.kind}, seed ${seed}: done`);
    }
    const row: Comparison = {
      ...{
        kind: pair.kind,
        model: pair.model,
        epochs: pair.epochs === null ? null : (settings.epochs ?? pair.epochs),
        differs: pair.differs,
      },
      ...{ ours: statisticsOf(ours), theirs: theirs.length === 0 ? null : statisticsOf(theirs) },
    };
    rows.push(row);
    record(result, row);
  }
  result.comparisons = rows;
  result.notes.push(...comparisonLines(rows));
  result.notes.push(...meanLines(rows));
  result.notes.push(
    'reason' in peer ? `no peer: ${peer.reason}` : `${peer.versions}, ${values.dataset}, ${settings.threads} threads`,
  );
  return result;
}

function pairOf(kind: string): Pair {
  const found = PAIRS.find((pair) => pair.kind === kind);
  if (found !== undefined) return found;
  const known = PAIRS.map((pair) => pair.kind).join(', ');
  throw badInput(`--models: expected some of ${known}, received "${kind}"`, 'models');
}

function oursOf(pair: Pair, dataset: SequenceDataset, { epochs, threads }: Settings) {
  const shares = Object.entries(pair.oursPerUser ?? {});
  const scaled = Object.fromEntries(shares.map(([name, value]) => [name, value * (dataset.userCount + 1)]));
  const given = { ...pair.ours, ...scaled, excludeSeen: true, cutoffs: [10] };
  if (pair.epochs === null) return { threads, parameters: given };
  const parameters = {
    ...given,
    ...{ epochs: epochs ?? pair.epochs, evaluateEvery: 0, checkpointEvery: 0 },
    batchSize: pair.packsUsers === true ? usersOf(pair.batch, dataset) : pair.batch,
    ...(pair.kind === 'mf-bpr' ? {} : { select: 'last' }),
  };
  return { threads, parameters };
}

/** Users that have about so many prefixes together: all but the first of their items, without the two held out. */
function usersOf(prefixes: number, { items, userCount }: SequenceDataset): number {
  return Math.max(1, Math.round(prefixes / (items.length / userCount - 3)));
}

function theirsOf(pair: Pair, { epochs, batches, threads }: Settings) {
  const { model, samples, batch, theirs } = pair;
  const config = { ...theirs, train_batch_size: batch };
  if (pair.epochs === null) return { model, samples, config, threads, epochs: null, batches: null };
  return { model, samples, config, threads, epochs: epochs ?? pair.epochs, batches };
}

function record(result: BenchResult, { kind, model, ours, theirs }: Comparison): void {
  result.ours[kind] = ours.seconds;
  result.spread[kind] = ours.spread;
  if (theirs === null) return;
  const key = `${kind}/RecBole ${model}`;
  result.peers[key] = theirs.seconds;
  result.spread[key] = theirs.spread;
  result.ratios[key] = ours.seconds / theirs.seconds;
}
