import { useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useQueueAndWorkers } from '#web/api/useQueueAndWorkers.ts';
import { useStorage } from '#web/api/useStorage.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { QueueSection } from './QueueSection.tsx';
import { StorageSection } from './StorageSection.tsx';
import { WorkersSection } from './WorkersSection.tsx';
import './workers.css';

/** What waits, what runs, who works, and what is on the disk. */
export function WorkersPage() {
  useTitle('Queue and workers');
  const [stopped, setStopped] = useState(false);
  const { data, error, refetch } = useQueueAndWorkers(stopped);
  const storage = useStorage();
  return (
    <div className="page">
      <div className="page-head">
        <h1>Queue and workers</h1>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The queue cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="queue and workers" />}
      {data !== undefined && (
        <>
          <WorkersSection workers={data.workers} stopped={stopped} onStopped={setStopped} />
          <QueueSection queue={data.queue} />
          {storage.data !== undefined && <StorageSection storage={storage.data} />}
        </>
      )}
    </div>
  );
}
