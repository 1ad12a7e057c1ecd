import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readableStem } from './locateDataset.ts';

/** A worker with more files than this does not say which datasets it has. */
const MOST_NAMES = 1_000;

/**
 * Names of datasets by which the files of the folders and of their subfolders can be asked for, beside those of the catalog:
 * `NAME` and `group/NAME`, sorted; null when there are more than 1,000.
 */
export async function readableDatasets(folders: readonly string[]): Promise<string[] | null> {
  const names = new Set<string>();
  for (const folder of folders) {
    for (const entry of await entriesOf(folder)) {
      if (!entry.isDirectory() && !entry.isSymbolicLink()) addNames(names, '', entry.name);
      else for (const inner of await entriesOf(join(folder, entry.name))) addNames(names, entry.name, inner.name);
      if (names.size > MOST_NAMES) return null;
    }
  }
  return [...names].sort();
}

/** A folder that is not there, or is none, has no entries. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

function addNames(names: Set<string>, group: string, fileName: string): void {
  const stem = readableStem(fileName);
  if (stem === null) return;
  for (const name of [stem, stem.replace(/-(sequences|ratings)$/, '')]) {
    names.add(group === '' ? name : `${group}/${name}`);
    if (name === group) names.add(name);
  }
}
