import { parseGeneratedName } from '../../src/catalog/generatedDatasets.ts';
import { clusterCount } from './generateClusters.ts';
import type { ItemInfo } from './readItemTable.ts';

/**
 * What is known of the items of generated data: those of `clusters` and `drift` have the cluster that they were drawn into as
 * their genre; null for the others.
 */
export function generatedItemTable(name: string): ReadonlyMap<string, ItemInfo> | null {
  const { what, items } = parseGeneratedName(name);
  if (what !== 'clusters' && what !== 'drift') return null;
  const clusters = clusterCount(items);
  const entries = Array.from({ length: items }, (_, item): [string, ItemInfo] => [
    String(item + 1),
    { title: `item ${item + 1}`, genres: [`cluster ${(item % clusters) + 1}`] },
  ]);
  return new Map(entries);
}
