import { Link } from '@tanstack/react-router';
import type { StorageFacts } from '#web/api/useStorage.ts';
import { Facts } from '#web/components/Facts.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

/** Disk use of the artifact store: what is there, what of it is in use, what is free. */
export function StorageSection({ storage }: { storage: StorageFacts }) {
  const { bytes, files, referencedBytes, referencedFiles, freeBytes, volumeBytes } = storage;
  const { trashRuns, trashBytes, damagedFiles, problem } = storage;
  return (
    <section className="panel" aria-labelledby="storage-title">
      <div className="panel-head">
        <h2 id="storage-title">Artifacts on disk</h2>
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
          ['Free on the volume', `${formatBytes(freeBytes)} of ${formatBytes(volumeBytes)}`],
          [
            'In the trash',
            <Link key="trash" to="/" search={{ view: 'trash' }}>
              {`${formatCount(trashRuns)} ${trashRuns === 1 ? 'run' : 'runs'}, ${formatBytes(trashBytes)}`}
            </Link>,
          ],
          ...(damagedFiles > 0 ? ([['Damaged', `${filesText(damagedFiles)}, set aside`]] as const) : []),
        ]}
      />
    </section>
  );
}

function filesText(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;
}
