import type { BackupSummary } from '#src/services/backup/createBackup.ts';
import { formatBytes } from '#src/lib/formatBytes.ts';

/** `12 runs and 3 artifacts (1.2 MiB)`, with what was missing. */
export function describeBackup({ tables, artifacts, artifactBytes, missingArtifacts }: BackupSummary): string {
  const runs = tables.run ?? 0;
  const missing = missingArtifacts.length;
  return [
    `${runs} ${runs === 1 ? 'run' : 'runs'} and ${artifacts} ${artifacts === 1 ? 'artifact' : 'artifacts'}`,
    ` (${formatBytes(artifactBytes)})`,
    missing === 0
      ? ''
      : `; ${missing} ${missing === 1 ? 'artifact was' : 'artifacts were'} gone or damaged and left out`,
  ].join('');
}
