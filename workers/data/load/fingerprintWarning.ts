import { knownFingerprint } from '#src/catalog/datasetFingerprints.ts';
import { isGenerated } from '#src/catalog/generatedDatasets.ts';
import { locateDataset } from './locateDataset.ts';

/** So much of a fingerprint tells it from others. */
const SHOWN = 12;

/**
 * What a person should know of a dataset's content: that its file is not the known one of its name, or that earlier runs
 * met other content under its name. Null when there is nothing to say.
 */
export function fingerprintWarning(
  dataset: { name: string; fingerprint: string },
  { folders, earlier }: { folders: readonly string[]; earlier: readonly string[] },
): string | null {
  const { name, fingerprint } = dataset;
  const shown = fingerprint.slice(0, SHOWN);
  const known = isGenerated(name) ? undefined : knownFingerprint(locateDataset(name, folders).path);
  if (known !== undefined && known !== fingerprint) {
    return `dataset "${name}" is not the one that Warren knows: its fingerprint is ${shown}, expected ${known.slice(0, SHOWN)}. Its file may be cut off or altered; its results cannot be compared with published ones`;
  }
  const others = earlier.filter((one) => one !== fingerprint).map((one) => one.slice(0, SHOWN));
  if (others.length === 0) return null;
  return `dataset "${name}" has other content than in earlier runs: its fingerprint is ${shown}, theirs ${others.slice(0, 3).join(', ')}. Compare only runs of the same fingerprint`;
}
