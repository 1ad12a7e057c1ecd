import { describe, expect, test } from 'vitest';
import { DATASETS } from '#src/catalog/datasets.ts';
import { coreFilter } from '#workers/data/prepare/coreFilter.ts';
import { fingerprint } from '#workers/data/load/fingerprint.ts';
import { fingerprintWarning } from '#workers/data/load/fingerprintWarning.ts';
import { groupByUser } from '#workers/data/prepare/groupByUser.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { locateDataset } from '#workers/data/load/locateDataset.ts';
import { readInteractions } from '#workers/data/read/readInteractions.ts';
import { newFolder, selectionOf } from './dataFiles.ts';

const folders = (process.env.WARREN_DATA ?? '').split(':').filter((folder) => folder !== '');

function present(name: string): boolean {
  try {
    locateDataset(name, folders);
    return true;
  } catch {
    if (process.env.CI === 'true') return true;
    console.warn(`skipped: dataset ${name} is in no folder of WARREN_DATA`);
    return false;
  }
}

const load = (name: string, core = 0) =>
  loadSequenceDataset(selectionOf(name, { core }), { folders, cacheFolder: null });

/** Users, items, interactions: the papers' tables where they agree, and counts by `awk` and `sort -u` of the files. */
describe.each([
  ['amazon-beauty', 0, 22_363, 12_101, 198_502],
  ['amazon-tools-and-home-improvement', 0, 16_638, 10_217, 134_476],
  ['ml-1m', 0, 6_040, 3_706, 1_000_209],
  ['ml-1m', 5, 6_040, 3_416, 999_611],
  ['ml-100k', 0, 943, 1_682, 100_000],
  ['ml-100k', 5, 943, 1_349, 99_287],
  ['ml-latest-small', 0, 610, 9_724, 100_836],
  ['steam-leporid-validation', 0, 33_696, 6_125, 148_534],
])('%s with core %i', (name, core, userCount, itemCount, interactions) => {
  test.skipIf(!present(name))('has the published counts', async () => {
    const dataset = await load(name, core);
    const how = { folders, earlier: [] };
    expect(fingerprintWarning(dataset, how)).toBeNull();
    expect(fingerprintWarning({ name, fingerprint: 'a'.repeat(64) }, how)).toContain(
      'is not the one that Warren knows',
    );
    expect(dataset).toMatchObject({ userCount, itemCount });
    expect(dataset.items.length).toBe(interactions);
  });
});

test.skipIf(!present('amazon-beauty'))('Beauty: item id i is item i - 1', async () => {
  const { itemIds } = await load('amazon-beauty');
  expect(itemIds.every((id, item) => Number(id) === item + 1)).toBe(true);
});

test.skipIf(!present('ml-100k'))('MovieLens 100K is numbered as in the reference values of OverRec', async () => {
  // overrec_ml100k.json, first_user_sequence_start (numpy, items from 1): by first appearance in the 5-core of the file
  const { items } = await load('ml-100k', 5);
  expect(Array.from(items.subarray(0, 10), (item) => item + 1)).toEqual([
    1, 290, 490, 381, 743, 465, 521, 11, 666, 1019,
  ]);
});

test.skipIf(!present('ml-1m'))('both files of MovieLens 1M have one fingerprint', async () => {
  const files = DATASETS.find((dataset) => dataset.name === 'ml-1m')!.files;
  const prints = new Set<string>();
  for (const { name } of files) {
    let located: ReturnType<typeof locateDataset>;
    try {
      located = locateDataset(name, folders);
    } catch {
      continue;
    }
    const interactions = await readInteractions(located);
    prints.add(fingerprint(groupByUser(interactions, coreFilter(interactions, 0))));
  }
  expect(prints.size).toBe(1);
});

test.skipIf(!present('amazon-beauty'))(
  'Beauty loads in under a second, and from the cache in under a tenth',
  async () => {
    const options = { folders, cacheFolder: newFolder() };
    // of the processor, as other tests run beside this one
    const seconds = async (): Promise<number> => {
      const start = process.cpuUsage();
      await loadSequenceDataset(selectionOf('amazon-beauty'), options);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1e6;
    };
    expect(await seconds()).toBeLessThan(1);
    expect(Math.min(await seconds(), await seconds(), await seconds())).toBeLessThan(0.1);
  },
);
