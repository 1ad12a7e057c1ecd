import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { BackupSummary } from '#src/backup/createBackup.ts';
import { counted } from '#src/base/terminal/counted.ts';

type Described = Omit<BackupSummary, 'points'> & Partial<Pick<BackupSummary, 'points'>>;

/** `12 runs and 3 artifacts (1.2 MiB), 1,240 points`, with what was missing. */
export function describeBackup({ tables, points, artifacts, artifactBytes, missingArtifacts }: Described): string {
  const missing = missingArtifacts.length;
  return [
    `${counted(tables.run ?? 0, 'run')} and ${counted(artifacts, 'artifact')} (${formatBytes(artifactBytes)})`,
    points === undefined ? '' : `, ${points.toLocaleString('en')} ${points === 1 ? 'point' : 'points'}`,
    missing === 0
      ? ''
      : `; ${missing} ${missing === 1 ? 'artifact was' : 'artifacts were'} gone or damaged and left out`,
  ].join('');
}
