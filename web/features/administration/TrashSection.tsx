import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEmptyTrash } from './useAdministration.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

/** What is in the trash, and a way to delete it for good. */
export function TrashSection({ runs, bytes }: { runs: number; bytes: number }) {
  const [asking, setAsking] = useState(false);
  const empty = useEmptyTrash();
  const what = `${formatCount(runs)} ${runs === 1 ? 'run' : 'runs'}, ${formatBytes(bytes)}`;
  return (
    <section className="panel" aria-labelledby="trash-title">
      <div className="panel-head">
        <h2 id="trash-title">Trash</h2>
        <span>{what}</span>
      </div>
      <div className="panel-body row">
        <Link to="/runs" search={{ view: 'trash' }}>
          Look at it
        </Link>
        <Button look="danger" disabled={runs === 0 || empty.isPending} onClick={() => setAsking(true)}>
          Delete for good
        </Button>
      </div>
      {asking && (
        <Dialog title="Delete for good?" onClose={() => setAsking(false)}>
          <p>{what}: nobody can bring them back. Runs whose artifacts others use stay.</p>
          <div className="row">
            <Button
              look="danger"
              onClick={() => {
                setAsking(false);
                empty.mutate(undefined, {
                  onSuccess: (gone) =>
                    showToast(`${formatCount(gone.runs)} runs and ${formatBytes(gone.bytes)} are deleted.`),
                  onError: (error) => showToast(error.message, { error: true }),
                });
              }}
            >
              Delete for good
            </Button>
            <Button onClick={() => setAsking(false)}>Keep</Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
