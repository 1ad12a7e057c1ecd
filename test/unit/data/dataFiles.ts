import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type DatasetSelection, datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { atEndOfFile } from '#test/integration/support/atEndOfFile.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';

/** A new folder, removed after the tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'warren-data-'));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a new folder (gzipped where its name says so) and returns its path. */
export function fileWith(content: string | Buffer, name = 'data.txt'): string {
  const path = join(newFolder(), name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(content) : content);
  return path;
}

export function selectionOf(name: string, over: Partial<DatasetSelection> = {}): DatasetSelection {
  return { ...datasetSelectionSchema.parse({ name }), ...over };
}

/** A dataset of these sequences of item numbers; items go up to the largest number, or `itemCount`. */
export function datasetOf(sequences: readonly (readonly number[])[], itemCount?: number): SequenceDataset {
  const items = sequences.flat();
  const count = itemCount ?? Math.max(...items) + 1;
  const offsets = new Uint32Array(sequences.length + 1);
  for (const [user, sequence] of sequences.entries()) offsets[user + 1] = offsets[user]! + sequence.length;
  return {
    name: 'by hand',
    fingerprint: '',
    offsets,
    items: Uint32Array.from(items),
    userCount: sequences.length,
    itemCount: count,
    userIds: sequences.map((_, user) => String(user)),
    itemIds: Array.from({ length: count }, (_, item) => String(item)),
  };
}

/** The sequences of a dataset as arrays of item ids. */
export function sequencesOf(dataset: Pick<SequenceDataset, 'offsets' | 'items' | 'itemIds' | 'userCount'>): string[][] {
  return Array.from({ length: dataset.userCount }, (_, user) =>
    Array.from(
      dataset.items.subarray(dataset.offsets[user]!, dataset.offsets[user + 1]!),
      (item) => dataset.itemIds[item]!,
    ),
  );
}
