import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import type { BenchResult } from './benchResult.ts';
import { measure, type Timing } from './measure.ts';

/** Targets, in seconds and bytes. */
const COLD_SECONDS = 1.5;
const WARM_SECONDS = 0.1;
const LARGE_SECONDS = 15;
/** 2 million users of 10 interactions each, on average. */
const LARGE = 'generated/markov-2000000x100000';

/**
 * Reading, 5-core and leave-one-out split: MovieLens 1M from its file and from the cache, and 20 million generated
 * interactions (generated, filtered and split), each beside its target.
 */
export async function dataBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'data', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const add = (key: string, { median, spread }: Timing, target: number): void => {
    result.ours[key] = median;
    result.peers[`${key}/target`] = target;
    result.ratios[`${key}/target`] = median / target;
    result.spread[key] = spread;
    result.spread[`${key}/target`] = [target, target];
  };
  const folders = (process.env.WARREN_DATA ?? join(projectRoot(), '..', 'shared', 'data')).split(':').filter(Boolean);
  const cacheFolder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  const split = async (name: string, cache: string | null): Promise<number> => {
    const selection = datasetSelectionSchema.parse({ name, core: 5 });
    const { dataset } = leaveOneOut(await loadSequenceDataset(selection, { folders, cacheFolder: cache }));
    return dataset.items.length;
  };
  try {
    // first, so that the peak of memory is that of the large case alone
    const first = await once(() => split(LARGE, null));
    result.notes.push(
      `${first.value.toLocaleString('en')} of the generated interactions are in the 5-core; peak memory ${peakMegabytes()} MB`,
    );
    const again = await once(() => split(LARGE, null));
    const seconds = [first.seconds, again.seconds].sort((a, b) => a - b);
    add(
      'generated-20m',
      { median: (seconds[0]! + seconds[1]!) / 2, spread: [seconds[0]!, seconds[1]!] },
      LARGE_SECONDS,
    );
    for (const name of ['ml-1m', 'ml-1m-ratings.csv']) {
      const cold = await once(() => split(name, null));
      result.notes.push(`${name}: the first time in this process took ${cold.seconds.toFixed(3)} s`);
      add(`${name}-file`, await measure(async () => void (await split(name, null))), COLD_SECONDS);
    }
    add('ml-1m-cache', await measure(async () => void (await split('ml-1m', cacheFolder))), WARM_SECONDS);
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true });
  }
  return result;
}

async function once<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const started = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - started) / 1000 };
}

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}
