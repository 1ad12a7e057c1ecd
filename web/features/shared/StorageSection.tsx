import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StorageFacts } from './useStorage.ts';
import { Facts } from '#web/components/Facts.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

export interface StorageSectionProps {
  storage: StorageFacts;
  /** Below the facts. */
  children?: ReactNode;
}

/** Disk use of the artifact store: what is there, what of it is in use, what is free. */
export function StorageSection({ storage, children }: StorageSectionProps) {
  const { bytes, files, referencedBytes, referencedFiles, freeBytes, volumeBytes, place } = storage;
  const { trashRuns, trashBytes, damagedFiles, problem } = storage;
  return (
    <section className="panel" aria-labelledby="storage-title">
      <div className="panel-head">
        <h2 id="storage-title">Stored artifacts</h2>
      </div>
      {problem !== null && (
        <p className="notice" role="status">
          {problem}
        </p>
      )}
      <Facts
        facts={[
          ['Stored', `${formatBytes(bytes)} in ${filesText(files)}`],
          ['In use', `${formatBytes(referencedBytes)} in ${filesText(referencedFiles)}`],
          freeBytes === null || volumeBytes === null
            ? ['Kept in', place]
            : ['Free on the volume', `${formatBytes(freeBytes)} of ${formatBytes(volumeBytes)}`],
          [
            'In the trash',
            <Link key="trash" to="/runs" search={{ view: 'trash' }}>
              {`${formatCount(trashRuns)} ${trashRuns === 1 ? 'run' : 'runs'}, ${formatBytes(trashBytes)}`}
            </Link>,
          ],
          ...(damagedFiles > 0 ? ([['Damaged', `${filesText(damagedFiles)}, set aside`]] as const) : []),
        ]}
      />
      {children}
    </section>
  );
}

function filesText(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;
}
