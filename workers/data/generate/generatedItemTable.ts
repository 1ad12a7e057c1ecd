import { parseGeneratedName } from '#src/catalog/generatedDatasets.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { clusterCount } from './generateClusters.ts';
import { generatedTitles } from './generatedTitles.ts';
import type { ItemInfo } from '../read/readItemTable.ts';

/**
 * What is known of the items of generated data: those of `clusters` and `drift` have the cluster that they were drawn into as
 * their genre, and titles of words of which most are their cluster's; null for the others.
 */
export function generatedItemTable(name: string): ReadonlyMap<string, ItemInfo> | null {
  const { what, items, seed } = parseGeneratedName(name);
  if (what !== 'clusters' && what !== 'drift') return null;
  const clusters = clusterCount(items);
  const clusterOf = Uint32Array.from({ length: items }, (_, item) => item % clusters);
  const titles = generatedTitles(clusterOf, clusters, randomGenerator(seed, `titles ${what} ${items}`));
  const entries = titles.map((title, item): [string, ItemInfo] => [
    String(item + 1),
    { title, genres: [`cluster ${clusterOf[item]! + 1}`] },
  ]);
  return new Map(entries);
}
