import { knownFingerprint } from '#src/catalog/datasetFingerprints.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { listFingerprints } from '#src/datasets/store/datasetRecord.ts';

/** Whether the content of a dataset is known without any run of it; else what was met last decides. */
export function hasKnownContent(name: string): boolean {
  const files = knownDataset(name)?.files ?? [];
  return files.length > 0 && files.every((file) => knownFingerprint(file.name) !== undefined);
}

/** Fingerprints of the content that a dataset is known to have; where none is known, of what was met last. */
export async function rightFingerprints(connection: Connection, name: string): Promise<ReadonlySet<string>> {
  const files = knownDataset(name)?.files ?? [];
  const known = files.flatMap((file) => knownFingerprint(file.name) ?? []);
  if (hasKnownContent(name)) return new Set(known);
  const [newest] = await listFingerprints(connection, name);
  return new Set(newest === undefined ? known : [...known, newest]);
}
